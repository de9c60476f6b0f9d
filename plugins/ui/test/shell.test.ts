import t from 'tap'
import {
  assertAccessibleInSchemes,
  needsChromium,
  PASSWORD,
  SCREENS,
  startBrowser
} from '../../../test/runner/chromium.ts'

const plugins = ['workspace', 'agents', 'hooks', 'issues', 'comments', 'passwords', 'events', 'ui']
const shots = process.env['UI_SCREENSHOTS']

t.test('the first sign-in, an agent made and its token used, and signing out', needsChromium, async t => {
  const { server, url, open } = await startBrowser(t, { plugins, settings: { prefix: '/board' } })
  const page = await open()
  await page.goto(url)
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.getByRole('button', { name: 'The first time here' }).click()
  await page.getByLabel('Token').fill('trk_wrong')
  await page.getByLabel('New password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  t.match(await page.getByRole('alert').textContent(), /This token is unknown/)
  await page.getByLabel('Token').fill(server.token)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { name: 'Write your first issue' }).waitFor()
  const steps = await page.getByRole('heading', { level: 2 }).allTextContents()
  t.strictSame(steps, ['Set your name', 'Write your first issue', 'Connect an agent'], 'of the plugins that are on')

  await page.keyboard.press('g')
  await page.keyboard.press('s')
  await page.getByRole('heading', { name: 'Agents' }).waitFor()
  t.match(page.url(), /\/board\/settings\/agents$/)
  await page.getByLabel('Name of the agent').fill('Ada')
  await page.getByRole('button', { name: 'Create agent' }).click()
  const shown = page.getByRole('region', { name: 'The token of Ada' })
  await shown.getByText('/board/v1/connect/claude-code.sh').waitFor()
  const text = await shown.textContent()
  const token = /trk_[0-9A-Za-z]{46}/.exec(text ?? '')?.[0]
  t.match(text, /curl -fsS http:\/\/127\.0\.0\.1:\d+\/board\/v1\/connect\/claude-code\.sh \| sh/)
  t.match(text, `export TRACKER_TOKEN=${token}`)
  t.equal((await server.call('/v1/users/me', { token: token! })).statusCode, 200)
  const panel = (await shown.boundingBox())!
  const copy = (await shown.getByRole('button', { name: 'Copy: The token of Ada' }).boundingBox())!
  t.ok(copy.x + copy.width < panel.x + panel.width, 'the buttons are in the panel')
  if (shots) await page.screenshot({ path: `${shots}/agents.png` })
  await shown.getByRole('button', { name: 'I have saved it' }).click()
  t.equal(await page.getByText('trk_').count(), 0, 'it is not shown again')

  await page.getByRole('button', { name: 'Remove Ada' }).click()
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByText('No agents yet').waitFor()
  t.equal((await server.call('/v1/users/me', { token: token! })).statusCode, 401)

  await page.keyboard.press('Control+k')
  if (shots) await page.screenshot({ path: `${shots}/palette.png` })
  await page.getByRole('combobox', { name: 'Search' }).fill('sign out')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
})

t.test('axe finds nothing on the pages of the shell', needsChromium, async t => {
  const { server, url, open, openSignedIn } = await startBrowser(t, { plugins })
  await server.agent('Robot')
  for (const [name, options] of SCREENS) {
    const stranger = await open(options)
    await stranger.goto(url)
    await stranger.getByRole('heading', { name: 'Sign in' }).waitFor()
    await assertAccessibleInSchemes(t, stranger, `signing in, ${name}`, `sign-in ${name}`)

    const page = await openSignedIn(options)
    await page.goto(`${url}/settings/agents`)
    await page.getByText('Robot').waitFor()
    await assertAccessibleInSchemes(t, page, `the agents, ${name}`, `settings ${name}`)
    await page.goto(`${url}/settings/password`)
    await page.getByRole('button', { name: 'Change the password' }).waitFor()
    await assertAccessibleInSchemes(t, page, `the password, ${name}`)
    await page.locator('main').focus()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await assertAccessibleInSchemes(t, page, `the keys, ${name}`)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search' }).waitFor()
    await assertAccessibleInSchemes(t, page, `the palette, ${name}`)
  }
})
