/*
 * `npm run screenshots`: creates the sample board on a database of its own, opens it in Chromium, and writes the
 * pictures of README.md and docs/, with the hash of what they were made from, which `test/documents.test.ts` compares.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type BrowserContextOptions, type Page } from 'playwright-core'
import { CHROMIUM, PASSWORD } from '../test/runner/chromium.ts'
import { startProcess } from '../test/runner/process.ts'
import { hashOfInputs, INPUTS_FILE } from './screenshot-inputs.ts'

const OUT = 'docs/images'
const BOARD_SIZE = { width: 1740, height: 480 }
const ISSUE_SIZE = { width: 1240, height: 600 }
const SMALL_SIZE = { width: 900, height: 420 }
const STATE_SIZE = { width: 560, height: 300 }
const PHONE = { viewport: { width: 390, height: 560 }, hasTouch: true, isMobile: true }
/** Where no server answers. */
const BROKEN = { status: 503, json: { statusCode: 503, message: 'The database cannot be reached.' } }

if (CHROMIUM === undefined) {
  process.stderr.write('There is no Chromium here: apt-get install chromium-headless-shell.\n')
  process.exit(1)
}
const WEBP_QUALITY = 85
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
let isFirst = true
try {
  mkdirSync(OUT, { recursive: true })
  const page = await open({ viewport: BOARD_SIZE })
  await takeBoards(page)
  await takeIssue(page)
  await takePalette()
  await takePhones()
  await takeStates()
  writeFileSync(INPUTS_FILE, `${hashOfInputs('.')}\n`)
} finally {
  await browser.close()
  await server.end('SIGTERM')
  rmSync(dataDir, { recursive: true })
}

async function open(options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({ colorScheme: 'light', reducedMotion: 'reduce', ...options })
  const page = await context.newPage()
  const [path, data] = isFirst
    ? ['first', { token, password: PASSWORD }]
    : ['sign_in', { email: 'admin@localhost', password: PASSWORD }]
  isFirst = false
  const headers = { 'sec-fetch-site': 'same-origin' }
  const answer = await page.request.post(`${server.url}/v1/passwords/${path}`, { data, headers })
  if (!answer.ok()) throw new Error(await answer.text())
  return page
}

async function takeBoards(page: Page): Promise<void> {
  await page.goto(`${server.url}/board`)
  await page.getByRole('link', { name: /Due dates lose/ }).waitFor()
  await take(page, 'board-light')
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.evaluate('document.documentElement.toggleAttribute("data-compact", true)')
  await take(page, 'board-dark-compact')
  await page.emulateMedia({ colorScheme: 'light' })
}

async function takeIssue(page: Page): Promise<void> {
  await page.setViewportSize(ISSUE_SIZE)
  await page.goto(`${server.url}/issue/ENG-1`)
  await page.getByRole('region', { name: 'Activity' }).getByRole('article').last().waitFor()
  await page.getByRole('region', { name: 'Related knowledge' }).getByRole('link').first().waitFor()
  await take(page, 'issue-light')
}

async function takePalette(): Promise<void> {
  const page = await open({ viewport: SMALL_SIZE })
  await page.goto(`${server.url}/issue/ENG-1`)
  await page.getByRole('combobox', { name: 'Status' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('assign')
  await page.getByRole('option', { name: /Change assignee/ }).waitFor()
  await take(page, 'palette')
}

async function takePhones(): Promise<void> {
  const shots: Buffer[] = []
  for (const [path, colorScheme] of [
    ['/issues', 'light'],
    ['/issue/ENG-1', 'dark']
  ] as const) {
    const page = await open({ ...PHONE, colorScheme })
    await page.goto(server.url + path)
    await page
      .getByText(/Due dates lose/)
      .first()
      .waitFor()
    await page.waitForLoadState('networkidle')
    shots.push(await page.screenshot())
  }
  await takeBesideEachOther(shots, PHONE.viewport, 'phones')
}

/** A list while it is loaded, without anything in it, and when it could not be loaded. */
async function takeStates(): Promise<void> {
  const page = await open({ viewport: STATE_SIZE })
  const shots: Buffer[] = []
  for (const [answer, place] of [
    [undefined, page.getByRole('status', { name: 'Loading' })],
    [{ json: [] }, page.getByText('No projects yet')],
    [BROKEN, page.getByRole('main').getByRole('alert')]
  ] as const) {
    await page.unrouteAll()
    await page.route(/\/v1\/projects(?:\?|$)/, route => (answer ? route.fulfill(answer) : new Promise(() => undefined)))
    await page.goto(`${server.url}/projects`)
    await page.getByRole('heading', { name: 'Projects' }).waitFor()
    await place.first().waitFor()
    shots.push(await page.screenshot())
  }
  await takeBesideEachOther(shots, STATE_SIZE, 'states')
}

async function takeBesideEachOther(shots: Buffer[], size: { width: number; height: number }, name: string) {
  const page = await browser.newPage({
    viewport: { width: shots.length * (size.width + 12) - 12, height: size.height }
  })
  const images = shots.map(shot => `<img src="data:image/png;base64,${shot.toString('base64')}">`)
  await page.setContent(`<body style="display: flex; gap: 12px; margin: 0; background: #888">${images.join('')}`)
  await take(page, name)
}

async function take(page: Page, name: string): Promise<void> {
  await page.evaluate('document.fonts.ready')
  const path = `${OUT}/${name}.webp`
  // WebP takes a third of PNG's bytes; Playwright itself makes none.
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: WEBP_QUALITY })
  writeFileSync(path, Buffer.from(data, 'base64'))
  process.stderr.write(`${path}\n`)
}
