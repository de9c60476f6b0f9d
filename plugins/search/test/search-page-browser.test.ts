import t from 'tap'
import { assertAccessibleInSchemes, needsChromium, startBrowser, tooWide } from '../../../test/runner/chromium.ts'

const plugins = ['workspace', 'agents', 'issues', 'comments', 'search', 'passwords', 'events', 'ui']
const MANY = 10

t.test('the palette: recent pages, actions of a page, and all results', needsChromium, async t => {
  const { server, url, openSignedIn } = await startBrowser(t, { plugins })
  const file = (title: string) =>
    server.ok<{ id: string; key: string }>('/v1/issues', { body: { teamId: 'ENG', title } })
  const keys: string[] = []
  for (let n = 0; n < MANY; n++) keys.push((await file(`The parser loses line ${n}`)).key)
  const han = await file('猫の写真が開かない')
  const descriptionMarkdown = '# Why\n\n- [x] It **matters** to [us](https://us.test)\n\n```ts\ncode()\n```'
  await server.ok('/v1/issues', { body: { teamId: 'ENG', title: 'Quokka', descriptionMarkdown } })
  await server.idle()
  const page = await openSignedIn()
  const options = page.getByRole('dialog', { name: 'Search' }).getByRole('option')
  const open = async () => {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search' }).waitFor()
  }

  await t.test('all results have a page', async t => {
    await page.goto(`${url}/issues`)
    await page.getByRole('link', { name: han.key }).waitFor()
    await open()
    await page.keyboard.type('parser loses')
    await options.filter({ hasText: 'All results for “parser loses”' }).waitFor()
    t.equal(await options.filter({ hasText: 'The parser loses line' }).count(), 8)
    await options.filter({ hasText: 'All results' }).click()
    const results = page.getByRole('list', { name: 'Search results' })
    await results.getByRole('link').first().waitFor()
    t.equal(await results.getByRole('link').count(), MANY)
    t.equal(new URL(page.url()).pathname, '/search')
    const field = page.getByRole('searchbox', { name: 'Search issues' })
    t.match(await field.getAttribute('placeholder'), '"a phrase"', 'as phrases are written')
    // A script that needs no more.
    await field.fill('猫')
    await field.press('Enter')
    await results.getByRole('link', { name: han.key }).waitFor()
    await assertAccessibleInSchemes(t, page, 'the results of a search', 'search-page')
    await field.fill('quokka')
    await field.press('Enter')
    await results.getByText('Why It matters to us code()').waitFor()
    await page.setViewportSize({ width: 320, height: 640 })
    t.strictSame(await tooWide(page), [])
    await page.setViewportSize({ width: 1300, height: 860 })
    await open()
    await page.keyboard.type('猫')
    await options.filter({ hasText: '猫の写真が開かない' }).click()
    await page.getByRole('combobox', { name: 'Status' }).waitFor()
  })

  await t.test('what was opened last comes first, and an issue is assigned and related', async t => {
    await page.goto(`${url}/issue/${keys[0]}`)
    await page.getByRole('combobox', { name: 'Status' }).waitFor()
    await open()
    t.match(await options.first().innerText(), han.key, 'the issue before this one')
    await page.keyboard.type('assign to me')
    await page.keyboard.press('Enter')
    await page.getByRole('combobox', { name: 'Assignee' }).getByText('Administrator').waitFor()
    await open()
    await page.keyboard.type('this issue blocks')
    await page.keyboard.press('Enter')
    await page.getByRole('listbox', { name: 'This issue blocks' }).getByText(keys[1]!).click()
    await page.getByRole('region', { name: 'Other issues' }).getByText(`blocks ${keys[1]}`).waitFor()
    await open()
    await page.keyboard.type('add a sub-issue')
    await page.keyboard.press('Enter')
    await page.locator('input:focus').waitFor()
    t.match(await server.ok(`/v1/issues/${keys[0]}/context`), {
      assignee: { fullname: 'Administrator' },
      relations: [{ type: 'BLOCKS', issue: { key: keys[1] } }]
    })
  })

  await t.test('what can be done on a page that is loaded later comes later', async () => {
    let answer = () => {}
    const held = new Promise<void>(resolve => (answer = resolve))
    await page.route('**/v1/issues/*/context*', async route => {
      await held
      await route.continue()
    })
    await page.goto(`${url}/issue/${keys[2]}`)
    await page.getByRole('combobox', { name: 'Status' }).waitFor()
    await open()
    await page.keyboard.type('this issue blocks')
    await page.getByText('No results.').waitFor()
    answer()
    await options.filter({ hasText: 'This issue blocks…' }).waitFor()
  })

  await t.test('Enter chooses no result of the text before', async () => {
    await page.goto(`${url}/issues`)
    await page.getByRole('link', { name: han.key }).waitFor()
    await open()
    await page.keyboard.type('parser loses')
    await options.filter({ hasText: 'The parser loses line' }).first().waitFor()
    const held = Promise.withResolvers<void>()
    await page.route('**/v1/search?*', async route => {
      await held.promise
      await route.continue()
    })
    await page.getByRole('combobox', { name: 'Search' }).fill('quokka')
    await page.keyboard.press('Enter')
    held.resolve()
    await page.getByRole('heading', { name: 'Quokka', level: 1 }).waitFor()
    await page.unroute('**/v1/search?*')
  })
})
