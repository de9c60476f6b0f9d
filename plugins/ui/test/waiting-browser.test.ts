import type { Page } from 'playwright-core'
import t from 'tap'
import { assertAccessible, needsChromium, startBrowser, tooWide } from '../../../test/runner/chromium.ts'

const plugins = ['workspace', 'agents', 'issues', 'passwords', 'events', 'ui']

t.test('no page is empty, however slow the line is', needsChromium, async t => {
  const { url, openSignedIn } = await startBrowser(t, { plugins })
  const waiting = (page: Page) => page.getByRole('status', { name: 'Loading' })

  for (const width of [1300, 320]) {
    const page = await openSignedIn({ viewport: { width, height: 700 } })
    let begin = (): void => undefined
    const held = new Promise<void>(resolve => {
      begin = resolve
    })
    await page.route('**/assets/app-*.js', async route => {
      await held
      await route.continue()
    })
    let answers = false
    await page.route('**/v1/session', route => (answers ? route.continue() : route.abort()))
    await page.goto(`${url}/issues`, { waitUntil: 'commit' })
    await waiting(page).first().waitFor()
    t.ok(await waiting(page).locator('.waiting-main i').first().isVisible(), 'before the scripts have run')
    t.strictSame(await tooWide(page), [])
    begin()
    await page.getByRole('alert').getByText('The server cannot be reached').waitFor()
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    t.ok(await waiting(page).locator('.waiting-main i').first().isVisible(), 'before it is known who is signed in')
    answers = true
    // Without a click on the button.
    await page.getByRole('heading', { level: 1, name: 'Issues' }).waitFor()
    await assertAccessible(t, page, `the page at ${width}`)
    const icon = await page.locator('link[rel=icon]').getAttribute('href')
    t.match(decodeURIComponent(icon ?? ''), /^data:image\/svg\+xml,<svg .*prefers-color-scheme:dark/)
    await page.context().close()
  }
})

t.test('the menu of the account has the documentation where it is', needsChromium, async t => {
  for (const hasHelp of [true, false]) {
    const { url, openSignedIn } = await startBrowser(t, { plugins: hasHelp ? [...plugins, 'help'] : plugins })
    const page = await openSignedIn()
    await page.goto(`${url}/issues`)
    await page.getByRole('button', { name: 'Your account' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
    const help = page.getByRole('menuitem', { name: 'Help', exact: true })
    t.equal(await help.count(), hasHelp ? 1 : 0)
    if (!hasHelp) continue
    const [opened] = await Promise.all([page.context().waitForEvent('page'), help.press('Enter')])
    await opened.waitForLoadState()
    t.equal(new URL(opened.url()).pathname, '/help/')
    await opened.close()
  }
})
