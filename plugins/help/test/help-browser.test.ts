import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'
import {
  assertAccessibleInSchemes,
  needsChromium,
  NARROW,
  SCREENS,
  startBrowser,
  tooWide
} from '../../../test/runner/chromium.ts'
import { temporaryFolder } from '../../../test/runner/temporary-folder.ts'

const shots = process.env['UI_SCREENSHOTS']
const project = fileURLToPath(new URL('../../..', import.meta.url))

t.test('the documentation is built, read and searched, below a prefix', needsChromium, async t => {
  const folder = temporaryFolder(t)
  await promisify(execFile)(process.execPath, ['scripts/docs/index.ts', folder], { cwd: project })
  const settings = { prefix: '/board', plugins: { help: { folder } } }
  const { url, open } = await startBrowser(t, { plugins: ['help'], settings })

  const paths = ['', 'configuration.html', 'api/labels.html', 'nowhere.html']
  for (const [name, screen] of [...SCREENS, ['narrow', NARROW] as const]) {
    const page = await open(screen)
    for (const path of paths) {
      await page.goto(`${url}/help/${path}`)
      t.strictSame(await tooWide(page), [], `${path} on ${name}`)
      if (shots) await page.screenshot({ path: `${shots}/help ${name} ${path.replaceAll('/', ' ')}.png` })
    }
    await page.context().close()
  }

  const page = await open()
  await page.goto(`${url}/help`)
  t.equal(page.url(), `${url}/help/`)
  await page.getByRole('navigation', { name: 'All pages' }).getByRole('link', { name: 'Claims', exact: true }).click()
  await page.getByRole('heading', { name: 'Claims', level: 1 }).waitFor()
  await assertAccessibleInSchemes(t, page, 'a page', 'help page')
  await page.getByRole('article').getByRole('link', { name: 'without it' }).click()
  t.equal(page.url(), `${url}/help/claims.html#without-the-plugin`)

  await page.goto(`${url}/help/api/labels.html`)
  await assertAccessibleInSchemes(t, page, 'a page of the reference', 'help reference')
  await page.keyboard.press('/')
  await page.keyboard.type('claims')
  await page.getByRole('search').getByRole('listitem').first().waitFor()
  t.match(await page.getByRole('status').textContent(), /^\d+ found$/)
  await assertAccessibleInSchemes(t, page, 'the search', 'help search')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Claims', level: 1 }).waitFor()
  // The script that hears the key runs before that.
  await page.waitForLoadState('load')

  await page.keyboard.press('/')
  await page.keyboard.type('nothing has qqqqq')
  await page.getByText('Nothing has “nothing has qqqqq”.').waitFor()
  await page.keyboard.press('Escape')
  t.equal(await page.getByRole('status').isVisible(), false)

  await page.goto(`${url}/help/clients/nowhere.html`)
  await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
  await page.getByRole('article').getByRole('link', { name: 'all pages' }).click()
  await page.getByRole('heading', { name: 'Documentation' }).waitFor()
})
