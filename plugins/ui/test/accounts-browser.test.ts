import type { Page } from 'playwright-core'
import t from 'tap'
import { needsChromium, PASSWORD, startBrowser } from '../../../test/runner/chromium.ts'

const email = 'ada@example.org'
const signedInAs = (page: Page, name: string) => page.getByRole('button', { name: 'Your account' }).getByText(name)

t.test('a page shows nobody what an account before has loaded', needsChromium, async t => {
  const plugins = ['workspace', 'issues', 'views', 'passwords', 'events', 'ui']
  const { server, url, open, openSignedIn } = await startBrowser(t, { plugins })
  await server.ok('/v1/views', { body: { name: 'Secret plans' } })
  const body = { email, fullname: 'Ada', role: 'MEMBER' }
  const { token } = await server.ok<{ token: string }>('/v1/users', { body })
  const headers = { 'sec-fetch-site': 'same-origin' }
  const first = await open()
  await first.request.post(`${url}/v1/passwords/first`, { data: { token, password: PASSWORD }, headers })
  const page = await openSignedIn()
  const secret = page.getByRole('link', { name: 'Secret plans' })
  const openBoard = async () => {
    await page.goto(`${url}/board`)
    await secret.waitFor()
  }
  const holdViews = () => page.route('**/v1/views', route => route.fulfill({ status: 503, json: { message: 'Busy.' } }))

  await t.test('after another one has signed in where a session has ended', async t => {
    await openBoard()
    await page.context().clearCookies()
    await page.evaluate(`dispatchEvent(new Event('tracker:signed-out'))`)
    await holdViews()
    await page.getByLabel('E-mail address').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await signedInAs(page, 'Ada').waitFor()
    t.equal(await secret.count(), 0)
    await page.unrouteAll()
  })

  await t.test('after another one has signed in in another tab', async t => {
    const signIn = (address: string) =>
      page.request.post(`${url}/v1/passwords/sign_in`, { data: { email: address, password: PASSWORD }, headers })
    await signIn('admin@localhost')
    await openBoard()
    await holdViews()
    await signIn(email)
    await page.evaluate(`dispatchEvent(new Event('visibilitychange'))`)
    await signedInAs(page, 'Ada').waitFor()
    t.equal(await secret.count(), 0)
  })
})
