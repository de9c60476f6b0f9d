import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import {
  assertAccessibleInSchemes,
  choose,
  needsChromium,
  PASSWORD,
  SCREENS,
  startBrowser,
  type Session
} from '../../../test/runner/chromium.ts'

const plugins = [
  'workspace',
  'agents',
  'issues',
  'claims',
  'comments',
  'projects',
  'hooks',
  'transfer',
  'importers',
  'passwords',
  'events',
  'ui',
  'demo'
]

t.test('the sample board in a browser', needsChromium, async t => {
  const session: Session = await startBrowser(t, { plugins })
  const { server, url, openSignedIn } = session
  const page = await openSignedIn()
  const openButton = page.getByRole('button', { name: 'Open a sample board' })
  const startPage = page.getByRole('heading', { name: 'Get started' })

  await t.test('a new workspace begins with the first steps, each with its state', t => testStart(t, session))

  await t.test('axe finds nothing on an empty board', async t => {
    for (const [name, options] of SCREENS) {
      const page = await openSignedIn(options)
      await page.goto(`${url}/board`)
      await page.getByRole('button', { name: 'Open a sample board' }).waitFor()
      await assertAccessibleInSchemes(t, page, `an empty board, ${name}`, `empty board ${name}`)
    }
  })

  await t.test(
    'an administrator opens it from an empty board, and leaves it to their own without signing in',
    async t => {
      await page.goto(`${url}/board`)
      await openButton.click()
      await page.getByRole('link', { name: 'Due dates lose their time zone' }).waitFor()
      const note = page.getByRole('region', { name: 'Sample board' })
      await note.getByText('This is a sample board').waitFor()
      for (const [name, options] of SCREENS) {
        await page.setViewportSize(options.viewport ?? { width: 1300, height: 860 })
        await assertAccessibleInSchemes(t, page, `the sample board, ${name}`)
      }
      await page.setViewportSize({ width: 1300, height: 860 })
      await note.getByRole('button', { name: 'Leave' }).click()
      await startPage.waitFor()
      t.strictSame(await server.ok('/v1/issues/filter', { body: {} }), [], 'their own board has none of it')
    }
  )

  await t.test('a member is offered none', async t => {
    const { token } = await server.ok<{ token: string }>('/v1/users', {
      body: { email: 'ada@example.org', fullname: 'Ada' }
    })
    const member = await session.open()
    const data = { token, password: PASSWORD }
    const headers = { 'sec-fetch-site': 'same-origin' }
    await member.request.post(`${url}/v1/passwords/first`, { data, headers })
    await member.goto(url)
    await member.waitForURL(`${url}/board`)
    await member.getByText('No issues yet').waitFor()
    t.equal(await member.getByRole('button', { name: 'Open a sample board' }).count(), 0)
    t.equal((await member.request.post(`${url}/v1/demo`, { data: {}, headers })).status(), 403)
  })

  await t.test('it is removed from the start page, or from within', async t => {
    const workspaces = () => server.database.db.selectFrom('workspace').select('name').execute()
    await page.getByRole('button', { name: 'Remove the sample board' }).click()
    const removed = page.waitForResponse(answer => answer.request().method() === 'DELETE')
    await page.getByRole('button', { name: 'Remove it' }).click()
    t.equal((await removed).status(), 200)
    await openButton.waitFor()
    t.strictSame(await workspaces(), [{ name: 'Tracker' }])

    await openButton.click()
    const note = page.getByRole('region', { name: 'Sample board' })
    await note.getByRole('button', { name: 'Remove the sample board' }).click()
    const removedFromWithin = page.waitForResponse(answer => answer.request().method() === 'DELETE')
    await note.getByRole('button', { name: 'Remove it' }).click()
    // Its sessions end before the removal is complete.
    t.equal((await removedFromWithin).status(), 200)
    await startPage.waitFor()
    t.strictSame(await workspaces(), [{ name: 'Tracker' }])
  })

  await t.test('who signs out of it, or of everything meanwhile, is signed out of their own board, too', async t => {
    const headers = { 'sec-fetch-site': 'same-origin' }
    const post = async (page: Page, path: string, data = {}) =>
      (await page.request.post(url + path, { data, headers })).status()
    const whoIs = async (page: Page) =>
      ((await (await page.request.get(`${url}/v1/session`, { headers })).json()) as { account: unknown }).account
    t.equal(await post(page, '/v1/demo'), 200)
    const own = (await page.context().cookies()).find(({ name }) => name === 'tracker_own_session')!
    t.equal(await post(page, '/v1/session/sign_out'), 200)
    t.equal(await whoIs(page), null)
    await page.context().addCookies([own])
    t.equal(await whoIs(page), null, 'its session has ended')

    const [visitor, other] = [await openSignedIn(), await openSignedIn()]
    t.equal(await post(visitor, '/v1/demo'), 200)
    t.equal(await post(other, '/v1/session/sign_out_everywhere'), 200)
    t.equal(await post(visitor, '/v1/demo/leave'), 200)
    t.equal(await whoIs(visitor), null)
    await server.ok('/v1/demo', { method: 'DELETE' })
  })

  await t.test('a token opens none: it has no session', async t => {
    t.match(await server.call('/v1/demo', { body: {} }), { statusCode: 403, headers: { 'set-cookie': undefined } })
    t.equal((await server.call('/v1/demo', { method: 'DELETE' })).statusCode, 404)
    t.equal((await server.call('/v1/demo/leave', { body: {} })).statusCode, 404)
  })
})

/** The start page, from the first visit to a workspace with an issue. */
async function testStart(t: Test, { server, url, openSignedIn }: Session): Promise<void> {
  const { token } = await server.agent('Robot')
  await server.ok('/v1/users/me', { token })
  await server.idle()
  const page = await openSignedIn({ viewport: { width: 320, height: 700 } })
  const step = (title: string) =>
    page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: title, exact: true }) })
  const doneStep = (title: string) => step(`${title} Done`)
  await page.goto(url)
  await page.waitForURL(`${url}/start`)
  await step('Explore a sample board').waitFor()
  await doneStep('Connect an agent').waitFor()
  t.strictSame(await page.getByRole('heading', { level: 2 }).allTextContents(), [
    'Set your name',
    'Write your first issue',
    'Connect an agent Done',
    'Import your issues',
    'Explore a sample board'
  ])
  for (const [width, height] of [
    [1300, 860],
    [320, 700]
  ] as const) {
    await page.setViewportSize({ width, height })
    await assertAccessibleInSchemes(t, page, `the start page, ${width}`, `start ${width}`)
  }
  t.ok(await page.evaluate('document.querySelector("main").scrollWidth <= 320'), 'it fits on a narrow screen')
  await step('Import your issues').getByRole('combobox', { name: 'From' }).click()
  await assertAccessibleInSchemes(t, page, 'the sources of an import', 'start sources')
  await choose(page, 'From', 'Linear')
  await page.getByText('npm run tracker -- import --from linear export.csv').waitFor()
  await page.getByRole('textbox', { name: 'Your name' }).focus()
  await page.keyboard.type('Grace Hopper')
  await page.keyboard.press('Enter')
  await doneStep('Set your name').waitFor()
  t.match(await server.ok('/v1/users/me'), { fullname: 'Grace Hopper' })

  await page.getByRole('button', { name: 'Skip' }).press('Enter')
  await page.getByText('No issues yet').waitFor()
  await page.goto(url)
  await page.waitForURL(`${url}/board`)
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search' }).fill('get started')
  await page.keyboard.press('Enter')
  await step('Write your first issue').getByRole('button', { name: 'New issue' }).press('Enter')
  t.equal(await page.getByRole('button', { name: 'Skip' }).count(), 0, 'it was skipped')
  await page.getByLabel('Title', { exact: true }).fill('Dates are lost')
  await page.keyboard.press('Enter')
  await page.waitForURL(`${url}/issue/ENG-1`)

  const fresh = await openSignedIn()
  await fresh.goto(url)
  await fresh.waitForURL(`${url}/board`)
  await page.goto(`${url}/start`)
  await doneStep('Write your first issue').waitFor()
  await server.ok('/v1/issues/ENG-1', { method: 'DELETE' })
}
