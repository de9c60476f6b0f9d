import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { AxeBuilder } from '@axe-core/playwright'
import {
  chromium,
  type Browser,
  type BrowserContextOptions,
  type Locator,
  type Page,
  type Request
} from 'playwright-core'
import type { Test } from 'tap'
import { testServer, type TestOptions, type TestServer } from './harness.ts'

/**
 * The path of Chromium; undefined: not installed. The headless shell, which cannot show a window, takes three quarters
 * of the processor time for the same tests.
 */
export const CHROMIUM = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome'
].find(existsSync)
export const PASSWORD = 'correct horse battery'

/** `{ skip: reason }` if there is no Chromium: apt-get install chromium-headless-shell. CI installs it, or fails. */
export const needsChromium =
  CHROMIUM === undefined && process.env['CI'] === undefined ? { skip: 'there is no Chromium on this system' } : {}

export interface Session {
  /** Its `ok` reads after the writes of the pages, which show a change before the server has it. */
  server: TestServer
  /** The URL of the server, with its prefix. */
  url: string
  browser: Browser
  /** Opens a page in a browser context of its own, with separate cookies. */
  open(options?: BrowserContextOptions): Promise<Page>
  /** Like `open`, signed in as the administrator. */
  openSignedIn(options?: BrowserContextOptions): Promise<Page>
}

const slowdown = process.env['TEST_BROWSER_SLOWDOWN']

/** A listening server, and a browser. Errors of its pages, and logged errors, fail the test. */
export async function startBrowser(t: Test, options: TestOptions = {}): Promise<Session> {
  const server = await testServer(options)
  t.teardown(() => server.close())
  const origin = await server.app.listen({ host: '127.0.0.1', port: 0 })
  const url = origin + String(options.settings?.['prefix'] ?? '')
  const browser = await chromium.launch({ executablePath: CHROMIUM!, args: ['--no-sandbox'] })
  t.teardown(() => browser.close())
  t.afterEach(t => describePages(t, browser))
  const writes = new Set<Request>()

  async function open(contextOptions: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({ viewport: { width: 1300, height: 860 }, ...contextOptions })
    const page = await context.newPage()
    page.setDefaultTimeout(90_000)
    if (slowdown) {
      const session = await context.newCDPSession(page)
      await session.send('Emulation.setCPUThrottlingRate', { rate: Number(slowdown) })
    }
    watchWrites(page, writes)
    page.on('pageerror', error => t.fail(`the page failed: ${error.message}`))
    page.on('console', message => {
      if (/Content Security Policy/.test(message.text())) t.fail(message.text())
    })
    return page
  }
  let hasPassword = false
  async function openSignedIn(contextOptions?: BrowserContextOptions): Promise<Page> {
    const page = await open(contextOptions)
    const path = hasPassword ? '/v1/passwords/sign_in' : '/v1/passwords/first'
    const data = hasPassword
      ? { email: 'admin@localhost', password: PASSWORD }
      : { token: server.token, password: PASSWORD }
    const answer = await page.request.post(url + path, { data, headers: { 'sec-fetch-site': 'same-origin' } })
    if (!answer.ok()) throw new Error(await answer.text())
    hasPassword = true
    return page
  }
  return { server: readingAfter(browser, writes, server), url, browser, open, openSignedIn }
}

/** Keeps the requests of a page, other than reads, that are not answered yet. */
function watchWrites(page: Page, writes: Set<Request>): void {
  const own = new Set<Request>()
  page.on('request', request => {
    if (request.method() === 'GET') return
    writes.add(request)
    own.add(request)
  })
  // Requests of a closed page have no end.
  page.on('close', () => own.forEach(request => writes.delete(request)))
  page.on('requestfinished', request => writes.delete(request))
  page.on('requestfailed', request => writes.delete(request))
}

function readingAfter(browser: Browser, writes: ReadonlySet<Request>, server: TestServer): TestServer {
  return {
    ...server,
    async ok(path, call) {
      if (call?.body === undefined && (call?.method ?? 'GET') === 'GET') await allAnswered(browser, writes)
      return server.ok(path, call)
    }
  }
}

/** A test that holds a request back waits in vain, and then goes on. */
const MAX_ANSWER_MS = 5000
const LOOK_MS = 10
/** Waits for the writes that are under way, and for those that the pages send only after these, or are about to. */
async function allAnswered(browser: Browser, writes: ReadonlySet<Request>): Promise<void> {
  const until = Date.now() + MAX_ANSWER_MS
  do {
    while (writes.size > 0 && Date.now() < until) await sleep(LOOK_MS)
    await Promise.all(browser.contexts().flatMap(context => context.pages().map(hasGoneOn)))
  } while (writes.size > 0 && Date.now() < until)
}
/** Waits until a page has worked off what it had to do. Also when it is left or closed meanwhile. */
const hasGoneOn = (page: Page) => page.evaluate('new Promise(done => setTimeout(done, 20))').catch(() => undefined)

/** Characters of a page that are reported. */
const MAX_DESCRIBED = 1500

/** @throws Error after a failed test, with what its pages show, and what has the focus */
async function describePages(t: Test, browser: Browser): Promise<void> {
  if (t.passing()) return
  const pages = browser.contexts().flatMap(context => context.pages())
  const described = pages.map(async page => {
    const focus = await page.evaluate<string>('document.activeElement?.outerHTML.slice(0, 200)')
    const shown = await page.locator('body').ariaSnapshot()
    return `${page.url()}\nFocus: ${focus}\n${shown.slice(0, MAX_DESCRIBED)}`
  })
  throw new Error(`The test failed with these pages:\n${(await Promise.all(described)).join('\n\n')}`)
}

/**
 * Fails with every accessibility rule that the page breaks, and the place.
 * @param rules the rules to check; default: all
 */
export async function assertAccessible(t: Test, page: Page, what: string, rules?: string[]): Promise<void> {
  // Every page has a title, and is loaded when it has.
  await page.locator('h1').first().waitFor({ state: 'attached' })
  // Legacy mode runs in the page itself, and opens no second page each time; the result is the same without
  // cross-origin frames.
  // Without the details of what is right, which nobody reads, it takes half the time.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
  const { violations } = await (rules ? axe.withRules(rules) : axe).analyze()
  t.strictSame(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`),
    [],
    `axe finds nothing in ${what}`
  )
}

/** Chooses options of a picker, by the pointer. Where several can be chosen, it stays open. */
export async function pick(page: Page, label: string, ...options: readonly string[]): Promise<void> {
  await page.getByRole('combobox', { name: label, exact: true }).click()
  await choose(page, label, ...options)
}
/** Chooses options of the open picker. */
export async function choose(page: Page, label: string, ...options: readonly string[]): Promise<void> {
  const list = page.getByRole('listbox', { name: label, exact: true })
  for (const name of options) await list.getByText(name, { exact: true }).click()
}

/** The first request to the URL is answered by the server, but its answer is lost. */
export async function loseFirstAnswer(page: Page, url: string): Promise<void> {
  let isLost = false
  await page.route(url, async route => {
    if (isLost) return route.continue()
    isLost = true
    await route.fetch()
    await route.abort('connectionreset')
  })
}

interface Point {
  x: number
  y: number
}
/** The box of an element on the screen, when it has stopped moving: a dialog slides in, and what is above it loads. */
export async function settledBox(place: Locator): Promise<Point & { width: number; height: number }> {
  for (let before = ''; ;) {
    // It waits until two frames are the same.
    await place.scrollIntoViewIfNeeded()
    const box = await place.boundingBox()
    if (box && JSON.stringify(box) === before) return box
    before = JSON.stringify(box)
  }
}

interface DragOptions {
  /** Called before the pointer is released. */
  beforeEnd?: () => Promise<unknown>
  /** False: the browser takes the touch for itself. */
  isReleased?: boolean
}
/** Drags from a point to others, one after the other: by a finger where the page has touch, otherwise by the mouse. */
export async function drag(page: Page, from: Point, to: readonly Point[], options: DragOptions = {}): Promise<void> {
  const { beforeEnd, isReleased = true } = options
  if (!(await page.evaluate<boolean>('navigator.maxTouchPoints > 0'))) {
    await page.mouse.move(from.x, from.y)
    await page.mouse.down()
    for (const { x, y } of to) await page.mouse.move(x, y)
    await beforeEnd?.()
    await page.mouse.up()
    return
  }
  const client = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd' | 'touchCancel', ...touchPoints: Point[]) =>
    client.send('Input.dispatchTouchEvent', { type, touchPoints })
  await touch('touchStart', from)
  for (const point of to) await touch('touchMove', point)
  await beforeEnd?.()
  await touch(isReleased ? 'touchEnd' : 'touchCancel')
  await client.detach()
}
/** Drags an element to a height within another one, of which 0 is the upper edge and 1 the lower one. */
export async function dragTo(from: Locator, to: Locator, share: number, options?: DragOptions): Promise<void> {
  await settledBox(to)
  const start = await settledBox(from)
  // Without scrolling: the start stays where it is.
  const { y, height } = (await to.boundingBox())!
  const point = { x: start.x + start.width / 2, y: start.y + start.height / 2 }
  const end = y + height * share
  const path = [0.3, 0.6, 1].map(part => ({ x: point.x, y: point.y + (end - point.y) * part }))
  await drag(from.page(), point, path, options)
}
/** An editor knows the cursor that a click moved only when the browser reports it, which it does before it paints. */
export const cursorReported = (page: Page) => page.evaluate('new Promise(done => requestAnimationFrame(done))')

/** Shows the properties of an issue that have no value. */
export const showEmptyProperties = (page: Page) => page.getByRole('button', { name: 'Add property' }).click()

const shots = process.env['UI_SCREENSHOTS']
/**
 * Like `assertAccessible`, in the light and the dark scheme, without reloading.
 * @param shot the name of a screenshot, which is taken if UI_SCREENSHOTS names a folder
 */
export async function assertAccessibleInSchemes(t: Test, page: Page, what: string, shot?: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    // Without motion, colours change at once.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    // The schemes differ in nothing but colours.
    await assertAccessible(t, page, `${what}, ${colorScheme}`, colorScheme === 'dark' ? ['color-contrast'] : undefined)
    if (shots && shot) await page.screenshot({ path: `${shots}/${shot} ${colorScheme}.png`, fullPage: true })
  }
}

/**
 * Wide code and tables scroll in their block, and these rows in themselves: the tools of a page, the names of the
 * settings, the columns of the board.
 */
const SCROLLERS =
  'pre, [role=group][aria-label=Table], header > div, nav[aria-label=Settings], :has(> section > header)'
/** Elements that are wider than the screen: the page, and others that scroll sideways. */
export const tooWide = (page: Page) =>
  page.evaluate<string[]>(`{
    const isScroller = each => /auto|scroll/.test(getComputedStyle(each).overflowX)
    const wide = [...document.querySelectorAll('body *')].filter(each => {
      return each.scrollWidth > each.clientWidth + 1 && isScroller(each) && !each.matches('${SCROLLERS}')
    })
    if (document.documentElement.scrollWidth > innerWidth) wide.push(document.documentElement)
    wide.map(each => each.outerHTML.slice(0, 120) + ' ' + each.scrollWidth + ' > ' + each.clientWidth)
  }`)

/** The window of the narrowest phone. */
export const NARROW = { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true }

/** A window of each size. */
export const SCREENS: ReadonlyArray<readonly [name: string, options: BrowserContextOptions]> = [
  ['desk', {}],
  ['phone', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }]
]
