import t from 'tap'
import { needsChromium, startBrowser } from '../../../test/runner/chromium.ts'

const ISSUES = 120
/** Fewer pixels than the first page is high, in which all cards and lines of some screens are. */
const SCROLLED_PIXELS = { board: 1_900, issues: 400 }

t.test('rows are requested before they are scrolled into sight', needsChromium, async t => {
  const session = await startBrowser(t, { plugins: ['workspace', 'issues', 'passwords', 'events', 'ui'] })
  const { server, url } = session
  for (let n = 0; n < ISSUES; n += 60) {
    const issues = Array.from({ length: 60 }, (_, at) => ({ teamId: 'ENG', title: `Number ${n + at}` }))
    await server.ok('/v1/issues/bulk', { body: { issues } })
  }
  for (const layout of ['board', 'issues'] as const) {
    const page = await session.openSignedIn()
    const second = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    let isRequested = false
    await page.route('**/v1/issues/filter', async (route, request) => {
      if (request.postData()?.includes('"page":2')) {
        isRequested = true
        held.resolve()
        await second.promise
      }
      await route.continue()
    })
    await page.goto(`${url}/${layout}?order=number`)
    await page.getByText(`Number ${ISSUES - 1}`, { exact: true }).waitFor()
    t.notOk(isRequested, `${layout}: the first page is enough for the first screen`)

    await page.locator('main li a[data-index]').first().hover()
    await page.mouse.wheel(0, SCROLLED_PIXELS[layout])
    await held.promise
    t.equal(await page.locator('main li:not(:has(a, h2))').count(), 0, 'all rows that are rendered are loaded')

    second.resolve()
    await page.mouse.wheel(0, 100_000)
    await page.getByText('Number 0', { exact: true }).waitFor()
    await page.close()
  }
})
