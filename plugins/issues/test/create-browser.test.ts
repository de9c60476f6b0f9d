import t from 'tap'
import { needsChromium, startBrowser } from '../../../test/chromium.ts'

t.test('Ctrl Enter files an issue from each field of the dialog', needsChromium, async t => {
  const { url, openSignedIn } = await startBrowser(t, { plugins: ['workspace', 'issues', 'passwords', 'ui'] })
  const page = await openSignedIn()
  for (const field of ['Title', /^Description/, 'Priority']) {
    await page.goto(`${url}/board`)
    await page.getByRole('region', { name: 'Todo', exact: true }).waitFor()
    await page.keyboard.press('c')
    const dialog = page.getByRole('dialog', { name: 'New issue' })
    const title = `Filed from ${String(field)}`
    await dialog.getByLabel('Title').fill(title)
    await dialog.getByLabel(field).press('Control+Enter')
    await page.getByRole('heading', { name: title }).waitFor()
  }
})
