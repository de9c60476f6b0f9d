import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { needsChromium, startBrowser, type Session } from '../../../test/runner/chromium.ts'

const plugins = ['workspace', 'issues', 'passwords', 'events', 'ui']
const shots = process.env['UI_SCREENSHOTS']
const fixture = (name: string) => readFile(new URL(`clipboard/${name}.html`, import.meta.url), 'utf8')
interface Issue {
  id: string
  key: string
  descriptionMarkdown: string
}

/** The editor is notified of a moved cursor a moment later. */
const HEARD = 'new Promise(done => requestAnimationFrame(() => setTimeout(done)))'

/** The editor of a new issue, and its stored text. */
async function openEditor(t: Test) {
  const { server, url, openSignedIn }: Session = await startBrowser(t, { plugins })
  const page = await openSignedIn()
  const editor = page.locator('[contenteditable][aria-label=Description]')
  /** @returns the Markdown that is stored after `act` in the editor */
  async function stored(act: () => Promise<unknown>, descriptionMarkdown = '', shot?: string): Promise<string> {
    const body = { teamId: 'ENG', title: 'Edited', ...(descriptionMarkdown && { descriptionMarkdown }) }
    const { id, key } = await server.ok<Issue>('/v1/issues', { body })
    await page.goto(`${url}/issue/${key}`)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await editor.waitFor()
    await page.keyboard.press('Control+End')
    await page.evaluate(HEARD)
    await act()
    if (shots && shot) await page.screenshot({ path: `${shots}/${shot}.png` })
    const saved = page.waitForResponse(answer => answer.url().endsWith(`/v1/issues/${id}`))
    await page.keyboard.press('Control+Enter')
    // A text that is as before is not sent.
    const answer = await Promise.race([saved, editor.waitFor({ state: 'detached' })])
    if (answer && !answer.ok()) throw new Error(await answer.text())
    await editor.waitFor({ state: 'detached' })
    return (await server.ok<Issue>(`/v1/issues/${id}`)).descriptionMarkdown
  }
  return { server, url, page, editor, stored, paste: (data: Record<string, string>) => paste(page, data) }
}

/** Pastes like the browser, with these types on the clipboard. */
const paste = (page: Page, data: Record<string, string>) =>
  page.evaluate(`{
    const clipboardData = new DataTransfer()
    for (const [type, text] of Object.entries(${JSON.stringify(data)})) clipboardData.setData(type, text)
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
    document.activeElement.dispatchEvent(event)
  }`)

const MARKDOWN = `### Pasted

Text with **bold**, *italic*, ~~gone~~, \`code\` and [a link](https://example.org).

- [ ] one
- [x] two
  1. nested

> quoted

\`\`\`ts
const a = b * c
\`\`\`

| A | B |
| :--- | ---: |
| 1 | \`a\` |
`

t.test('Markdown that is pasted is stored as it is', needsChromium, async t => {
  const { page, editor, stored, paste } = await openEditor(t)
  const plain = (text: string) => () => paste({ 'text/plain': text })

  t.equal((await stored(plain(MARKDOWN), '', 'pasted')).trim(), MARKDOWN.trim(), 'all of it')
  t.equal(await stored(plain(MARKDOWN.replaceAll('\n', '\r\n'))), MARKDOWN.trim(), 'with the line ends of Windows')
  t.equal(await stored(plain(' and **more**, '), 'Before'), 'Before and **more**,', 'in a line, with its spaces')
  t.equal(await stored(plain('# one\n\n# two'), 'Before'), 'Before\n\n# one\n\n# two', 'blocks after a line')
  t.equal(await stored(plain('- [x] a\n- [ ] b'), '- [ ] first\n- [ ]'), '- [ ] first\n- [x] a\n- [ ] b', 'criteria')
  t.equal(await stored(plain('- [x] a\n- [ ] b'), '- [ ] one'), '- [ ] one\n- [x] a\n- [ ] b', 'criteria after one')
  const inCell = async () => {
    await editor.getByRole('cell', { name: 'x' }).click()
    await page.keyboard.press('End')
    await page.evaluate(HEARD)
    await plain('**b**\nc')()
  }
  t.equal(await stored(inCell, '| A |\n| --- |\n| x |'), '| A |\n| --- |\n| x**b** c |', 'in a cell')
  t.equal(await stored(plain('**b** # c'), '```\na\n```'), '```\na**b** # c\n```', 'in code, as it is')
  t.equal(await stored(plain('see [x](javascript:alert(1))')), 'see \\[x](javascript:alert(1))', 'no link that runs')

  await t.test('with Shift it is text', async t => {
    const text = await stored(async () => {
      await page.keyboard.down('Shift')
      await plain('**a**\n# b')()
      await page.keyboard.up('Shift')
    })
    t.equal(text, '\\*\\*a\\*\\*\n\n\\# b')
  })
})

t.test('HTML of other programs becomes what it looks like', needsChromium, async t => {
  const { stored, paste } = await openEditor(t)
  const html = async (name: string) =>
    stored(async () => paste({ 'text/html': await fixture(name), 'text/plain': 'not this' }), '', name)
  t.equal(
    await html('google-docs'),
    '## Release notes\n\nPlain, **bold** *italic* ~~gone~~ and [a link](https://example.org/doc)\n\n' +
      '- [ ] first\n- [x] second\n\n| **Name** | Value |\n| --- | --- |\n| one<br>more | 1 |'
  )
  t.equal(
    await html('word'),
    '# Report\n\nSome **bold** and *italic* text.\n\n- Apples\n  - Green ones\n- Pears\n\n3. Third\n4. Fourth\n\n' +
      '| Wide |  | Right |\n| --- | --- | ---: |\n| Tall<br>cell | b | c |\n|  | d |  |\n\n' +
      'Run me or [read me](https://example.org/). a picture'
  )
  t.equal(await html('vs-code'), '## From the editor\n\n- [ ] one **bold**\n- [x] two')
  t.equal(
    await html('github'),
    '### Done when\n\n- [ ] it is `fast`\n- [x] it is right\n\n```js\nconst a = 1\nconst b = *a\n```'
  )
})

t.test('HTML of Jira, Notion and other pages keeps what Markdown has', needsChromium, async t => {
  const { page, stored, paste } = await openEditor(t)
  const html = async (name: string, shown?: () => Promise<unknown>) =>
    stored(
      async () => {
        await paste({ 'text/html': await fixture(name), 'text/plain': 'not this' })
        await shown?.()
      },
      '',
      name
    )
  t.equal(
    await html('jira'),
    '## Steps\n\nOpen **Settings**, then *Export* `now`, [ENG-1](https://example.org/browse/ENG-1).\n\n' +
      'Do not close it\n\n1. first\n   - inside\n2. second\n\n- [ ] to do\n- [x] done\n\n' +
      '```java\nint a = 1;\nint b = *a;\n```\n\n```sql\nselect 1\n```\n\n' +
      '| Key | State |\n| --- | --- |\n| ENG-1<br>and more | open |'
  )
  t.equal(
    await html('notion'),
    '# Plan\n\nSome **bold**, *italic*, ~~gone~~ and `code`.\n\n- [ ] open\n- [x] done\n  - a level deeper\n\n' +
      '* [x] exported\n\n- Toggle\n\n  Its text\n\n💡\n\nA callout\n\n' +
      '```python\ndef f(a):\n    return a ** 2\n```\n\n| A | B |\n| --- | --- |\n| 1 | • x<br>• y |'
  )
  const note = page.getByRole('status').getByText('2 addresses')
  t.equal(
    await html('web-page', () => note.waitFor()),
    '# An article\n\nIt has a trap, [a link](https://example.org/a?b=1&c=2), ![a relative picture](x) and a drawing.\n\n' +
      'Term\n\nIts meaning\n\nMore\n\nhidden words\n\n| Left | Right |\n| --- | ---: |\n| 1 | two<br>three |\n\n' +
      '> Said\n\nPress\n\nOne'
  )
})

t.test('code stays code, and one Ctrl Z takes back a conversion', needsChromium, async t => {
  const { page, editor, stored, paste } = await openEditor(t)
  const plain = (text: string) => () => paste({ 'text/plain': text })
  const CODE = "import a from 'a'\n\n# no heading\nconst b = *a\nif (b) {\n  run(a * b * c)\n}"
  t.equal(await stored(plain(CODE)), `\`\`\`\n${CODE}\n\`\`\``)
  const fromEditor = {
    'text/plain': '# a\n* b',
    'text/html': '<div style="font-family: Consolas;white-space: pre;"><div># a</div><div>* b</div></div>',
    'vscode-editor-data': '{"version":1,"mode":"python"}'
  }
  t.equal(await stored(() => paste(fromEditor)), '```python\n# a\n* b\n```')

  const undone = (act: () => Promise<unknown>, times = 1) =>
    stored(async () => {
      await act()
      for (let n = 0; n < times; n++) await page.keyboard.press('Control+z')
    }, 'Before')
  t.equal(await undone(plain(' **b** ')), 'Before \\*\\*b\\*\\*', 'a paste is as it was')
  t.equal(await undone(plain('\n# b\n\n- c')), 'Before\n\n\\# b\n\n\\- c', 'of several lines')
  t.equal(await undone(plain(' **b**'), 2), 'Before', 'and goes')
  t.equal(await undone(() => page.keyboard.type(' **b**')), 'Before \\*\\*b\\*\\*', 'typed')
  const fence = async () => {
    await page.keyboard.press('Enter')
    await page.keyboard.type('```js')
    await page.keyboard.press('Enter')
    await editor.locator('pre').waitFor()
  }
  t.equal(await undone(fence), 'Before\n\n\\`\\`\\`js', 'a line')
})

const EVERYTHING = `- [x] met
- [ ] not met

3) third
4) fourth

\`\`\`js
const a = 1
\`\`\`

| A | B |
| ---: | :---: |
| 1 | 2 |

<details class="a > b" style="color: red">
<summary onclick="x = 1">raw</summary>

* starred
* list

_em_ __strong__ ~~gone~~ <kbd>K</kbd> ![alt](https://example.org/a.png "t")`

t.test('what is copied and pasted within the editor is the same', needsChromium, async t => {
  const { page, stored } = await openEditor(t)
  const copied = await stored(async () => {
    await page.evaluate(`document.addEventListener('cut', ({ clipboardData }) => {
      window.cutText = clipboardData.getData('text/plain')
    })`)
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Control+x')
    await page.keyboard.press('Control+v')
  }, EVERYTHING)
  t.equal(copied, EVERYTHING)
  t.equal(await page.evaluate<string>('window.cutText'), EVERYTHING, 'as text it is Markdown')
})

t.test('Markdown that is typed is stored as it is', needsChromium, async t => {
  const { page, stored } = await openEditor(t)
  const typed = (text: string, before = '') =>
    stored(async () => {
      for (const [at, line] of text.split('\n').entries()) {
        if (at > 0) await page.keyboard.press('Enter')
        await page.keyboard.type(line)
      }
    }, before)
  const CASES: Array<readonly [typed: string, stored?: string]> = [
    ['**bold** and *it*, __b__ _i_, ~~s~~ `c` end'],
    ['a [link](https://example.org "t") and ![alt](https://example.org/a.png) end'],
    ['## Head\ntext', '## Head\n\ntext'],
    ['- [ ] one\n[x] two', '- [ ] one\n- [x] two'],
    ['- [ ] one\n- [x] two\n- [ ] three'],
    ['- one\n- two'],
    ['1. one\n2. two'],
    ['> one\n> two', '> one\n>\n> two'],
    ['one\n---\ntwo', 'one\n\n---\n\ntwo'],
    ['```ts\nconst a = *b*\n```\nafter', '```ts\nconst a = *b*\n```\n\nafter'],
    ['| A | **B** |\n| --- | :-: |\nx', '| A | **B** |\n| --- | :---: |\n| x |  |'],
    ['2 * 3 * 4 and snake_case_name and 5*6*7', '2 * 3 * 4 and snake_case_name and 5\\*6\\*7'],
    ['no [x](javascript:alert(1))', 'no \\[x](javascript:alert(1))']
  ]
  for (const [text, expected = text] of CASES) t.equal(await typed(text), expected, text)

  await t.test('Backspace takes it back', async t => {
    const text = await stored(async () => {
      await page.keyboard.type('**not bold**')
      await page.keyboard.press('Backspace')
    })
    t.equal(text, '\\*\\*not bold\\*\\*')
  })
})
