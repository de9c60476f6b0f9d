import t from 'tap'
import { needsChromium, startBrowser } from '../../../test/runner/chromium.ts'

const plugins = ['workspace', 'agents', 'issues', 'comments', 'search', 'passwords', 'events', 'ui']

t.test('the palette searches for whatever may be a word, and filters as the search folds', needsChromium, async t => {
  const { server, url, openSignedIn } = await startBrowser(t, { plugins })
  for (const title of ['黒猫が逃げる', 'CI fails in Łódź', 'Squash 🐛 today']) {
    await server.ok('/v1/issues', { body: { title, teamId: 'ENG' } })
  }
  await server.idle()
  const page = await openSignedIn()
  await page.goto(url)
  await page.getByRole('navigation', { name: 'Main navigation', exact: true }).waitFor()
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: 'Search' })
  const results = page.getByRole('listbox', { name: 'Search results' })
  for (const [typed, title] of [
    ['猫', '黒猫が逃げる'],
    ['CI', 'CI fails in Łódź'],
    ['lodz', 'CI fails in Łódź'],
    ['🐛', 'Squash 🐛 today']
  ] as const) {
    await field.fill(typed)
    await results.getByRole('option', { name: title }).waitFor()
    await field.fill('')
    await results.getByRole('option', { name: title }).waitFor({ state: 'detached' })
  }
  const searches: string[] = []
  page.on('request', request => request.url().includes('/v1/search') && searches.push(request.url()))
  await field.fill('c')
  await field.fill('ＳＩＧＮ ôut')
  await results.getByRole('option', { name: 'Sign out', exact: true }).waitFor()
  t.notOk(
    searches.some(url => url.endsWith('query=c')),
    'one letter is not searched for'
  )
})
