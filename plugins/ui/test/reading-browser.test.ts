import t from 'tap'
import { assertAccessibleInSchemes, needsChromium, SCREENS, startBrowser } from '../../../test/runner/chromium.ts'

const plugins = ['workspace', 'issues', 'comments', 'passwords', 'events', 'ui']

const TEXT = `It fails[^why] for [^2] people[^why].

<details>
<summary>The <b>log</b> of \`build\`</summary>

1. first **bold**
   - [ ] a task within

<details><summary>More</summary>
Text with **marks** in the same block
</details>

</details>

> [!NOTE]
> Read *this*, and a [link](https://example.org).

> [!TIP]
> A tip.

> [!IMPORTANT]
> Do it.

> [!WARNING]
> - [ ] a second task

> [!CAUTION]
> It is removed.

<details>

Not closed

[^why]: Because of [the parser](https://example.org/parser), \`v2\`.
[^2]: Two.
`

const HOSTILE = `<details open onclick="ran = 1" ontoggle="ran = 2"><summary><img src=x onerror="ran = 3">S</summary>
<script>ran = 4</script> [x](javascript:ran=5) <a href="javascript:ran=6">y</a>
</details>

> [!NOTE]
> <script>ran = 7</script> [z](javascript:ran=8)

a[^<img/src=x/onerror=ran=9>]

[^<img/src=x/onerror=ran=9>]: <img src=x onerror="ran = 10"> end
`

t.test('details, callouts and footnotes are shown as such, and stored as they were', needsChromium, async t => {
  const { server, url, openSignedIn } = await startBrowser(t, { plugins })
  const { id, key } = await server.ok<{ id: string; key: string }>('/v1/issues', {
    body: { teamId: 'ENG', title: 'Displayed', descriptionMarkdown: TEXT }
  })
  await server.ok(`/v1/issue_comments?issueId=${key}`, { body: { bodyMarkdown: 'Also[^1]\n\n[^1]: a note' } })
  for (const [name, options] of SCREENS) {
    const page = await openSignedIn(options)
    await page.goto(`${url}/issue/${key}`)
    const description = page.getByRole('region', { name: 'Description' })
    const details = description.locator('details')
    const summary = details.first().locator('summary').first()
    await summary.getByText('The log of build').waitFor()
    t.notOk(await description.getByText('first bold').isVisible(), 'it is closed')
    await summary.focus()
    await page.keyboard.press('Enter')
    await description.getByText('first bold').waitFor()
    t.equal(await details.count(), 2, 'what is not closed is text')
    t.ok(await description.getByText('<details>', { exact: true }).isVisible())
    await details.nth(1).locator('summary').click()
    await details.nth(1).getByText('Text with marks in the same block').waitFor()

    const notes = description.getByRole('note')
    const titles = await notes.locator('> p:first-child').allTextContents()
    t.strictSame(titles, ['Note', 'Tip', 'Important', 'Warning', 'Caution'])
    t.equal(await notes.first().getByRole('link', { name: 'link' }).count(), 1)
    t.notOk((await description.textContent())!.includes('[!'), 'without their markers')

    const items = description.getByRole('list', { name: 'Footnotes' }).getByRole('listitem')
    t.match(await items.allTextContents(), [/^Because of the parser, v2\.↩↩2$/, /^Two\.↩$/])
    await assertAccessibleInSchemes(t, page, `details, callouts and footnotes, ${name}`, `reading ${name}`)
    await description.getByRole('link', { name: 'Footnote 1', exact: true }).nth(1).press('Enter')
    t.equal(await page.evaluate('document.activeElement.textContent'), await items.first().textContent())
    await items.first().getByRole('link', { name: 'Back to reference 2' }).press('Enter')
    t.equal(await page.evaluate('document.activeElement.textContent'), '1', 'and back to its place')
    t.match(page.url(), /\/issue\/ENG-1$/, 'the address is the page’s')
    await page.context().close()
  }

  const page = await openSignedIn()
  await page.goto(`${url}/issue/${key}`)
  await page.getByRole('checkbox', { name: 'a second task' }).check()
  await page.getByText('1 of 2 met').waitFor()
  const ticked = await server.ok<{ descriptionMarkdown: string }>(`/v1/issues/${id}`)
  t.equal(ticked.descriptionMarkdown, TEXT.replace('- [ ] a second', '- [x] a second'), 'only its box is another')
})

t.test('nothing of a hostile text runs', needsChromium, async t => {
  const { server, url, openSignedIn } = await startBrowser(t, { plugins })
  const { key } = await server.ok<{ key: string }>('/v1/issues', {
    body: { teamId: 'ENG', title: 'Hostile', descriptionMarkdown: HOSTILE }
  })
  const page = await openSignedIn()
  await page.goto(`${url}/issue/${key}`)
  const description = page.getByRole('region', { name: 'Description' })
  // The parser has been loaded: it leaves the script as raw HTML.
  await description.locator('details pre').waitFor()
  await description.getByRole('link', { name: 'Footnote 1', exact: true }).click()
  t.equal(await page.evaluate('typeof ran'), 'undefined')
  t.equal(await description.locator('img, script, [onclick], [onerror], a[href^=java]').count(), 0)
})
