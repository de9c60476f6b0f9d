import type { Page } from 'playwright-core'
import t from 'tap'
import {
  assertAccessibleInSchemes,
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
  'transfer',
  'passwords',
  'ui',
  'demo'
]

t.test('the sample board in a browser', needsChromium, async t => {
  const session: Session = await startBrowser(t, { plugins })
  const { server, url, openSignedIn } = session
  const page = await openSignedIn()
  const openButton = page.getByRole('button', { name: 'Open a sample board' })

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
      await page.getByText('No issues yet').waitFor()
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
    await member.goto(`${url}/board`)
    await member.getByText('No issues yet').waitFor()
    t.equal(await member.getByRole('button', { name: 'Open a sample board' }).count(), 0)
    t.equal((await member.request.post(`${url}/v1/demo`, { data: {}, headers })).status(), 403)
  })

  await t.test('it is removed from the empty board, or from within', async t => {
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
    await page.getByText('No issues yet').waitFor()
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
