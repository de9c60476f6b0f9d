import t from 'tap'
import {
  assertAccessibleInSchemes,
  needsChromium,
  PASSWORD,
  SCREENS,
  startBrowser,
  type Session
} from '../../../test/chromium.ts'

const plugins = ['workspace', 'agents', 'issues', 'comments', 'projects', 'transfer', 'passwords', 'ui', 'demo']

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

  await t.test('an administrator opens it from an empty board, and comes back by signing in', async t => {
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
    await page.getByLabel('E-mail address').fill('admin@localhost')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('No issues yet').waitFor()
    t.strictSame(await server.ok('/v1/issues/filter', { body: {} }), [], 'their own board has none of it')
  })

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
    // Its sessions end before the last of it is gone.
    t.equal((await removedFromWithin).status(), 200)
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    t.strictSame(await workspaces(), [{ name: 'Tracker' }])
  })

  await t.test('a token opens none: it has no session', async t => {
    t.match(await server.call('/v1/demo', { body: {} }), { statusCode: 403, headers: { 'set-cookie': undefined } })
    t.equal((await server.call('/v1/demo', { method: 'DELETE' })).statusCode, 404)
    t.strictSame(await server.ok('/v1/demo'), { board: null, isHere: false })
  })
})
