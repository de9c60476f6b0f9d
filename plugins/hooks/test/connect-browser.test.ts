import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { assertAccessibleInSchemes, needsChromium, SCREENS, startBrowser } from '../../../test/runner/chromium.ts'
import { temporaryFolder } from '../../../test/runner/temporary-folder.ts'

const run = promisify(execFile)
const plugins = ['workspace', 'agents', 'issues', 'hooks', 'mcp', 'passwords', 'events', 'ui']

t.test('the page that connects clients', needsChromium, async t => {
  const { url, openSignedIn } = await startBrowser(t, { plugins })
  const page = await openSignedIn()
  await page.goto(`${url}/board`)
  await page.getByRole('navigation', { name: 'Main navigation', exact: true }).waitFor()

  await t.test('it is opened from the palette, and its client is chosen by keys', async t => {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search' }).fill('connect a client')
    await page.keyboard.press('Enter')
    await page.getByRole('radio', { name: 'Claude Code' }).focus()
    for (let n = 0; n < 4; n++) await page.keyboard.press('ArrowRight')
    await page.getByText('/v1/connect/opencode.sh').waitFor()
    await page.getByText('The files, for manual setup').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'opencode.json' }).getByText('{env:TRACKER_TOKEN}').waitFor()
    t.equal(new URL(page.url()).pathname, '/connect')
  })

  await t.test('the command that it shows connects this server', async t => {
    const dir = temporaryFolder(t)
    const command = await page.getByText(/^curl/).textContent()
    await run('sh', ['-c', command!], { cwd: dir, env: { PATH: process.env['PATH'], HOME: dir } })
    t.match(readFileSync(join(dir, 'opencode.json'), 'utf8'), `"url": "${url}/v1/mcp"`)
  })

  for (const [name, options] of SCREENS) {
    await t.test(`axe finds nothing, on a ${name}`, async t => {
      const screen = await openSignedIn(options)
      await screen.goto(`${url}/connect`)
      await screen.getByText('The files, for manual setup').click()
      await screen.getByRole('region', { name: '.mcp.json' }).waitFor()
      await assertAccessibleInSchemes(t, screen, `connect, ${name}`, `connect ${name}`)
      await screen.setViewportSize({ width: 320, height: 700 })
      for (const text of await screen.locator('pre').all()) {
        const { x, width } = (await text.boundingBox())!
        t.ok(x >= 0 && x + width <= 320, 'nothing is wider than a window of 320 px')
      }
    })
  }
})
