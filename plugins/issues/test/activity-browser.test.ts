import type { Page } from 'playwright-core'
import t from 'tap'
import { assertAccessibleInSchemes, needsChromium, pick, SCREENS, startBrowser } from '../../../test/runner/chromium.ts'

const plugins = ['workspace', 'agents', 'issues', 'comments', 'passwords', 'events', 'ui']
interface Filed {
  id: string
  key: string
}

const activityOf = (page: Page) => page.getByRole('region', { name: 'Activity' })

t.test('the activity of an issue', needsChromium, async t => {
  const { server, url, openSignedIn } = await startBrowser(t, { plugins })
  const { token } = await server.agent('Second')
  const file = (title: string) => server.ok<Filed>('/v1/issues', { body: { teamId: 'ENG', title } })
  const { key } = await file('Alpha')
  const other = await file('Beta')
  const path = `/v1/issues/${key}`
  const page = await openSignedIn()
  const activity = activityOf(page)
  const item = (text: string) => activity.getByRole('listitem').filter({ hasText: text })

  await t.test('up to three changes of an account are one sentence', async () => {
    await server.ok(path, { body: { title: 'Gamma', labels: ['Bug'] } })
    await server.ok(path, { body: { addBlockedByIds: [other.key] }, token })
    await page.goto(`${url}/issue/${key}`)
    await item('created the issue').waitFor()
    await activity.getByText('added the label Bug').waitFor()
    await activity.getByText('changed the title from Alpha to Gamma').waitFor()
    await item('Second').getByText(`added the relation ${key} is blocked by ${other.key}`).waitFor()
  })

  await t.test('more of them are folded, and come in while the page is open', async t => {
    const changes = { state: 'In Progress', priority: 'high', estimate: 3, dueDate: '2030-12-24' }
    await server.ok(path, { body: changes, token })
    const folded = item('made 5 changes')
    await folded.waitFor()
    const change = folded.getByText('set the due date to 2030-12-24')
    t.equal(await change.isVisible(), false)
    await folded.locator('summary').focus()
    await page.keyboard.press('Enter')
    await change.waitFor()
    await folded.locator('summary').click()
    await change.waitFor({ state: 'hidden' })
  })

  await t.test('folded removals are named as what they are', async () => {
    const { id, key } = await file('Removed and restored')
    await server.ok(`/v1/issues/${id}`, { method: 'DELETE' })
    await server.ok(`/v1/issues/${id}/restore`, { method: 'POST' })
    await server.ok(`/v1/issues/${id}`, { body: { priority: 1, estimate: 3 } })
    await page.goto(`${url}/issue/${key}`)
    await item('made 4 changes: removal, restoration, priority, and estimate').waitFor()
    await page.goBack()
  })

  await t.test('what was undone is not displayed', async () => {
    await server.ok(path, { body: { title: 'Delta' } })
    await activity.getByText('changed the title from Gamma to Delta').waitFor()
    await server.ok(path, { body: { title: 'Gamma' } })
    await activity.getByText('changed the title from Gamma to Delta').waitFor({ state: 'detached' })
  })

  await t.test('without the plugin that keeps former texts, a description only changed', async t => {
    await server.ok(path, { body: { descriptionMarkdown: 'New.' } })
    await activity.getByText('changed the description').waitFor()
    t.equal(await page.getByRole('button', { name: /difference/ }).count(), 0)
  })

  await t.test('axe finds nothing', async t => {
    for (const [name, options] of SCREENS) {
      const page = await openSignedIn(options)
      await page.goto(`${url}/issue/${key}`)
      await activityOf(page).locator('summary').click()
      await assertAccessibleInSchemes(t, page, `the activity, ${name}`, `activity ${name}`)
      const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
      t.ok(overflow <= 0, `nothing scrolls sideways, ${name}`)
      await page.close()
    }
  })
})

t.test('a long activity comes in pages, in either order', needsChromium, async t => {
  const { server, url, openSignedIn } = await startBrowser(t, { plugins })
  const { token } = await server.agent('Second')
  const { id, key } = await server.ok<Filed>('/v1/issues', { body: { teamId: 'ENG', title: 'Title 0' } })
  const comment = (bodyMarkdown: string) => server.ok(`/v1/issue_comments?issueId=${id}`, { body: { bodyMarkdown } })
  await comment('The oldest comment')
  // Accounts take turns: each change is an entry.
  for (let n = 1; n <= 120; n++) {
    const by = n % 2 === 0 ? { token } : {}
    await server.ok(`/v1/issues/${id}`, { body: { title: `Title ${n}` }, ...by })
  }
  await comment('The newest comment')
  const page = await openSignedIn()
  const activity = activityOf(page)
  const earlier = activity.getByRole('button', { name: 'Show earlier changes' })
  const created = activity.getByText('created the issue')
  const lines = async () => (await activity.getByRole('listitem').allTextContents()).map(textOf)

  await t.test('the newest changes are displayed, and a button at the place of the others', async t => {
    await page.goto(`${url}/issue/${key}`)
    await activity.getByText('to Title 120').waitFor()
    await activity.getByText('The oldest comment').waitFor()
    t.strictSame((await lines()).slice(0, 3), ['The oldest comment', 'Show earlier changes', 'Title 71'])
    t.strictSame((await lines()).slice(-2), ['Title 120', 'The newest comment'])
  })

  await t.test('keys alone show the others', async t => {
    await earlier.focus()
    await page.keyboard.press('Enter')
    await activity.getByText('to Title 21').waitFor()
    await earlier.and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Enter')
    await created.waitFor()
    await earlier.waitFor({ state: 'detached' })
    t.equal((await lines()).length, 123)
    t.strictSame((await lines()).slice(0, 3), ['created', 'The oldest comment', 'Title 1'])
  })

  await t.test('a change that is made then stays the newest', async () => {
    await server.ok(`/v1/issues/${id}`, { body: { priority: 1 } })
    await activity.getByRole('listitem').last().getByText('to Urgent').waitFor()
    await created.waitFor()
  })

  await t.test('a key leads to the field for a comment, and a button while it is out of sight', async t => {
    const field = page.getByRole('textbox', { name: 'Comment', exact: true })
    const button = activity.getByRole('button', { name: 'Write a comment' })
    await activity.getByRole('heading').scrollIntoViewIfNeeded()
    await button.click()
    await field.and(page.locator(':focus')).waitFor()
    await button.waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await activity.getByRole('heading').scrollIntoViewIfNeeded()
    await button.waitFor()
    await assertAccessibleInSchemes(t, page, 'the button of the field', 'composer')
    await button.focus()
    await field.scrollIntoViewIfNeeded()
    await button.and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Enter')
    await field.and(page.locator(':focus')).waitFor()
    await button.waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await page.keyboard.press('r')
    await page.locator('[contenteditable][aria-label=Comment]:focus').waitFor()
    t.equal(await field.textContent(), '')
    await page.keyboard.press('Escape')
  })

  await t.test('the newest come first when that is chosen, also after a reload', async t => {
    const composer = activity.getByRole('textbox', { name: 'Comment', exact: true })
    await composer.click()
    await page.locator('[contenteditable][aria-label=Comment]:focus').waitFor()
    await page.keyboard.type('Half a thought')
    await pick(page, 'Order of the activity', 'Newest first')
    await composer.getByText('Half a thought').waitFor()
    t.strictSame((await lines()).slice(1, 3), ['The newest comment', 'Title 120'])
    const top = async (of: typeof composer) => (await of.boundingBox())!.y
    t.ok((await top(composer)) < (await top(activity.getByText('The newest comment'))), 'the text field is beside them')
    await page.reload()
    await composer.getByText('Half a thought').waitFor()
    await activity.getByText('to Urgent').waitFor()
    await activity.getByText('The oldest comment').waitFor()
    t.strictSame((await lines()).slice(-3), ['Title 72', 'Show earlier changes', 'The oldest comment'])
    await earlier.focus()
    await page.keyboard.press('Enter')
    await activity.getByText('to Title 22').waitFor()
    await earlier.and(page.locator(':focus')).waitFor()
    await pick(page, 'Order of the activity', 'Oldest first')
  })

  await t.test('what could not be loaded is said, and can be tried again', async () => {
    await page.reload()
    await activity.getByText('to Urgent').waitFor()
    await page.route('**/activity?cursor=*', route => route.fulfill({ status: 400, json: { message: 'Not now.' } }))
    await earlier.click()
    await activity.getByRole('alert').getByText('Not now.').waitFor()
    await page.unroute('**/activity?cursor=*')
    await earlier.click()
    await activity.getByText('to Title 22').waitFor()
    await activity.getByRole('alert').waitFor({ state: 'detached' })
  })
})

/** The title that an entry has set, or its comment. */
const textOf = (text: string): string =>
  /to (Title \d+)/.exec(text)?.[1] ?? /The \w+ comment|Show earlier changes|created/.exec(text)?.[0] ?? text
