import type { Page } from 'playwright-core'
import t from 'tap'
import { assertAccessibleInSchemes, needsChromium, SCREENS, startBrowser } from '../../../test/runner/chromium.ts'
import type { TestServer } from '../../../test/runner/harness.ts'

const plugins = ['workspace', 'issues', 'comments', 'passwords', 'events', 'ui']

const file = (server: TestServer, descriptionMarkdown: string) =>
  server.ok<{ id: string; key: string }>('/v1/issues', {
    body: { teamId: 'ENG', title: 'With code', descriptionMarkdown }
  })
const TS = 'const greeting: string = `Hello, $' + '{name}` // why\nexport class A<T> { n = 42 }\n'
const WIDE = `if (ready) return "${'a long line of code '.repeat(30)}"`
const fence = (language: string, code: string) => `\`\`\`${language}\n${code}\n\`\`\`\n`

const coloured = (page: Page, within = '') => page.locator(`${within} pre [data-colour]`).allTextContents()

t.test('code has the colours of its language, and a button that copies it', needsChromium, async t => {
  const { server, url, openSignedIn } = await startBrowser(t, { plugins })
  const others =
    fence('nosuchlanguage', 'const plain = 1') + fence('', 'let plain = 2') + fence('py,x', 'def f(): pass')
  const { key } = await file(server, fence('ts title="a.ts"', TS) + others + fence('js', WIDE))
  for (const [name, options] of SCREENS) {
    const page = await openSignedIn({ ...options, permissions: ['clipboard-read', 'clipboard-write'] })
    await page.goto(`${url}/issue/${key}`)
    const blocks = page.locator('pre:has(code)')
    await blocks.nth(4).locator('[data-colour=keyword]').first().waitFor()
    t.equal(await blocks.nth(0).textContent(), TS, 'its text is as before')
    const parts = ['const', 'greeting', 'string', '`Hello, ', '`', '// why', 'export', 'class', 'A', '42']
    t.strictSame(await blocks.nth(0).locator('[data-colour]').allTextContents(), parts)
    t.equal(await blocks.nth(1).locator('[data-colour]').count(), 0, 'an unknown language is plain')
    t.equal(await blocks.nth(2).locator('[data-colour]').count(), 0)
    t.equal(await blocks.nth(3).locator('[data-colour=keyword]').count(), 2, 'the first word is the language')
    await assertAccessibleInSchemes(t, page, `code, ${name}`, `code ${name}`)
    const wide = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
    t.ok(wide <= 0, 'wide code scrolls in its block')
    const inBlock = await blocks
      .nth(4)
      .evaluate(
        ({ scrollWidth, clientWidth }: { scrollWidth: number; clientWidth: number }) => scrollWidth > clientWidth
      )
    t.ok(inBlock, 'there is more to the side')

    const copy = page.getByRole('button', { name: 'Copy code' })
    // It says so for two seconds: the page is observed before they begin.
    const copied = page.getByRole('button', { name: 'Copied' }).waitFor()
    await (options.hasTouch ? copy.first().tap() : copy.first().click())
    await copied
    await page.locator('#announcer').getByText('Code copied').waitFor({ state: 'attached' })
    t.equal(await page.evaluate('navigator.clipboard.readText()'), TS)
    await blocks.nth(1).focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    // Not waitForFunction: the page's Content-Security-Policy lets it look only once.
    while ((await page.evaluate('navigator.clipboard.readText()')) !== 'const plain = 1') await page.waitForTimeout(20)
    await page.context().close()
  }
})

t.test('code that takes long to read stays plain, and holds up nothing', needsChromium, async t => {
  const { server, url, openSignedIn } = await startBrowser(t, { plugins })
  // The library's patterns need half a minute for this.
  const { key } = await file(server, fence('java', 'é'.repeat(16_384)) + fence('ts', 'const a = 1'))
  const page = await openSignedIn()
  await page.addInitScript(`
    window.longest = 0
    new PerformanceObserver(list => {
      for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration)
    }).observe({ type: 'longtask' })`)
  await page.goto(`${url}/issue/${key}`)
  await page.locator('pre [data-colour=keyword]').waitFor()
  t.strictSame(await coloured(page), ['const', '1'], 'the next one has its colours')
  const longest = await page.evaluate<number>('longest')
  t.ok(longest < 10_000, `the library does not run in the page: ${longest} ms`)
})

/** The coloured parts of the code in editors. */
const COLOURED = `[...(CSS.highlights ?? new Map()).values()].flatMap(all => [...all])
  .sort((a, b) => a.startOffset - b.startOffset)
  .map(({ startContainer, startOffset, endOffset }) => startContainer.data.slice(startOffset, endOffset))`

/** Asks the page until it says so: its policy lets no function wait there. */
async function waitForColours(page: Page, isShown: (parts: string[]) => boolean): Promise<void> {
  for (const end = Date.now() + 60_000; !isShown(await page.evaluate<string[]>(COLOURED));) {
    if (Date.now() > end) throw new Error(`The editor colours ${await page.evaluate(COLOURED)}.`)
    await page.evaluate('new Promise(requestAnimationFrame)')
  }
}

t.test('the editor has the same colours, also of what is typed', needsChromium, async t => {
  const { server, url, openSignedIn } = await startBrowser(t, { plugins })
  const { id, key } = await file(server, `Before\n\n${fence('ts', 'const a = 1')}`)
  const page = await openSignedIn()
  const shows = (parts: string[]) => waitForColours(page, shown => shown.join('\n') === parts.join('\n'))
  await page.goto(`${url}/issue/${key}`)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const editor = page.locator('[contenteditable][aria-label=Description]')
  await shows(['const', '1'])
  const colours = await page.evaluate<string[]>(`{
    const code = document.querySelector('[contenteditable] pre code')
    const names = ['comment', 'keyword', 'string', 'value', 'name', 'type']
    ;[code, ...names].map(name =>
      getComputedStyle(code, name === code ? null : '::highlight(code-' + name + ')').color)
  }`)
  t.equal(new Set(colours).size, 7, 'each has its colour')
  t.equal(await editor.locator('pre span').count(), 0, 'the elements stay as they are')
  await page.evaluate("window.first = [...CSS.highlights.get('code-keyword')][0]")
  await page.keyboard.press('Control+End')
  await page.keyboard.type('; return "x"')
  await shows(['const', '1', 'return', '"x"'])
  t.ok(await page.evaluate("CSS.highlights.get('code-keyword').has(first)"), 'what is right is not painted again')
  await page.keyboard.press('Control+Home')
  await page.keyboard.type('More. ')
  await editor.getByText('More. Before').waitFor()
  await shows(['const', '1', 'return', '"x"'])
  await assertAccessibleInSchemes(t, page, 'code in the editor', 'code editor')
  await page.keyboard.press('Control+Enter')
  await editor.waitFor({ state: 'detached' })
  await shows([])
  const { descriptionMarkdown } = await server.ok<{ descriptionMarkdown: string }>(`/v1/issues/${id}`)
  t.equal(descriptionMarkdown, `More. Before\n\n${fence('ts', 'const a = 1; return "x"')}`)
})

t.test('of long code, the editor colours the part that is on the screen', needsChromium, async t => {
  const { server, url, openSignedIn } = await startBrowser(t, { plugins })
  const lines = Array.from({ length: 700 }, (_, n) => `const line${n} = 'a text' // ${n}`)
  const { key } = await file(server, fence('ts', lines.join('\n')))
  const page = await openSignedIn()
  await page.goto(`${url}/issue/${key}`)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await waitForColours(page, shown => shown.includes('// 5'))
  t.notOk((await page.evaluate<string[]>(COLOURED)).includes('// 699'))
  await page.keyboard.press('Control+End')
  await waitForColours(page, shown => shown.includes('// 699'))
  t.notOk((await page.evaluate<string[]>(COLOURED)).includes('// 5'))
})
