import t from 'tap'
import { needsChromium, startBrowser } from '../../../test/runner/chromium.ts'

t.test(
  'while the plugin is off, pages open no stream, and read again when one returns to them',
  needsChromium,
  async t => {
    const { server, url, openSignedIn } = await startBrowser(t, { plugins: ['workspace', 'issues', 'passwords', 'ui'] })
    const { id } = await server.ok<{ id: string }>('/v1/issues', { body: { teamId: 'ENG', title: 'Before' } })
    t.match(await server.call('/v1/events'), { statusCode: 404 })
    const page = await openSignedIn()
    const streams: string[] = []
    page.on('request', request => {
      if (request.url().includes('/v1/events')) streams.push(request.url())
    })
    page.on('console', message => {
      if (message.type() === 'error') t.fail(message.text())
    })
    await page.clock.install()
    await page.goto(`${url}/issues`)
    await page.getByText('Before').waitFor()
    const session = await page.evaluate<{ eventCursor: null }>(`fetch('/v1/session').then(answer => answer.json())`)
    t.equal(session.eventCursor, null)

    await server.ok(`/v1/issues/${id}`, { body: { title: 'After' } })
    await page.clock.fastForward('00:30')
    await page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`)
    await page.getByText('After').waitFor()
    t.strictSame(streams, [])
  }
)

t.test('a page stops opening streams once the server has started again without them', needsChromium, async t => {
  const { url, openSignedIn } = await startBrowser(t, { plugins: ['workspace', 'issues', 'passwords', 'events', 'ui'] })
  const page = await openSignedIn()
  await page.clock.install()
  let [streams, sessions] = [0, 0]
  await page.route('**/v1/events*', route => {
    streams++
    return route.fulfill({ status: 404, json: {} })
  })
  await page.route('**/v1/session', async route => {
    const answer = await route.fetch()
    const session = (await answer.json()) as object
    return route.fulfill({ json: sessions++ === 0 ? session : { ...session, eventCursor: null } })
  })
  const isRefused = page.waitForResponse('**/v1/events*')
  await page.goto(`${url}/issues`)
  await isRefused
  const isReadAgain = page.waitForResponse('**/v1/session')
  await page.clock.runFor(4_000)
  await isReadAgain
  await page.clock.runFor(30_000)
  t.equal(streams, 1)
  // No bar says that the connection is lost.
  await page.locator('html:not([data-bar])').waitFor({ state: 'attached' })
})
