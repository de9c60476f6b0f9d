import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import t from 'tap'
import { needsChromium, startBrowser } from '../../../test/runner/chromium.ts'

/** JSON Lines with a `description` each, gzipped or not: real texts. Without it, generated ones. */
const TEXTS = process.env['TEXTS']
const MAX_TEXTS = Number(process.env['TEXTS_COUNT'] ?? 500)
const MAX_TEXT_LENGTH = 60_000

const BLOCKS = [
  'A setext heading\n================',
  '*  [X] a task in capitals\n*  [ ] another\n   1) nested',
  '| A | B |\n|:--|--:|\n| 1 | `a \\| b` |',
  '~~~js\nconst a = 1\n~~~',
  '    indented code\n\n    after an empty line',
  '<details>\n<summary>More</summary>\n\ninside\n\n</details>',
  '<!-- a comment -->',
  '> a quote\nthat goes on lazily\n> > and deeper',
  'Hard  \nbreaks\\\nof both kinds, &amp; an entity, \\*escaped\\*, __strong__ and _em_.',
  '[a reference][r] and <https://example.org> and ![an image](https://example.org/a.png "title")\n\n[r]: https://example.org',
  '1. one\n1. one again\n\n   with a paragraph\n\n10. ten',
  '***\n\n- - a list in a list\n+ another bullet',
  'Trailing spaces   \n\ttab   ',
  '# A heading with `code` #\n## and one right after it',
  'Ünïcode 👩‍👩‍👧 zero​width, “quotes”…'
]

/** Numbers coprime to the number of blocks: each gives all of them in another order. */
const STEPS = [1, 4, 7, 13]
const madeTexts = (): string[] =>
  STEPS.map(step => BLOCKS.map((_, at) => BLOCKS[(at * step) % BLOCKS.length]!).join('\n\n'))

async function realTexts(file: string): Promise<string[]> {
  const raw = createReadStream(file)
  const texts: string[] = []
  for await (const line of createInterface({ input: file.endsWith('.gz') ? raw.pipe(createGunzip()) : raw })) {
    const { description } = JSON.parse(line) as { description?: string | null }
    if (description?.trim() && description.length < MAX_TEXT_LENGTH) texts.push(description)
    if (texts.length === MAX_TEXTS) break
  }
  return texts
}

t.test('an edit of one block in a browser leaves the bytes of all others', needsChromium, async t => {
  t.setTimeout(0)
  const texts = TEXTS === undefined ? madeTexts() : await realTexts(TEXTS)
  const { server, url, openSignedIn } = await startBrowser(t, {
    plugins: ['workspace', 'issues', 'passwords', 'events', 'ui']
  })
  const page = await openSignedIn()
  await page.goto(`${url}/board`)
  await page.getByRole('heading', { name: 'Engineering' }).waitFor()
  for (const [n, text] of texts.entries()) {
    const title = `Text number ${n}`
    const descriptionMarkdown = `Begin${n}here\n\n${text}`
    const body = { teamId: 'ENG', title, descriptionMarkdown }
    const { id, key } = await server.ok<{ id: string; key: string }>('/v1/issues', { body })
    await page.evaluate(`history.pushState(null, '', ${JSON.stringify(`/issue/${key}`)})`)
    await page.getByRole('heading', { name: title, exact: true }).waitFor()
    await page.locator('main').focus()
    await page.keyboard.press('Shift+E')
    const editor = page.getByRole('textbox', { name: 'Description' })
    await editor.getByText(`Begin${n}here`).click()
    await page.keyboard.press('End')
    await page.keyboard.type(', edited')
    const saved = page.waitForResponse(answer => answer.url().endsWith(`/v1/issues/${id}`) && answer.ok())
    await page.keyboard.press('Control+Enter')
    await saved
    await editor.waitFor({ state: 'detached' })
    const read = await server.ok<{ descriptionMarkdown: string }>(`/v1/issues/${id}`)
    t.equal(read.descriptionMarkdown, `Begin${n}here, edited\n\n${text}`, title)
  }
})
