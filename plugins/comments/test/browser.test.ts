import type { Page } from 'playwright-core'
import t from 'tap'
import { assertAccessibleInSchemes, needsChromium, SCREENS, startBrowser } from '../../../test/runner/chromium.ts'

const plugins = ['workspace', 'agents', 'issues', 'comments', 'passwords', 'events', 'ui']
interface Stored {
  id: string
  key: string
}

const MENU = 'Actions on the comment of'
const menuOf = (page: Page, name = 'Administrator') => page.getByRole('button', { name: `${MENU} ${name}` }).first()
const itemOf = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true })
const focused = (page: Page) => page.locator(':focus')

t.test('the menu of a comment', needsChromium, async t => {
  const { server, url, openSignedIn } = await startBrowser(t, { plugins })
  const { token: second } = await server.agent('Second')
  const { id: issueId, key } = await server.ok<Stored>('/v1/issues', { body: { teamId: 'ENG', title: 'Alpha' } })
  const comment = (bodyMarkdown: string, more: object = {}, token = server.token) =>
    server.ok<Stored>(`/v1/issue_comments?issueId=${issueId}`, { token, body: { bodyMarkdown, ...more } })
  const first = await comment('The first comment')
  await comment('A reply', { parentId: first.id })
  const page = await openSignedIn({ permissions: ['clipboard-read', 'clipboard-write'] })
  const copied = () => page.evaluate<string>('navigator.clipboard.readText()')
  const stored = async () => (await server.ok<{ bodyMarkdown: string }>(`/v1/issue_comments/${first.id}`)).bodyMarkdown

  await t.test('by keys: its link is copied, it is edited, and says so', async t => {
    await page.goto(`${url}/issue/${key}`)
    await menuOf(page).focus()
    await page.keyboard.press('Enter')
    await itemOf(page, 'Edit').and(focused(page)).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.locator('#announcer').getByText('The link is copied').waitFor({ state: 'attached' })
    t.equal(await copied(), `${url}/issue/${key}#comment-${first.id}`)
    await menuOf(page).and(focused(page)).waitFor()
    t.equal(await page.getByText('edited', { exact: true }).count(), 0)
    await page.keyboard.press('Enter')
    await itemOf(page, 'Edit').and(focused(page)).waitFor()
    await page.keyboard.press('Enter')
    const editor = page.locator('[contenteditable][aria-label="Edited comment"]')
    await editor.and(focused(page)).waitFor()
    await page.keyboard.press('Control+End')
    await page.keyboard.type(', edited now')
    await page.keyboard.press('Control+Enter')
    await editor.waitFor({ state: 'detached' })
    await page.getByText('The first comment, edited now').waitFor()
    // Without the plugin that keeps former texts the mark is plain text.
    await page.getByText('edited', { exact: true }).waitFor()
    t.equal(await page.getByRole('button', { name: /show the edits/ }).count(), 0)
    t.equal(await stored(), 'The first comment, edited now')
  })

  await t.test('in the palette: those of the comment that has the focus', async t => {
    const palette = page.getByRole('dialog', { name: 'Search' })
    const actions = palette.getByRole('option', { name: /: comment$/ })
    const open = async (word: string) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Search' }).waitFor()
      await page.keyboard.type(word)
    }
    await page.locator('main').focus()
    await open('comment')
    t.equal(await actions.count(), 0, 'none without a comment')
    await page.keyboard.press('Escape')
    await palette.waitFor({ state: 'detached' })
    await menuOf(page).focus()
    await open('comment')
    t.strictSame(await actions.allTextContents(), ['Edit: comment', 'Copy link: comment', 'Remove: comment'])
    await page.keyboard.press('Escape')
    await menuOf(page).and(focused(page)).waitFor()
    await page.evaluate('navigator.clipboard.writeText("")')
    await open('copy link: comment')
    await page.keyboard.press('Enter')
    while ((await copied()) !== `${url}/issue/${key}#comment-${first.id}`) await page.waitForTimeout(20)
    await menuOf(page).and(focused(page)).waitFor()
    await open('edit: comment')
    await page.keyboard.press('Enter')
    await page.locator('[aria-label="Edited comment"]').and(focused(page)).waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('The first comment, edited now').waitFor()
  })

  await t.test('after Ctrl Enter the focus stays in the field: no key acts on the page', async t => {
    const write = page.locator('[aria-label=Comment]').and(focused(page))
    let answer = (): void => undefined
    const isAnswered = new Promise<void>(resolve => (answer = resolve))
    await page.route('**/v1/issue_comments?*', route => isAnswered.then(() => route.continue()))
    await page.getByRole('textbox', { name: 'Comment', exact: true }).click()
    await write.and(page.locator('[contenteditable=true]')).waitFor()
    await page.keyboard.type('Sent by keys')
    await page.keyboard.press('Control+Enter')
    await write.and(page.locator('[contenteditable=false]')).waitFor()
    await page.keyboard.type('s')
    t.equal(await page.getByRole('dialog').count(), 0, 'the key of the status opened nothing')
    answer()
    await page.getByRole('article').getByText('Sent by keys', { exact: true }).waitFor()
    await write.and(page.locator('[contenteditable=true]')).waitFor()
    await page.keyboard.type('Another')
    t.equal(await write.textContent(), 'Another')
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.unroute('**/v1/issue_comments?*')
  })

  await t.test('by pointer: it is removed with its reply, and restored', async t => {
    await menuOf(page).click()
    await itemOf(page, 'Remove').click()
    await page.getByText('The first comment').waitFor({ state: 'detached' })
    await page.getByText('The comment and its reply are removed').first().waitFor()
    t.equal((await server.call(`/v1/issue_comments/${first.id}`)).statusCode, 404)
    await page.getByRole('button', { name: 'Restore' }).click()
    await page.getByText('The first comment').waitFor()
    await page.getByText('A reply').waitFor()
  })

  await t.test('a refusal is told beside it', async () => {
    await page.route('**/v1/issue_comments/*', route =>
      route.request().method() === 'DELETE'
        ? route.fulfill({ status: 409, json: { message: 'It is held.' } })
        : route.continue()
    )
    await menuOf(page).click()
    await itemOf(page, 'Remove').click()
    await page.getByRole('article').getByRole('alert').getByText('It is held.').waitFor()
    await page.unroute('**/v1/issue_comments/*')
  })

  await t.test('a menu at the end of the window opens upwards', async t => {
    await comment('The last comment', {}, second)
    const last = menuOf(page, 'Second')
    await last.scrollIntoViewIfNeeded()
    await last.click()
    const { y, height } = (await itemOf(page, 'Remove').boundingBox())!
    t.ok(y >= 0 && y + height <= page.viewportSize()!.height, `${y} + ${height}`)
    await page.keyboard.press('Escape')
    await last.and(focused(page)).waitFor()
  })

  await t.test('others may only copy the link', async t => {
    const member = { fullname: 'Grace', email: 'grace@example.org', role: 'MEMBER' }
    const { token } = await server.ok<{ token: string }>('/v1/users', { body: member })
    const other = await openSignedIn()
    const headers = { 'sec-fetch-site': 'same-origin' }
    await other.request.post(`${url}/v1/session/sign_out`, { data: {}, headers })
    const data = { token, password: 'correct horse battery' }
    t.ok((await other.request.post(`${url}/v1/passwords/first`, { data, headers })).ok())
    await other.goto(`${url}/issue/${key}`)
    await menuOf(other).click()
    t.strictSame(await other.getByRole('menuitem').allTextContents(), ['Copy link'])
    await other.close()
  })

  await t.test('axe finds nothing in the open menu', async t => {
    for (const [name, options] of SCREENS) {
      const page = await openSignedIn(options)
      await page.goto(`${url}/issue/${key}`)
      await menuOf(page).click()
      await itemOf(page, 'Copy link').waitFor()
      const { x, width } = (await page.locator('[role=menu]:popover-open').boundingBox())!
      t.ok(x >= 0 && x + width <= page.viewportSize()!.width, `the menu is within the window, ${name}`)
      await assertAccessibleInSchemes(t, page, `the menu, ${name}`, `comment menu ${name}`)
      await page.close()
    }
  })
})

t.test('threads are collapsed, and links lead to comments', needsChromium, async t => {
  const { server, url, openSignedIn } = await startBrowser(t, { plugins })
  const { id: issueId, key } = await server.ok<Stored>('/v1/issues', { body: { teamId: 'ENG', title: 'Alpha' } })
  const comment = (bodyMarkdown: string, more: object = {}) =>
    server.ok<Stored>(`/v1/issue_comments?issueId=${issueId}`, { body: { bodyMarkdown, ...more } })
  const first = await comment('The first thread\n\nwith more text')
  const reply = await comment('A reply to it', { parentId: first.id })
  for (let n = 0; n < 12; n++) await comment(`Between them, ${n}\n\n${'Many words. '.repeat(80)}`)
  const last = await comment('The last thread')
  const page = await openSignedIn()
  const thread = page.getByRole('article').filter({ hasText: 'A reply to it' })
  const toggle = thread.getByRole('button', { name: 'Thread of Administrator' })
  const body = thread.getByText('with more text')
  /** Not waitForFunction, which the page's Content-Security-Policy lets look only once. */
  const isInView = async (page: Page, id: string) => {
    const bounds = `document.getElementById('comment-${id}').getBoundingClientRect()`
    while (!(await page.evaluate(`${bounds}.top >= 0 && ${bounds}.bottom <= innerHeight`))) {
      await page.waitForTimeout(20)
    }
  }

  await t.test('a key collapses a thread to its first line, and what is being written stays', async t => {
    await page.goto(`${url}/issue/${key}`)
    await thread.getByRole('button', { name: 'Reply', exact: true }).click()
    const field = page.locator('[contenteditable][aria-label="Reply"]')
    await field.and(focused(page)).waitFor()
    await page.keyboard.type('Half a thought')
    t.equal(await toggle.getAttribute('aria-expanded'), 'true')
    await toggle.focus()
    await page.keyboard.press('Enter')
    await body.waitFor({ state: 'hidden' })
    t.equal(await toggle.getAttribute('aria-expanded'), 'false')
    await thread.getByText('1 reply').waitFor()
    await thread.getByRole('paragraph').getByText('The first thread', { exact: true }).first().waitFor()
    await toggle.and(focused(page)).waitFor()
    await page.keyboard.press('Enter')
    await body.waitFor()
    await field.getByText('Half a thought').waitFor()
    await toggle.click()
    await body.waitFor({ state: 'hidden' })
  })

  await t.test('a link to a comment of a collapsed thread expands it', async () => {
    await page.evaluate(`location.hash = 'comment-${reply.id}'`)
    await body.waitFor()
    await page.locator(`#comment-${reply.id}`).and(focused(page)).waitFor()
    await isInView(page, reply.id)
    await toggle.click()
    await body.waitFor({ state: 'hidden' })
  })

  await t.test('a page that is opened by a link shows its comment', async t => {
    const other = await openSignedIn()
    await other.goto(`${url}/issue/${key}#comment-${last.id}`)
    await other.locator(`#comment-${last.id}`).and(focused(other)).waitFor()
    await other.getByText('created the issue').waitFor({ state: 'attached' })
    await isInView(other, last.id)
    t.equal(await other.locator('[data-linked]').count(), 1)
    await other.close()
  })

  await t.test('axe finds nothing in a linked comment and a collapsed thread', async t => {
    for (const [name, options] of SCREENS) {
      const page = await openSignedIn(options)
      await page.goto(`${url}/issue/${key}#comment-${reply.id}`)
      await page.locator(`#comment-${reply.id}`).and(focused(page)).waitFor()
      await page.getByRole('article').nth(1).getByRole('button', { name: 'Thread of Administrator' }).click()
      await assertAccessibleInSchemes(t, page, `threads, ${name}`, `threads ${name}`)
      const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
      t.ok(overflow <= 0, `nothing scrolls sideways, ${name}`)
      await page.close()
    }
  })
})
