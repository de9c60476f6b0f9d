import type { Route } from 'playwright-core'
import t from 'tap'
import {
  assertAccessible,
  assertAccessibleInSchemes,
  needsChromium,
  pick,
  SCREENS,
  startBrowser
} from '../../../test/runner/chromium.ts'
import type { TestServer } from '../../../test/runner/harness.ts'

const plugins = ['workspace', 'agents', 'issues', 'claims', 'proof', 'comments', 'search', 'passwords', 'events', 'ui']
const shots = process.env['UI_SCREENSHOTS']
interface Issue {
  id: string
  key: string
  stateId: string
  descriptionMarkdown: string
  rev: number
  priority: number
}
const file = (server: TestServer, title: string, fields: object = {}) =>
  server.ok<Issue>('/v1/issues', { body: { teamId: 'ENG', title, ...fields } })
const read = (server: TestServer, key: string) => server.ok<Issue>(`/v1/issues/${key}`)
const stateNamed = async (server: TestServer, name: string) => {
  const states = await server.ok<Array<{ id: string; name: string }>>('/v1/ENG/workflows')
  return states.find(state => state.name === name)!.id
}

const DESCRIPTION = `Due dates in the CSV are one day early for readers west of UTC.

## What is right

*  [x] a failing test with \`TZ=America/Los_Angeles\`
*  [ ] the writer takes the day as text

| Written | Read |
|:--|--|
| 2026-03-01 | **2026-02-28** |

<script>document.title = 'raw HTML ran'</script>

![a chart](https://images.example/chart.png)
`

t.test('an issue is filed and moved by keys alone, and by dragging', needsChromium, async t => {
  const { server, url, openSignedIn } = await startBrowser(t, { plugins })
  const existing = await file(server, 'Export loses the time zone', { stateId: await stateNamed(server, 'Todo') })
  // It is found as similar.
  await server.idle()
  const page = await openSignedIn()
  await page.goto(`${url}/board`)
  const card = (name: string) => page.getByRole('link', { name })
  await card(existing.key).waitFor()

  await page.keyboard.press('c')
  await page.getByLabel('Title').fill('Export loses')
  await page.getByRole('region', { name: 'Similar issues' }).getByText(existing.key).waitFor()
  await page.getByLabel('Title').fill('Timestamps are shown in UTC')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Timestamps are shown in UTC' }).waitFor()
  await page.keyboard.press('Escape')
  await card(existing.key).waitFor()

  const column = (name: string) => page.getByRole('region', { name, exact: true })
  await card(existing.key).focus()
  const moved = page.waitForResponse(answer => answer.url().endsWith(`/v1/issues/${existing.id}`))
  await page.keyboard.press('Shift+ArrowRight')
  await column('In Progress').getByRole('link', { name: existing.key }).waitFor()
  await moved
  t.equal((await read(server, existing.key)).stateId, await stateNamed(server, 'In Progress'))

  const dropped = page.waitForResponse(answer => answer.url().endsWith(`/v1/issues/${existing.id}`))
  await card(existing.key).dragTo(column('Todo'))
  await column('Todo').getByRole('link', { name: existing.key }).waitFor()
  await dropped
  t.equal((await read(server, existing.key)).stateId, await stateNamed(server, 'Todo'))
})

t.test('what one browser changes, another shows; and a lost connection comes back', needsChromium, async t => {
  const { server, url, openSignedIn } = await startBrowser(t, { plugins })
  const page = await openSignedIn()
  await page.goto(`${url}/board`)
  await page.getByRole('region', { name: 'Todo', exact: true }).waitFor()
  const first = await file(server, 'Filed by an agent')
  await page.getByRole('link', { name: first.key }).waitFor()

  await page.route('**/v1/events*', route => route.abort())
  server.app.server.closeAllConnections()
  await page.getByText('Reconnecting…').waitFor()
  const second = await file(server, 'Filed meanwhile')
  await page.unroute('**/v1/events*')
  await page.getByRole('link', { name: second.key }).waitFor()
  await page.getByText('Reconnecting…').waitFor({ state: 'detached' })
  t.pass('both are there')
})

t.test('a draft stays, whatever others write meanwhile', needsChromium, async t => {
  const { server, url, openSignedIn } = await startBrowser(t, { plugins })
  const { key, id } = await file(server, 'Two write at once', { descriptionMarkdown: 'Mine' })
  const change = (fields: object) => server.ok(`/v1/issues/${id}`, { body: fields })
  const page = await openSignedIn()
  const answered = () => page.waitForResponse(answer => answer.url().endsWith(`/v1/issues/${id}`))
  await page.goto(`${url}/issue/${key}`)
  const title = page.getByLabel('Title', { exact: true })
  const heading = (name: string) => page.getByRole('heading', { name, level: 1 })

  await title.fill('Half a title')
  await change({ title: 'Theirs' })
  await heading('Theirs').waitFor()
  t.equal(await title.inputValue(), 'Half a title', 'a title that another browser changes meanwhile')
  await title.press('Enter')
  await page.getByRole('alert').getByText('Theirs', { exact: true }).waitFor()
  t.match(await read(server, key), { title: 'Theirs' }, 'it is not saved over the other one before that was shown')
  await page.getByRole('button', { name: 'Keep mine' }).click()
  await heading('Half a title').waitFor()
  await change({ title: 'Theirs again' })
  await heading('Theirs again').waitFor()
  t.equal(await title.inputValue(), 'Theirs again', 'once it is saved, others are shown')

  await page.getByRole('button', { name: 'Markdown', exact: true }).click()
  const source = page.getByLabel('Description, in Markdown')
  await source.fill('Written as Markdown')
  const saved = answered()
  await page.getByRole('button', { name: 'Save' }).click()
  await saved
  await change({ descriptionMarkdown: 'Written by somebody else' })
  await page.getByText('Written by somebody else').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('region', { name: 'Not done' }).getByText('was changed since revision').waitFor()
  t.equal((await read(server, key)).descriptionMarkdown, 'Written by somebody else', 'a text of somebody else')

  const path = `**/v1/issues/${id}`
  await page.route(path, route => route.fulfill({ status: 502, contentType: 'text/html', body: '<html>Bad</html>' }))
  await pick(page, 'Priority', 'Urgent')
  await page.getByRole('status').getByText('Sending 1 change…').waitFor()
  await page.unroute(path)
  await page.getByRole('status').getByText('Online again').waitFor()
  t.equal((await read(server, key)).priority, 1, 'what a proxy has answered for the server is sent again')
  await page.evaluate("window.dispatchEvent(new Event('offline'))")
  const sent = answered()
  await pick(page, 'Priority', 'High')
  t.equal((await sent).status(), 200, 'a machine without the internet reaches a server of its own')
})

t.test('a box that is ticked changes one character, and texts are never markup', needsChromium, async t => {
  const { server, url, openSignedIn } = await startBrowser(t, { plugins })
  const { key, id } = await file(server, 'Due dates lose their time zone', { descriptionMarkdown: DESCRIPTION })
  const page = await openSignedIn()
  const foreign: string[] = []
  page.on('request', request => {
    if (!request.url().startsWith(url)) foreign.push(request.url())
  })
  await page.goto(`${url}/issue/${key}`)
  const ticked = page.waitForResponse(answer => answer.url().includes(`/v1/issues/${id}/criteria`))
  await page.getByRole('checkbox', { name: 'the writer takes the day as text' }).check()
  await ticked
  t.equal((await read(server, key)).descriptionMarkdown, DESCRIPTION.replace('*  [ ] the writer', '*  [x] the writer'))
  t.match(await page.title(), key)
  t.strictSame(foreign, [], 'nothing is loaded from elsewhere')
  const imageRequest = page.waitForRequest('https://images.example/chart.png')
  await page.getByRole('button', { name: /Show the image “a chart” from images\.example/ }).click()
  t.ok(await imageRequest, 'until somebody asks for it')
})

t.test(
  'an issue shows who works on it, until it is taken over, and the evidence of its criteria',
  needsChromium,
  async t => {
    const { server, url, openSignedIn } = await startBrowser(t, { plugins })
    const { key, id } = await file(server, 'Held', { descriptionMarkdown: 'It breaks.\n\n- [ ] it holds\n' })
    const { token } = await server.agent('Builder', ['read', 'write'])
    await server.ok(`/v1/issues/${id}/pick_up`, { token, body: {} })
    const page = await openSignedIn()
    await page.goto(`${url}/issue/${key}`)
    const claim = page.getByRole('region', { name: 'Claim' })
    await claim.getByText('Builder works on this').waitFor()
    await server.ok(`/v1/issues/${id}/criteria`, {
      token,
      body: { met: [{ criterion: 1, evidence: '`hold.test` <b>passes</b>' }] }
    })
    const evidence = page.getByRole('region', { name: 'Evidence' })
    await evidence.getByRole('code').getByText('hold.test', { exact: true }).waitFor()
    await evidence.getByText('<b>', { exact: true }).waitFor()
    await claim.getByRole('button', { name: 'Take over' }).click()
    await claim.waitFor({ state: 'detached' })
    const { claim: now } = await server.ok<{ claim: { holder: { id: string } } }>(`/v1/issues/${key}/context`)
    t.equal(now.holder.id, (await server.ok<{ id: string }>('/v1/users/me')).id)
  }
)

t.test(
  'the text is edited as Markdown; a draft is kept; a change by somebody else is shown',
  needsChromium,
  async t => {
    const { server, url, openSignedIn } = await startBrowser(t, { plugins })
    const { key, id } = await file(server, 'Edited', { descriptionMarkdown: DESCRIPTION })
    const page = await openSignedIn()
    await page.goto(`${url}/issue/${key}`)
    await page.getByRole('heading', { name: 'Edited' }).waitFor()
    await page.keyboard.press('m')
    const source = page.getByLabel('Description, in Markdown')
    t.equal(await source.inputValue(), DESCRIPTION)
    await source.fill(`${DESCRIPTION}\nMine.\n`)
    await page.reload()
    t.equal(await source.inputValue(), `${DESCRIPTION}\nMine.\n`, 'the draft')

    await server.ok(`/v1/issues/${id}`, { body: { descriptionMarkdown: 'Theirs.' } })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Somebody has changed this issue').waitFor()
    t.equal((await read(server, key)).descriptionMarkdown, 'Theirs.')
    await page.getByRole('button', { name: 'Keep mine' }).click()
    await source.waitFor({ state: 'detached' })
    t.equal((await read(server, key)).descriptionMarkdown, `${DESCRIPTION}\nMine.\n`)
  }
)

t.test('an edit of one block in the editor leaves the bytes of all others', needsChromium, async t => {
  const { server, url, openSignedIn } = await startBrowser(t, { plugins })
  const { key, id } = await file(server, 'Edited by hand', { descriptionMarkdown: `${DESCRIPTION}\nThe end.\n` })
  const page = await openSignedIn()
  const foreign: string[] = []
  page.on('request', request => {
    if (!request.url().startsWith(url)) foreign.push(request.url())
  })
  await page.goto(`${url}/issue/${key}`)
  await page.getByRole('heading', { name: 'Edited by hand' }).waitFor()
  await page.keyboard.press('Shift+E')
  await page.locator('[contenteditable][aria-label="Description"]:focus').waitFor()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(' And more.')
  if (shots) await page.screenshot({ path: `${shots}/editor.png` })
  await assertAccessible(t, page, 'the editor')
  const saved = page.waitForResponse(answer => answer.url().endsWith(`/v1/issues/${id}`) && answer.ok())
  await page.keyboard.press('Control+Enter')
  await saved
  await page.getByRole('textbox', { name: 'Description' }).waitFor({ state: 'detached' })
  t.equal((await read(server, key)).descriptionMarkdown, `${DESCRIPTION}\nThe end. And more.\n`)
  t.strictSame(foreign, [], 'no image is loaded in the editor')
})

t.test('tables and lists of tasks are edited by keys', needsChromium, async t => {
  const { server, url, openSignedIn } = await startBrowser(t, { plugins })
  const { key, id } = await file(server, 'By keys', { descriptionMarkdown: '| A | B |\n| --- | --- |\n| 1 | 2 |\n' })
  const page = await openSignedIn()
  await page.goto(`${url}/issue/${key}`)
  await page.getByRole('heading', { name: 'By keys' }).waitFor()
  await page.keyboard.press('Shift+E')
  await page.locator('[contenteditable][aria-label="Description"]:focus').waitFor()
  // From A over B, 1 and 2 into a new row.
  for (let cell = 0; cell < 4; cell++) await page.keyboard.press('Tab')
  await page.keyboard.type('3')
  await page.keyboard.press('Tab')
  await page.keyboard.type('4')
  const saved = page.waitForResponse(answer => answer.url().endsWith(`/v1/issues/${id}`) && answer.ok())
  await page.keyboard.press('Control+Enter')
  await saved
  t.equal((await read(server, key)).descriptionMarkdown, '| A | B |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |\n')

  const list = await file(server, 'Tasks')
  await page.goto(`${url}/issue/${list.key}`)
  await page.getByRole('heading', { name: 'Tasks' }).waitFor()
  await page.keyboard.press('Shift+E')
  await page.locator('[contenteditable][aria-label="Description"]:focus').waitFor()
  await page.keyboard.type('- [ ] one')
  await page.keyboard.press('Enter')
  await page.keyboard.type('two')
  await page.keyboard.press('Control+Shift+Enter')
  const listed = page.waitForResponse(answer => answer.url().endsWith(`/v1/issues/${list.id}`) && answer.ok())
  await page.keyboard.press('Control+Enter')
  await listed
  t.equal((await read(server, list.key)).descriptionMarkdown, '- [ ] one\n- [x] two')
})

t.test('a change that is made while a page is loading is shown', needsChromium, async t => {
  const { server, url, openSignedIn } = await startBrowser(t, { plugins })
  const { key } = await file(server, 'Changed early')
  const page = await openSignedIn()
  const changed = Promise.withResolvers<void>()
  // The page's first request is answered, after the change, with the state before it.
  await page.route('**/v1/events*', route => route.abort())
  const answerLate = async (route: Route) => {
    const response = await route.fetch()
    await changed.promise
    await route.fulfill({ response })
  }
  await page.route('**/context', answerLate, { times: 1 })
  await page.goto(`${url}/issue/${key}`)
  await page.getByRole('combobox', { name: 'Status' }).waitFor()
  // It is stored when the page requests the issue again.
  const askedAgain = page.waitForRequest(request => request.url().endsWith(`/v1/issues/${key}`))
  await pick(page, 'Status', 'In Progress')
  await askedAgain
  changed.resolve()
  await page.getByRole('region', { name: 'Activity' }).getByText('to In Progress').waitFor()
})

t.test('properties and comments are in one line of time', needsChromium, async t => {
  const { server, url, openSignedIn } = await startBrowser(t, { plugins })
  const { key } = await file(server, 'Talked about', { descriptionMarkdown: DESCRIPTION })
  const page = await openSignedIn()
  const stream = page.waitForResponse(answer => answer.url().includes('/v1/events'))
  let contexts = 0
  page.on('request', request => {
    if (request.url().endsWith('/context')) contexts++
  })
  await page.goto(`${url}/issue/${key}`)
  await stream
  const activity = page.getByRole('region', { name: 'Activity' })
  await page.getByText('of 2 met').waitFor()
  t.equal(contexts, 1, 'its fields and its history come with one request')
  await pick(page, 'Status', 'In Progress')
  await activity.getByText(/changed the state from .* to In Progress/).waitFor()
  await activity.getByRole('textbox', { name: 'Comment' }).click()
  await page.keyboard.type('Reproduced with **Lima**.')
  await page.keyboard.press('Control+Enter')
  await activity.getByRole('article').getByText('Lima').waitFor()
  t.equal(await activity.getByRole('listitem').count(), 3, 'its creation, its changes, and the comment')
  await server.ok(`/v1/issues/${key}`, { body: { priority: 1 } })
  await activity.getByText(/the priority .*to Urgent/).waitFor()
  t.equal(await activity.getByRole('listitem').count(), 3, 'a change of the same account is of the same entry')
  if (shots) await page.screenshot({ path: `${shots}/issue.png` })
})

t.test('axe finds nothing on the board, the list, an issue and the dialog of a new one', needsChromium, async t => {
  const { server, url, openSignedIn } = await startBrowser(t, { plugins })
  const labels = await server.ok<Array<{ id: string }>>('/v1/labels')
  const states = await server.ok<Array<{ id: string }>>('/v1/ENG/workflows')
  for (let i = 0; i < 12; i++) {
    const stateId = states[i % states.length]!.id
    const labelIds = [labels[i % labels.length]!.id]
    await file(server, `Issue number ${i} with a title of some length`, { stateId, labelIds, priority: i % 5 })
  }
  const { key } = await file(server, 'Described', {
    descriptionMarkdown: `${DESCRIPTION}\n\`\`\`\n${'a long line of code '.repeat(20)}\n\`\`\`\n`,
    subIssues: [{ title: 'A part' }]
  })
  await server.ok(`/v1/issue_comments?issueId=${key}`, { body: { bodyMarkdown: DESCRIPTION } })
  for (const [name, options] of SCREENS) {
    const page = await openSignedIn(options)
    await page.goto(`${url}/board`)
    await page
      .getByRole('link', { name: /Issue number/ })
      .first()
      .waitFor()
    await assertAccessibleInSchemes(t, page, `the board, ${name}`, `board ${name}`)
    await page.keyboard.press('c')
    await page.getByRole('dialog', { name: 'New issue' }).waitFor()
    await assertAccessibleInSchemes(t, page, `a new issue, ${name}`)
    await page.goto(`${url}/issues`)
    await page
      .getByRole('link', { name: /Issue number/ })
      .first()
      .waitFor()
    await assertAccessibleInSchemes(t, page, `the list, ${name}`, `list ${name}`)
    await page.goto(`${url}/issue/${key}`)
    await page.getByRole('article').waitFor()
    const { x, width } = (await page.getByRole('region', { name: 'Activity' }).boundingBox())!
    t.ok(x >= 0 && x + width <= page.viewportSize()!.width, `nothing is beside the screen, ${name}`)
    await assertAccessibleInSchemes(t, page, `an issue, ${name}`, `issue ${name}`)
    const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
    t.ok(overflow <= 0, `nothing scrolls sideways, ${name}`)
  }
})
