import t from 'tap'
import { assertAccessibleInSchemes, needsChromium, SCREENS, startBrowser } from '../../../test/chromium.ts'
import { CLIENT, startProvider } from './provider.ts'

t.test('in a browser an identity is linked, and signs in', needsChromium, async t => {
  const provider = await startProvider()
  t.teardown(() => provider.close())
  provider.person = { sub: 'ada-at-the-provider' }
  const { url, open, openSignedIn } = await startBrowser(t, {
    plugins: ['workspace', 'issues', 'passwords', 'oidc', 'ui'],
    settings: { prefix: '/tracker', plugins: { oidc: { issuer: provider.issuer, name: 'Example', ...CLIENT } } }
  })
  const page = await openSignedIn()
  await page.goto(`${url}/settings/single-sign-on`)
  await page.getByRole('button', { name: 'Link an identity of Example' }).click()
  await page.getByRole('list', { name: 'Your identities' }).getByText('ada-at-the-provider').waitFor()
  t.equal(page.url(), `${url}/settings/single-sign-on`, 'nothing of the answer is left in the address')
  for (const [name, options] of SCREENS) {
    await page.setViewportSize(options.viewport ?? { width: 1300, height: 860 })
    await assertAccessibleInSchemes(t, page, `the identities, ${name}`)
  }

  const other = await open()
  await other.goto(`${url}/issues`)
  await other.getByRole('button', { name: 'Sign in with Example' }).waitFor()
  await assertAccessibleInSchemes(t, other, 'signing in')
  await other.getByRole('button', { name: 'Sign in with Example' }).click()
  await other.getByRole('heading', { name: 'Issues' }).waitFor()
  t.equal(other.url(), `${url}/issues`, 'where they wanted to go')

  provider.person = { sub: 'somebody else' }
  const stranger = await open()
  await stranger.goto(url)
  await stranger.getByRole('button', { name: 'Sign in with Example' }).click()
  await stranger.getByText('Nobody here has this identity').waitFor()
  await stranger.getByRole('link', { name: 'Back' }).click()
  await stranger.getByRole('button', { name: 'Sign in with Example' }).waitFor()
})
