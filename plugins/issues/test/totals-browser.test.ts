import t from 'tap'
import { needsChromium, startBrowser } from '../../../test/runner/chromium.ts'

const ISSUES = 120

t.test('the first rows of a listing that must be counted do not wait for its total', needsChromium, async t => {
  const session = await startBrowser(t, { plugins: ['workspace', 'issues', 'passwords', 'events', 'ui'] })
  const { server, url } = session
  const file = (n: number) => ({ teamId: 'ENG', title: `Number ${n}` })
  for (let n = 0; n < ISSUES; n += 60) {
    await server.ok('/v1/issues/bulk', { body: { issues: Array.from({ length: 60 }, (_, at) => file(n + at)) } })
  }
  const page = await session.openSignedIn()
  const counting = Promise.withResolvers<void>()
  await page.route('**/v1/issues/filter', async (route, request) => {
    if (request.postData()?.includes('"capped"')) await counting.promise
    await route.continue()
  })
  await page.goto(`${url}/issues?filter=assignee:none&group=state&order=number`)
  const heading = page.locator('main').getByRole('heading').getByRole('button').first()
  await page.getByText(`Number ${ISSUES - 1}`, { exact: true }).waitFor()
  await heading.filter({ hasText: '50+' }).waitFor()

  counting.resolve()
  await heading.filter({ hasText: String(ISSUES) }).waitFor()
  await page.locator('main a[data-index]').first().hover()
  await page.mouse.wheel(0, 100_000)
  await page.getByText('Number 0', { exact: true }).waitFor()

  await server.ok('/v1/issues', { body: file(ISSUES) })
  await page.mouse.wheel(0, -100_000)
  await heading.filter({ hasText: String(ISSUES + 1) }).waitFor()
  t.pass('the total follows')
})
