import t from 'tap'
import { assertAccessibleInSchemes, needsChromium, SCREENS, startBrowser } from '../../../test/runner/chromium.ts'
import { CLIENT, startProvider } from './provider.ts'

t.test('in a browser an identity is linked, and signs in', needsChromium, async t => {
  const provider = await startProvider()
  t.teardown(() => provider.close())
  provider.person = { sub: 'ada-at-the-provider' }
  const { url, open, openSignedIn } = await startBrowser(t, {
    plugins: ['workspace', 'issues', 'passwords', 'oidc', 'events', 'ui'],
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

t.test('in a browser an identity of several workspaces chooses one, and switches', needsChromium, async t => {
  const provider = await startProvider()
  t.teardown(() => provider.close())
  provider.person = { sub: 'in-two' }
  const { server, url, open } = await startBrowser(t, {
    plugins: ['workspace', 'issues', 'passwords', 'oidc', 'events', 'ui'],
    settings: { plugins: { oidc: { issuer: provider.issuer, name: 'Example', ...CLIENT } } }
  })
  const second = await server.board()
  const { workspace } = await second.ok<{ workspace: { name: string } }>('/v1/users/me')
  for (const { ok } of [server, second]) {
    const { id: accountId } = await ok<{ id: string }>('/v1/users/me')
    await ok('/v1/oidc/identities', { body: { accountId, subject: 'in-two' } })
  }
  const page = await open()
  const place = (name: string) => page.getByRole('button', { name: `${name}: switch workspace` })
  const choice = page.getByRole('region', { name: 'Choose a workspace' })
  await page.goto(`${url}/issues`)
  await page.getByRole('button', { name: 'Sign in with Example' }).click()
  await choice.waitFor()
  t.strictSame(await choice.getByRole('button').allTextContents(), ['Tracker', workspace.name, 'Back'])
  await assertAccessibleInSchemes(t, page, 'the choice')
  await choice.getByRole('button', { name: workspace.name }).click()
  await place(workspace.name).waitFor()
  await page.getByRole('heading', { name: 'Issues' }).waitFor()

  await place(workspace.name).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign in with Example' }).click()
  await page.getByRole('dialog', { name: 'Switch workspace' }).waitFor()
  await choice.getByRole('button', { name: 'Tracker' }).click()
  await place('Tracker').waitFor()
  await page.reload()
  await place('Tracker').waitFor()
  t.equal(await page.getByRole('dialog').count(), 0)
})
