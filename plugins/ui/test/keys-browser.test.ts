import type { CDPSession, Page } from 'playwright-core'
import t from 'tap'
import { choose, needsChromium, startBrowser } from '../../../test/runner/chromium.ts'

const plugins = ['workspace', 'agents', 'issues', 'comments', 'passwords', 'events', 'ui']
interface Issue {
  id: string
  key: string
  title: string
  priority: number
}

t.test('shortcuts go on working after a click on a field that is not for text', needsChromium, async t => {
  const { server, url, openSignedIn } = await startBrowser(t, { plugins })
  const file = (title: string, fields: object = {}) =>
    server.ok<Issue>('/v1/issues', { body: { teamId: 'ENG', title, ...fields } })
  const first = await file('First', { descriptionMarkdown: '- [ ] one\n- [ ] two' })
  const second = await file('Second')
  const page = await openSignedIn()
  const focusedTag = () => page.evaluate<string>('document.activeElement.tagName')

  await t.test('a checkbox of the list', async t => {
    await page.goto(`${url}/issues`)
    const box = page.getByRole('checkbox', { name: `Select ${second.key}` })
    await box.click()
    t.equal(await focusedTag(), 'INPUT')
    await page.keyboard.press('j')
    await page.locator('a:focus').getByText('First').waitFor()
    await page.keyboard.press('x')
    await page.getByText('2 selected', { exact: true }).first().waitFor()
    await box.click()
    await page.keyboard.press('Escape')
    await page.getByRole('group', { name: 'Selected issues' }).waitFor({ state: 'detached' })
  })

  await t.test('the list of shortcuts names them as keyboards do', async () => {
    await page.keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await help.getByText('Del', { exact: true }).waitFor()
    await help.getByText('Esc', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await help.waitFor({ state: 'detached' })
  })

  await t.test('an order', async () => {
    const display = page.getByRole('button', { name: 'Display', exact: true })
    await display.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('combobox', { name: 'Order' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('listbox', { name: 'Order' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(/order=urgency/)
    await page.getByRole('combobox', { name: 'Order' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Escape')
    await display.and(page.locator(':focus')).waitFor()
    await page.keyboard.press('c')
    await page.getByRole('dialog', { name: 'New issue' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'New issue' }).waitFor({ state: 'detached' })
    await display.focus()
    await page.keyboard.press('g')
    await page.keyboard.press('b')
    await page.getByRole('heading', { name: 'Engineering' }).waitFor()
  })

  await t.test('a property of an issue, with Ctrl Z and Escape', async t => {
    const answered = () =>
      page.waitForResponse(answer => answer.url().endsWith(`/v1/issues/${first.id}`) && answer.ok())
    const read = () => server.ok<Issue>(`/v1/issues/${first.key}`)
    await page.getByRole('link', { name: first.key }).click()
    const priority = page.getByRole('combobox', { name: 'Priority' })
    await priority.focus()
    let saved = answered()
    await page.keyboard.press('Enter')
    await choose(page, 'Priority', 'Urgent')
    await saved
    await page.getByRole('region', { name: 'Last change' }).waitFor()
    await priority.and(page.locator(':focus')).waitFor()
    saved = answered()
    await page.keyboard.press('Control+z')
    await saved
    t.equal((await read()).priority, 0)
    await page.getByRole('checkbox', { name: 'one' }).click()
    await page.keyboard.press('Escape')
    await page.waitForURL(/\/board/)
  })

  await t.test('but not while a dialog is open, wherever the focus is', async t => {
    await page.goto(`${url}/issue/${first.key}`)
    await page.getByRole('heading', { name: 'First', level: 1 }).waitFor()
    await page.keyboard.press('c')
    const dialog = page.getByRole('dialog', { name: 'New issue' })
    await dialog.waitFor()
    await page.evaluate('document.activeElement.blur()')
    t.equal(await focusedTag(), 'BODY')
    await page.keyboard.press('g')
    await page.keyboard.press('b')
    await page.keyboard.press('?')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    t.equal(page.url(), `${url}/issue/${first.key}`)
    t.equal(await page.getByRole('dialog').count(), 0, 'the list of keys is not displayed')
  })

  await t.test('but not in a text field', async t => {
    await page.goto(`${url}/issue/${first.key}`)
    await page.getByRole('textbox', { name: 'Comment' }).click()
    await page.keyboard.type('gbcx?')
    t.match(page.url(), /\/issue\//)
    t.equal(await page.getByRole('dialog').count(), 0)
    const title = page.getByLabel('Title', { exact: true })
    await title.click()
    await page.keyboard.press('End')
    await page.keyboard.type(' more')
    await page.keyboard.press('Control+z')
    t.not(await title.inputValue(), 'First more')
    await page.keyboard.press('Escape')
  })
})

/** Presses a key of an input method: with the key's own code while it composes, and with 229 afterwards. */
const pressComposing = (cdp: CDPSession, key: string, windowsVirtualKeyCode: number, modifiers = 0) =>
  cdp.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key, code: key, windowsVirtualKeyCode, modifiers })
const ENTER = 13
const ESCAPE = 27
const OF_INPUT_METHOD = 229
const CONTROL = 2

t.test('keys of an input method do nothing else', needsChromium, async t => {
  const { server, url, openSignedIn } = await startBrowser(t, { plugins })
  const { key, id } = await server.ok<Issue>('/v1/issues', { body: { teamId: 'ENG', title: 'Title' } })
  const page = await openSignedIn()
  const cdp = await page.context().newCDPSession(page)
  const sent: string[] = []
  page.on('request', request => {
    if (request.method() !== 'GET') sent.push(new URL(request.url()).pathname)
  })
  const compose = (text: string) =>
    cdp.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length })
  /** Composes in the focused field, and presses Enter both ways: while it composes, and like Safari after it. */
  async function composeAndEnter(page: Page, modifiers = 0): Promise<void> {
    await compose('にほん')
    await pressComposing(cdp, 'Enter', ENTER, modifiers)
    await cdp.send('Input.insertText', { text: '日本' })
    await pressComposing(cdp, 'Enter', OF_INPUT_METHOD, modifiers)
    await page.waitForTimeout(150)
  }

  await page.goto(`${url}/issue/${key}`)
  const title = page.getByLabel('Title', { exact: true })
  await title.click()
  await page.keyboard.press('End')
  await composeAndEnter(page)
  t.equal(await title.inputValue(), 'Title日本')
  t.equal(await page.evaluate<string>('document.activeElement.ariaLabel'), 'Title', 'a title is still written')
  await compose('ほ')
  await pressComposing(cdp, 'Escape', ESCAPE)
  t.equal(await page.evaluate<string>('document.activeElement.ariaLabel'), 'Title', 'Escape ends the composition only')
  await compose('')
  t.strictSame(sent, [])
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Title日本', level: 1 }).waitFor()
  sent.length = 0

  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search' }).waitFor()
  await composeAndEnter(page)
  t.ok(await page.getByRole('combobox', { name: 'Search' }).isVisible(), 'the palette stays open')
  await page.keyboard.press('Escape')

  for (const mode of ['Edit', 'Markdown']) {
    await page.getByRole('button', { name: `${mode}: Comment` }).click()
    const comment = page.getByRole('textbox', { name: 'Comment' })
    await comment.click()
    // Text that is typed before the editor is loaded stays in a plain field.
    await page.locator(mode === 'Edit' ? '[contenteditable][aria-label=Comment]:focus' : 'textarea:focus').waitFor()
    await page.keyboard.type('a')
    await composeAndEnter(page, CONTROL)
    t.match((await comment.textContent()) || (await comment.inputValue()), /日本/)
    t.strictSame(sent, [], `nothing is sent, ${mode}`)
  }
  await page.locator('main').focus()
  await page.keyboard.press('m')
  const source = page.getByLabel('Description, in Markdown')
  await source.click()
  await composeAndEnter(page, CONTROL)
  await compose('ほ')
  await pressComposing(cdp, 'Escape', ESCAPE)
  t.ok(await source.isVisible(), 'a text in Markdown stays open')
  t.strictSame(sent, [], 'nothing is sent')
  await compose('')
  await page.getByRole('region', { name: 'Description' }).getByRole('button', { name: 'Discard' }).click()

  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const editor = page.locator('[contenteditable][aria-label=Description]')
  await editor.and(page.locator(':focus')).waitFor()
  await compose('にほん')
  await pressComposing(cdp, 'Enter', ENTER)
  await cdp.send('Input.insertText', { text: '日本' })
  t.equal(await editor.locator('p').count(), 1, 'the editor begins no paragraph')
  const saved = page.waitForResponse(answer => answer.url().endsWith(`/v1/issues/${id}`))
  await page.keyboard.press('Control+Enter')
  await saved
  t.equal((await server.ok<{ descriptionMarkdown: string }>(`/v1/issues/${id}`)).descriptionMarkdown, '日本')

  await page.goto(`${url}/settings/people`)
  await page.getByRole('heading', { name: 'People' }).waitFor()
  sent.length = 0
  await page.keyboard.press('c')
  await page.getByLabel('Title', { exact: true }).click()
  await composeAndEnter(page, CONTROL)
  await composeAndEnter(page)
  const description = page.locator('[contenteditable][aria-label=Description]')
  await page.getByRole('button', { name: 'Edit: Description' }).click()
  await page.getByRole('textbox', { name: 'Description' }).click()
  await description.and(page.locator(':focus')).waitFor()
  await page.keyboard.type('a')
  await composeAndEnter(page, CONTROL)
  t.match(await description.textContent(), /日本/)
  t.ok(await page.getByRole('dialog', { name: 'New issue' }).isVisible(), 'a new issue is not filed')
  t.strictSame(sent, [])
})
