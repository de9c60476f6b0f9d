import type { Page } from 'playwright-core'
import t from 'tap'
import { assertAccessibleInSchemes, needsChromium, pick, startBrowser } from '../../../test/runner/chromium.ts'

const plugins = ['workspace', 'agents', 'issues', 'claims', 'projects', 'passwords', 'events', 'ui']
const description = 'It loses zones.\n\nIt began in May.\n\n- [ ] dates keep their zone\n- [ ] a test shows it'

interface Issue {
  id: string
  key: string
  title: string
  descriptionMarkdown: string
  stateId: string
}

t.test('what an agent writes while a page is open is not overwritten', needsChromium, async t => {
  const { server, url, openSignedIn } = await startBrowser(t, { plugins })
  const { token } = await server.agent('Builder')
  const file = (title: string) =>
    server.ok<Issue>('/v1/issues', { body: { teamId: 'ENG', title, descriptionMarkdown: description } })
  const read = (key: string) => server.ok<Issue>(`/v1/issues/${key}`)
  const page = await openSignedIn()

  await t.test('a title that is being written is not saved over a new one, unless the writer says so', async t => {
    const { key } = await file('Zones')
    await page.goto(`${url}/issue/${key}`)
    const title = page.getByRole('textbox', { name: 'Title', exact: true })
    await title.fill('Mine')
    await server.ok(`/v1/issues/${key}`, { token, body: { title: 'By the agent' } })
    await page.getByRole('heading', { level: 1, name: 'By the agent' }).waitFor({ state: 'attached' })
    await title.press('Enter')
    const conflict = page.getByRole('alert')
    await conflict.getByText('By the agent').waitFor()
    t.equal((await read(key)).title, 'By the agent')
    t.equal(await title.inputValue(), 'Mine', 'what was written is not lost, either')
    await title.fill('Mine all the same')
    await title.press('Enter')
    t.equal((await read(key)).title, 'By the agent', 'leaving the field does not choose')
    await assertAccessibleInSchemes(t, page, 'the conflict of two titles', 'title-conflict')
    await conflict.getByRole('button', { name: 'Keep mine' }).click()
    await page.getByRole('heading', { level: 1, name: 'Mine all the same' }).waitFor({ state: 'attached' })
    await conflict.waitFor({ state: 'detached' })

    await title.fill('Mine once more')
    await server.ok(`/v1/issues/${key}`, { token, body: { title: 'Another by the agent' } })
    await page.getByRole('heading', { level: 1, name: 'Another by the agent' }).waitFor({ state: 'attached' })
    await title.press('Enter')
    await conflict.getByRole('button', { name: 'Take theirs' }).focus()
    await page.keyboard.press('Enter')
    await conflict.waitFor({ state: 'detached' })
    t.equal(await title.inputValue(), 'Another by the agent')
    t.equal((await read(key)).title, 'Another by the agent')
  })

  await t.test('a text is saved beside a tick and another paragraph of the agent', async t => {
    const { key } = await file('Texts')
    await page.goto(`${url}/issue/${key}`)
    await page.getByRole('button', { name: 'Markdown', exact: true }).click()
    const source = page.getByRole('textbox', { name: 'Description, in Markdown' })
    await source.fill(description.replace('loses zones', 'loses the zones of dates'))
    await server.ok(`/v1/issues/${key}/criteria`, { token, body: { met: [2] } })
    await server.ok(`/v1/issues/${key}`, {
      token,
      body: { descriptionMarkdown: (await read(key)).descriptionMarkdown.replace('in May', 'in June') }
    })
    await page.getByRole('button', { name: 'Save' }).click()
    await source.waitFor({ state: 'detached' })
    t.equal(
      (await read(key)).descriptionMarkdown,
      'It loses the zones of dates.\n\nIt began in June.\n\n- [ ] dates keep their zone\n- [x] a test shows it'
    )
  })

  await t.test('a status that a stale board shows is not set over a new one', async t => {
    const { key, id } = await file('Stale')
    await page.goto(`${url}/issue/${key}`)
    await page.getByRole('combobox', { name: 'Status' }).waitFor()
    // The page is not notified of further changes.
    await page.route(`**/v1/issues/${key}*`, route => route.abort())
    await server.ok(`/v1/issues/${id}`, { token, body: { state: 'In Review' } })
    await pick(page, 'Status', 'Backlog')
    await page.getByRole('alert').getByText('from "Todo" to "In Review"').waitFor()
    t.match(await server.ok(`/v1/issues/${id}/context`), { state: { name: 'In Review' } })
    await page.unroute(`**/v1/issues/${key}*`)
  })

  await t.test('what an agent works on is taken from it only if the person says so', async t => {
    const { key, id } = await file('Claimed')
    await server.ok(`/v1/issues/${key}/pick_up`, { token, body: {} })
    await page.goto(`${url}/issue/${key}`)
    const requests: string[] = []
    let answer = false
    page.on('dialog', async dialog => {
      requests.push(dialog.message())
      if (answer) await dialog.accept()
      else await dialog.dismiss()
    })
    await pick(page, 'Assignee', 'Administrator')
    await page.getByRole('alert').getByText(`${key} is held by Builder`).waitFor()
    t.match(await server.ok(`/v1/issues/${id}/context`), { assignee: { fullname: 'Builder' } })
    answer = true
    await pick(page, 'Assignee', 'Administrator')
    await page.getByText('assigned it to Administrator').or(page.getByText('to Administrator')).first().waitFor()
    t.strictSame(
      requests,
      Array.from({ length: 2 }, () => 'Builder works on this. Take it away from them?')
    )
    t.match(await server.ok(`/v1/issues/${id}/context`), { claim: { holder: { fullname: 'Administrator' } } })
  })
})

t.test('what is changed before a page has the stream of events is displayed', needsChromium, async t => {
  const { server, url, openSignedIn } = await startBrowser(t, { plugins })
  const { key } = await server.ok<Issue>('/v1/issues', { body: { teamId: 'ENG', title: 'Before' } })
  const change = (title: string) => server.ok(`/v1/issues/${key}`, { body: { title } })
  /** Opens the issue without its stream. @returns its title, and a function that lets the stream be opened */
  async function openWithoutStream(page: Page, title: string) {
    const changed = Promise.withResolvers<void>()
    await page.route('**/v1/events*', async route => {
      await changed.promise
      await route.continue()
    })
    await page.goto(`${url}/issue/${key}`)
    const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
    await heading(title)
    return { heading, openStream: changed.resolve }
  }
  const first = await openSignedIn()
  const { heading, openStream } = await openWithoutStream(first, 'Before')
  await change('Before the stream')
  openStream()
  await heading('Before the stream')

  await t.test('and by the tab that takes over from another one', async () => {
    const second = await first.context().newPage()
    const { heading, openStream } = await openWithoutStream(second, 'Before the stream')
    const asksForStream = second.waitForRequest(request => request.url().includes('/v1/events'))
    await first.close()
    await asksForStream
    await change('Between two streams')
    openStream()
    await heading('Between two streams')
  })
})
