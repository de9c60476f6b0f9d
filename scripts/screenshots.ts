/*
 * `npm run screenshots`: creates the sample board on a database of its own, opens it in Chromium, and writes the
 * pictures of README.md and docs/.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { CHROMIUM, PASSWORD } from '../test/runner/chromium.ts'
import { startProcess } from '../test/runner/process.ts'

const OUT = 'docs/images'
const BOARD_SIZE = { width: 1740, height: 480 }
const ISSUE_SIZE = { width: 1400, height: 720 }

if (CHROMIUM === undefined) {
  process.stderr.write('There is no Chromium here: apt-get install chromium-headless-shell.\n')
  process.exit(1)
}
const dataDir = mkdtempSync(join(tmpdir(), 'tracker-screenshots-'))
const env = { TRACKER_DATA_DIR: join(dataDir, 'data') }
const run = (...args: string[]) =>
  execFileSync(process.execPath, ['core/cli.ts', ...args], {
    env: { PATH: process.env['PATH'], TRACKER_PLUGINS__EMBEDDINGS__DOWNLOAD: 'false', ...env },
    encoding: 'utf8'
  }).trim()

const token = run('demo')
const server = await startProcess(env)
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
try {
  mkdirSync(OUT, { recursive: true })
  const page = await browser.newPage({ viewport: BOARD_SIZE, colorScheme: 'light' })
  await signIn(page)
  await page.goto(`${server.url}/board`)
  const card = page.getByRole('link', { name: /Due dates lose/ })
  await card.waitFor()
  await take(page, 'board-light')
  await page.setViewportSize(ISSUE_SIZE)
  await card.click()
  await page.getByRole('region', { name: 'Activity' }).getByRole('article').last().waitFor()
  await page.getByRole('region', { name: 'Related knowledge' }).getByRole('link').first().waitFor()
  await take(page, 'issue-light')
} finally {
  await browser.close()
  await server.end('SIGTERM')
  rmSync(dataDir, { recursive: true })
}

async function signIn(page: Page): Promise<void> {
  const data = { token, password: PASSWORD }
  const headers = { 'sec-fetch-site': 'same-origin' }
  const answer = await page.request.post(`${server.url}/v1/passwords/first`, { data, headers })
  if (!answer.ok()) throw new Error(await answer.text())
}

async function take(page: Page, name: string): Promise<void> {
  await page.evaluate('document.fonts.ready')
  await page.screenshot({ path: `${OUT}/${name}.png` })
  process.stderr.write(`${OUT}/${name}.png\n`)
}
