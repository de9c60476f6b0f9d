import t from 'tap'
import { assertAccessibleInSchemes, needsChromium, SCREENS, startBrowser } from '../../../test/runner/chromium.ts'

const plugins = ['workspace', 'issues', 'comments', 'passwords', 'events', 'ui']

t.test('what is selected in a text is formatted by a toolbar', needsChromium, async t => {
  const { server, url, openSignedIn } = await startBrowser(t, { plugins })
  const { id, key } = await server.ok<{ id: string; key: string }>('/v1/issues', {
    body: { teamId: 'ENG', title: 'Title' }
  })
  const page = await openSignedIn()
  await page.goto(`${url}/issue/${key}`)
  const editor = page.locator('[contenteditable][aria-label=Comment]')
  const toolbar = page.getByRole('toolbar')
  const tool = (name: string) => toolbar.getByRole('button', { name, exact: true })
  const address = page.getByRole('textbox', { name: 'Address' })
  async function select(): Promise<void> {
    await page.getByRole('textbox', { name: 'Comment', exact: true }).click()
    await editor.waitFor()
    await page.keyboard.type('Words')
    await page.keyboard.press('Shift+Home')
    await toolbar.waitFor()
  }
  /** Puts the cursor into the first word. Right after it has the focus, an editor may undo what a key selects. */
  async function enterLink(): Promise<void> {
    while ((await toolbar.count()) > 0) await page.keyboard.press('Home')
    await page.keyboard.press('ArrowRight')
  }
  let count = 0
  async function send(): Promise<string> {
    await page.keyboard.press('Control+Enter')
    await page.getByRole('article').nth(count++).waitFor()
    const all = await server.ok<Array<{ bodyMarkdown: string }>>(`/v1/issue_comments?issueId=${id}`)
    return all.at(-1)!.bodyMarkdown.trim()
  }

  for (const [name, markdown] of [
    ['Bold', '**Words**'],
    ['Italic', '*Words*'],
    ['Strikethrough', '~~Words~~'],
    ['Code', '`Words`'],
    ['List', '* Words'],
    ['Quote', '> Words']
  ] as const) {
    await t.test(`${name}, by pointer`, async t => {
      await select()
      await tool(name).click()
      await tool(name).and(page.locator('[aria-pressed=true]')).waitFor()
      t.equal((await send()).replace(/^- /, '* '), markdown)
    })
  }

  await t.test('by keys: Alt F10 leads there, Escape back, and a second use takes it back', async t => {
    await select()
    await page.keyboard.press('Alt+F10')
    await page.keyboard.press('ArrowRight')
    t.equal(await page.evaluate<string>('document.activeElement.ariaLabel'), 'Italic')
    await page.keyboard.press('End')
    t.equal(await page.evaluate<string>('document.activeElement.ariaLabel'), 'Quote')
    await page.keyboard.press('Escape')
    await editor.and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Alt+F10')
    await page.keyboard.press('Enter')
    await tool('Bold').and(page.locator('[aria-pressed=true]')).waitFor()
    await page.keyboard.press('Alt+F10')
    await page.keyboard.press('Space')
    await tool('Bold').and(page.locator('[aria-pressed=false]')).waitFor()
    t.equal(await send(), 'Words')
  })

  await t.test('a link is made by keys, refused if it may run a program, and edited in place', async t => {
    await select()
    await page.keyboard.press('Control+Shift+k')
    await address.fill('javascript:alert(1)')
    await page.keyboard.press('Enter')
    await page
      .getByRole('alert')
      .getByText(/cannot be stored/)
      .waitFor()
    await address.fill('example.org/a')
    await page.keyboard.press('Enter')
    await address.waitFor({ state: 'detached' })
    await enterLink()
    await tool('Edit the link').click()
    t.equal(await address.inputValue(), 'https://example.org/a')
    await address.fill('https://example.org/b')
    await page.getByRole('button', { name: 'Apply' }).click()
    await address.waitFor({ state: 'detached' })
    t.equal(await send(), '[Words](https://example.org/b)')
  })

  await t.test('a link is removed, and its words stay', async t => {
    await select()
    await tool('Link').click()
    await address.fill('https://example.org')
    await page.keyboard.press('Enter')
    await enterLink()
    await tool('Remove the link').click()
    await toolbar.waitFor({ state: 'detached' })
    t.equal(await send(), 'Words')
  })

  await t.test('axe finds nothing in it', async t => {
    for (const [name, options] of SCREENS) {
      const page = await openSignedIn(options)
      await page.goto(`${url}/issue/${key}`)
      await page.getByRole('textbox', { name: 'Comment', exact: true }).click()
      await page.locator('[contenteditable][aria-label=Comment]').waitFor()
      await page.keyboard.type('Some words')
      await page.keyboard.press('Shift+Home')
      await page.getByRole('toolbar').waitFor()
      await assertAccessibleInSchemes(t, page, `toolbar, ${name}`, `bubble ${name}`)
      await page.getByRole('toolbar').getByRole('button', { name: 'Link', exact: true }).click()
      await page.getByRole('textbox', { name: 'Address' }).waitFor()
      await assertAccessibleInSchemes(t, page, `address, ${name}`, `bubble address ${name}`)
      await page.close()
    }
  })
})
