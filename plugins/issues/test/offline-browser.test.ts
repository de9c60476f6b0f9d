import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import t from 'tap'
import {
  assertAccessibleInSchemes,
  choose,
  needsChromium,
  PASSWORD,
  pick,
  startBrowser,
  tooWide
} from '../../../test/runner/chromium.ts'
import type { TestServer } from '../../../test/runner/harness.ts'

const plugins = ['workspace', 'agents', 'issues', 'claims', 'comments', 'projects', 'passwords', 'events', 'ui']
interface Issue {
  id: string
  key: string
  title: string
  priority: number
}
interface Comment {
  bodyMarkdown: string
}
const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' }

const bar = (page: Page) => page.getByRole('status')
const kept = (page: Page) => page.getByRole('list', { name: 'Changes that are not sent' })
const stored = (page: Page) =>
  page.evaluate<string[]>("Object.keys(localStorage).filter(key => key.startsWith('tracker.kept.'))")

/** Refuses connections, until the function that is returned is called. */
async function stopServer({ app }: TestServer): Promise<() => Promise<void>> {
  const { port } = app.server.address() as AddressInfo
  const closed = once(app.server, 'close')
  app.server.close()
  app.server.closeAllConnections()
  await closed
  return async () => {
    app.server.listen(port, '127.0.0.1')
    await once(app.server, 'listening')
  }
}

t.test('without a connection, changes are kept, and sent when it is back', needsChromium, async t => {
  const { server, url, openSignedIn } = await startBrowser(t, { plugins })
  const { token } = await server.agent('Builder')
  const file = (title: string) => server.ok<Issue>('/v1/issues', { body: { teamId: 'ENG', title } })
  const contextOf = (key: string) =>
    server.ok<Record<string, unknown> & { history: Array<{ change: string }> }>(`/v1/issues/${key}/context`)
  const commentsOf = async ({ id }: Issue) => {
    const all = await server.ok<Comment[]>(`/v1/issue_comments?issueId=${id}`)
    return all.map(({ bodyMarkdown }) => bodyMarkdown)
  }
  await server.ok('/v1/labels', { body: { name: 'slow' } })
  const project = await server.ok<{ id: string }>('/v1/projects', { body: { name: 'Launch' } })
  const page = await openSignedIn()
  const network = page.context()
  const comment = async (text: string, on = page) => {
    await on.getByRole('textbox', { name: 'Comment', exact: true }).click()
    await on.keyboard.type(text)
    await on.keyboard.press('Control+Enter')
  }

  await t.test('on an issue: every property, the title and comments, in their order', async t => {
    const issue = await file('Zones')
    const projects = page.waitForResponse(answer => answer.url().includes('/v1/projects'))
    await page.goto(`${url}/issue/${issue.key}`)
    await page.getByRole('combobox', { name: 'Status' }).waitFor()
    await (await projects).finished()
    await network.setOffline(true)
    await bar(page).getByText('Offline: comments and changes of properties are kept until you are online.').waitFor()
    await pick(page, 'Status', 'In Progress')
    await bar(page).getByText('Offline: 1 change will be sent when you are online.').waitFor()
    await pick(page, 'Status', 'In Review')
    // By keys.
    await page.keyboard.press('p')
    await choose(page, 'Priority', 'High')
    await page.keyboard.press('l')
    await choose(page, 'Labels', 'slow')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Shift+P')
    await choose(page, 'Project', 'Launch')
    const title = page.getByRole('textbox', { name: 'Title', exact: true })
    await title.fill('Zones of dates')
    await title.press('Enter')
    await comment('Written on a train')
    await bar(page).getByText('Offline: 7 changes will be sent when you are online.').waitFor()
    await page.getByRole('heading', { level: 1, name: 'Zones of dates' }).waitFor({ state: 'attached' })
    await page.getByRole('combobox', { name: 'Status' }).getByText('In Review').waitFor()
    await kept(page).getByText('Written on a train').waitFor()
    t.strictSame(await commentsOf(issue), [])
    t.match(await contextOf(issue.key), { title: 'Zones', state: { name: 'Todo' } })
    await bar(page).locator('..').getByRole('button', { name: 'Show' }).click()
    const dialog = page.getByRole('dialog', { name: 'Changes that are not sent' })
    await dialog.getByRole('link', { name: `Priority of ${issue.key}` }).waitFor()
    await assertAccessibleInSchemes(t, page, 'the kept changes', 'offline-dialog')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await assertAccessibleInSchemes(t, page, 'an issue without a connection', 'offline-issue')

    await network.setOffline(false)
    await bar(page).getByText('Online again').waitFor()
    await kept(page).first().waitFor({ state: 'detached' })
    t.match(await contextOf(issue.key), {
      title: 'Zones of dates',
      state: { name: 'In Review' },
      priority: 2,
      labels: [{ name: 'slow' }],
      project: { id: project.id }
    })
    t.strictSame(await commentsOf(issue), ['Written on a train'])
    await page.getByText('Written on a train').waitFor()
    t.strictSame(await stored(page), [])
  })

  await t.test('they survive the end of the page, and of the server', async t => {
    const issue = await file('Two')
    await page.goto(`${url}/issue/${issue.key}`)
    await page.getByRole('textbox', { name: 'Comment', exact: true }).waitFor()
    const start = await stopServer(server)
    await comment('Written while it was down')
    await kept(page).getByText('Written while it was down').waitFor()
    await pick(page, 'Priority', 'Urgent')
    await bar(page).getByText('Offline: 2 changes will be sent when you are online.').waitFor()
    await page.goto('about:blank')
    await start()
    await page.goto(`${url}/board`)
    await page.getByRole('link', { name: issue.key }).waitFor()
    while ((await stored(page)).length > 0) await page.waitForTimeout(50)
    t.match(await contextOf(issue.key), { priority: 1 })
    t.strictSame(await commentsOf(issue), ['Written while it was down'])
  })

  await t.test('a comment whose answer was lost is not written twice', async t => {
    const issue = await file('Once')
    await page.goto(`${url}/issue/${issue.key}`)
    await page.route('**/v1/issue_comments*', async route => {
      if (route.request().method() === 'GET') return route.continue()
      await route.fetch()
      await route.abort()
      await page.unroute('**/v1/issue_comments*')
    })
    await comment('Sent once')
    await kept(page).getByText('Sent once').waitFor()
    await kept(page).waitFor({ state: 'detached' })
    t.strictSame(await commentsOf(issue), ['Sent once'])
  })

  await t.test('what others have changed meanwhile is not overwritten, unless the writer says so', async t => {
    const issue = await file('Conflicts')
    await page.goto(`${url}/issue/${issue.key}`)
    await page.getByRole('combobox', { name: 'Status' }).waitFor()
    await network.setOffline(true)
    await pick(page, 'Status', 'In Progress')
    await pick(page, 'Priority', 'Low')
    await bar(page).getByText('Offline: 2 changes will be sent when you are online.').waitFor()
    for (const body of [{ state: 'Backlog' }, { priority: 1 }]) {
      await server.ok(`/v1/issues/${issue.id}`, { token, body })
    }
    await network.setOffline(false)
    await bar(page).getByText('2 changes were not made.').waitFor()
    const line = (name: string) =>
      kept(page)
        .getByRole('listitem')
        .filter({ hasText: `${name} of ${issue.key}` })
    await line('Status').getByRole('alert').getByText('from "Todo" to "Backlog"').waitFor()
    await page.getByRole('combobox', { name: 'Status' }).getByText('Backlog').waitFor()
    await assertAccessibleInSchemes(t, page, 'conflicts of kept changes', 'offline-conflict')
    await line('Status').getByRole('button', { name: 'Keep mine' }).click()
    await line('Status').waitFor({ state: 'detached' })
    await line('Priority').getByRole('button', { name: 'Take theirs' }).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await kept(page).waitFor({ state: 'detached' })
    t.match(await contextOf(issue.key), { state: { name: 'In Progress' }, priority: 1 })
  })

  await t.test('in a list: several issues at once, each as what it is', async t => {
    const [one, other] = [await file('Uno'), await file('Otra')]
    await page.goto(`${url}/issues`)
    const row = (issue: Issue) => page.locator(`[data-row="${issue.id}"]`)
    const line = (issue: Issue) => page.getByRole('listitem').filter({ has: row(issue) })
    await row(one).focus()
    await page.keyboard.press('x')
    await row(other).focus()
    await page.keyboard.press('x')
    await page.getByRole('group', { name: 'Selected issues' }).getByText('2 selected').waitFor()
    await network.setOffline(true)
    await bar(page).getByText('Offline').waitFor()
    await page.keyboard.press('p')
    await choose(page, 'Priority', 'High')
    await bar(page).getByText('Offline: 2 changes will be sent when you are online.').waitFor()
    await line(other).getByLabel('Not sent yet').waitFor()
    await page.keyboard.press('Control+z')
    await bar(page).getByText('Offline: 4 changes will be sent when you are online.').waitFor()
    await page.keyboard.press('p')
    await choose(page, 'Priority', 'Urgent')
    await bar(page).getByText('Offline: 6 changes').waitFor()
    await server.ok(`/v1/issues/${other.id}`, { token, body: { priority: 4 } })
    await assertAccessibleInSchemes(t, page, 'a list without a connection', 'offline-list')
    await network.setOffline(false)
    await bar(page).getByText('were not made').waitFor()
    t.match(await contextOf(one.key), { priority: 1 })
    t.match(await contextOf(other.key), { priority: 4 })
    await bar(page).locator('..').getByRole('button', { name: 'Show' }).click()
    for (let left = (await stored(page)).length; left > 0; left--) {
      await page
        .getByRole('button', { name: `Take theirs: Priority of ${other.key}` })
        .first()
        .click()
      await page.getByRole('button', { name: 'Take theirs', exact: true }).click()
    }
    await page.getByText('None: the server has all of them.').waitFor()
  })

  await t.test('everything else is refused, and what was written stays', async t => {
    const issue = await file('Refused')
    await page.goto(`${url}/issue/${issue.key}`)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.locator('[contenteditable][aria-label=Description]').waitFor()
    await network.setOffline(true)
    await page.keyboard.type('Offline text')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('alert').getByText('The server cannot be reached').waitFor()
    await page.getByText('What you wrote stays here, as a draft.').waitFor()
    await network.setOffline(false)
    await bar(page).getByText('Online again').waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('button', { name: 'Edit', exact: true }).waitFor()
    t.match(await server.ok(`/v1/issues/${issue.id}`), { descriptionMarkdown: 'Offline text' })
  })

  await t.test('nobody else sends them', async t => {
    const issue = await file('Mine')
    await page.goto(`${url}/issue/${issue.key}`)
    await page.getByRole('textbox', { name: 'Comment', exact: true }).waitFor()
    const start = await stopServer(server)
    await comment('Only by me')
    await kept(page).getByText('Only by me').waitFor()
    await page.goto('about:blank')
    await start()
    const sign = (path: string, data: object) => page.request.post(url + path, { data, headers: SAME_ORIGIN })
    const invited = await server.ok<{ token: string }>('/v1/users', {
      body: { fullname: 'Somebody Else', email: 'else@example.org', role: 'MEMBER' }
    })
    await sign('/v1/session/sign_out', {})
    t.ok((await sign('/v1/passwords/first', { token: invited.token, password: PASSWORD })).ok())
    await page.goto(`${url}/issue/${issue.key}`)
    await page.getByRole('textbox', { name: 'Comment', exact: true }).waitFor()
    t.equal(await kept(page).count(), 0)
    await comment('By somebody else')
    await page.getByRole('article', { name: 'Comment of Somebody Else' }).waitFor()
    t.strictSame(await commentsOf(issue), ['By somebody else'])
    t.equal((await stored(page)).length, 1)
    await sign('/v1/session/sign_out', {})
    t.ok((await sign('/v1/passwords/sign_in', { email: 'admin@localhost', password: PASSWORD })).ok())
    await page.goto(`${url}/issue/${issue.key}`)
    await page.getByRole('article', { name: 'Comment of Administrator' }).getByText('Only by me').waitFor()
    t.strictSame(await commentsOf(issue), ['By somebody else', 'Only by me'])
    t.strictSame(await stored(page), [])
  })

  await t.test('on a phone of 320 pixels', async t => {
    const issue = await file('Small')
    const phone = await openSignedIn({ viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true })
    await phone.goto(`${url}/issue/${issue.key}`)
    await phone.getByRole('combobox', { name: 'Priority' }).waitFor()
    await phone.context().setOffline(true)
    await phone.getByRole('combobox', { name: 'Priority' }).tap()
    await phone.getByRole('listbox', { name: 'Priority' }).getByText('High').tap()
    await bar(phone).getByText('Offline: 1 change will be sent when you are online.').waitFor()
    await assertAccessibleInSchemes(t, phone, 'a phone without a connection', 'offline-phone')
    t.strictSame(await tooWide(phone), [])
    await bar(phone).locator('..').getByRole('button', { name: 'Show' }).tap()
    const dialog = phone.getByRole('dialog', { name: 'Changes that are not sent' })
    await assertAccessibleInSchemes(t, phone, 'kept changes on a phone', 'offline-phone-dialog')
    t.strictSame(await tooWide(phone), [])
    await dialog.getByRole('button', { name: `Discard: Priority of ${issue.key}` }).tap()
    await dialog.getByRole('button', { name: 'Discard', exact: true }).tap()
    await dialog.getByText('None: the server has all of them.').waitFor()
    await phone.context().setOffline(false)
    await bar(phone).getByText('Online again').waitFor()
    t.match(await contextOf(issue.key), { priority: 0 })
  })
})
