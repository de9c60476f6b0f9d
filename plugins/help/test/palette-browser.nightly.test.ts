import t from 'tap'
import { needsChromium, startBrowser } from '../../../test/runner/chromium.ts'

t.test('the palette opens the documentation beside what is being done, below a prefix', needsChromium, async t => {
  const folder = t.testdir({ 'index.html': '<!doctype html><title>Help</title><h1>Documentation</h1>' })
  const { url, openSignedIn } = await startBrowser(t, {
    plugins: ['workspace', 'issues', 'passwords', 'events', 'ui', 'help'],
    settings: { prefix: '/board', plugins: { help: { folder } } }
  })
  const page = await openSignedIn()
  await page.goto(`${url}/issues`)
  await page.getByRole('heading').first().waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search' }).fill('documentation')
  await page.getByRole('option', { name: 'Help: the documentation' }).waitFor()
  const opened = page.context().waitForEvent('page')
  await page.keyboard.press('Enter')
  const help = await opened
  await help.getByRole('heading', { name: 'Documentation' }).waitFor()
  t.equal(help.url(), `${url}/help/`)
  t.equal(page.url(), `${url}/issues`)
})
