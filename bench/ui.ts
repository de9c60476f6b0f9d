import { parseArgs } from 'node:util'
import { chromium, type CDPSession, type Page } from 'playwright-core'
import { newToken } from '../core/auth/tokens.ts'
import { CHROMIUM, PASSWORD } from '../test/runner/chromium.ts'
import { emptyDatabase } from '../test/runner/empty-database.ts'
import { startProcess } from '../test/runner/process.ts'
import { loadBoard } from './boards.ts'

/*
 * `npm run bench:ui -- [--database URL] [--issues 10000]`: the speed of the web interface in Chromium: the bytes of a
 * first load, the time until the first cards and until the first rows of a filter, the CPU time of the main thread per
 * frame while scrolling, dragging and typing, and how long a pasted image takes to another browser. Other work on the
 * machine affects CPU time less than the clock.
 */
const { values: options } = parseArgs({
  options: { database: { type: 'string' }, issues: { type: 'string', default: '10000' } }
})
const VIEWPORT = { width: 1300, height: 860 }
const FRAMES = 200
/** Timeout on a busy machine, which then spoils the figures anyway. */
const PATIENCE_MS = 120_000
const FIRST_CARDS = 20
const FILTERED = 12
const STATES = ['todo', 'backlog', 'done']
const PASTED_IMAGES = 20
const LONG_TEXT_BYTES = 64 * 1024
const PARAGRAPH = `${'Words of a long text that somebody has written here. '.repeat(10)}\n\n`
const CODE = `\`\`\`ts\n${'export const value: string = compute("text", 42) // why\n'.repeat(120)}\`\`\`\n\n`
/** `shown`: the milliseconds from the next key until the first rows are others. */
const NEXT_FIRST_ROWS = `globalThis.shown = new Promise(resolve => {
  const first = () => [...document.querySelectorAll('main a[href^="/issue/"]')].slice(0, 5).map(a => a.href).join()
  const before = first()
  let start
  addEventListener('keydown', () => { start = performance.now() }, { capture: true, once: true })
  const look = () => {
    if (start !== undefined && first() !== '' && first() !== before) resolve(performance.now() - start)
    else requestAnimationFrame(look)
  }
  look()
})
undefined`
const token = newToken()

const say = (line: string) => process.stdout.write(`${line}\n`)
const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(0)} KB`

/** The CPU time of the page's main thread, in ms. */
async function cpuOf(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'TaskDuration')!.value * 1000
}

/** Runs a script, if there is one, and waits for the frame after it. */
const nextFrame = (page: Page, script = '') =>
  page.evaluate(`new Promise(resolve => { ${script}; requestAnimationFrame(resolve) })`)

/** Runs an action, which ends in the next frame, for each of some frames, and prints the times of the frames. */
async function measureFrames(session: CDPSession, name: string, step: (n: number) => Promise<unknown>) {
  const times: number[] = []
  for (let n = 0; n < FRAMES; n++) {
    const before = await cpuOf(session)
    await step(n)
    times.push((await cpuOf(session)) - before)
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))]!.toFixed(1)
  say(`${name.padEnd(28)} p50 ${at(0.5)}  p95 ${at(0.95)}  longest ${at(1)} ms of CPU a frame`)
}

const firstCards = (page: Page) =>
  page
    .locator('main section li a')
    .nth(FIRST_CARDS - 1)
    .waitFor({ state: 'attached' })

if (CHROMIUM === undefined) throw new Error('There is no Chromium here: apt-get install chromium-headless-shell.')
const database = await emptyDatabase(options.database)
const env = { ...database.env, TRACKER_ADMIN_TOKEN: token, LOG_LEVEL: 'error' }
await (await startProcess(env)).end('SIGTERM') // migrates
const place =
  'DATABASE_URL' in database.env ? { url: database.env.DATABASE_URL } : { dataDir: database.env.TRACKER_DATA_DIR }
await loadBoard(place, Number(options.issues))
const server = await startProcess(env)
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
try {
  await measure()
} finally {
  await browser.close()
  await server.end('SIGTERM')
  await database.remove()
}

/** Signs in and opens the board: then the interface is built, and the server warm. @returns what a browser keeps */
async function warmUp() {
  const page = await browser.newPage({ viewport: VIEWPORT })
  page.setDefaultTimeout(PATIENCE_MS)
  const data = { token, password: PASSWORD }
  const headers = { 'sec-fetch-site': 'same-origin' }
  const signedIn = await page.request.post(`${server.url}/v1/passwords/first`, { data, headers })
  if (!signedIn.ok()) throw new Error(await signedIn.text())
  await page.goto(`${server.url}/board`)
  await firstCards(page)
  const kept = await page.context().storageState()
  await page.close()
  return kept
}

async function measure(): Promise<void> {
  // Another page, whose processor time is that of its first load.
  const page = await browser.newPage({ viewport: VIEWPORT, storageState: await warmUp() })
  page.setDefaultTimeout(PATIENCE_MS)
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  await session.send('Network.enable')
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  let received = 0
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    received += encodedDataLength
  })
  const start = performance.now()
  await page.goto(`${server.url}/board`)
  await firstCards(page)
  const wallMs = Math.round(performance.now() - start)
  say(`first cards                  ${Math.round(await cpuOf(session))} ms of CPU, ${wallMs} ms`)
  await page.waitForLoadState('networkidle').catch(() => undefined)
  say(`first load                   ${kilobytes(received)} with its data, compressed`)

  await page.evaluate(`globalThis.scroller = [...document.querySelectorAll('main section')].map(s => s.lastElementChild)
    .reduce((a, b) => (a.scrollHeight >= b.scrollHeight ? a : b))
    undefined`)
  await measureFrames(session, 'scrolling a column', () => nextFrame(page, 'scroller.scrollBy(0, 240)'))
  await page.evaluate('scroller.scrollTo(0, 0)')

  const card = (await page.locator('main section li a').first().boundingBox())!
  await page.mouse.move(card.x + 20, card.y + 20)
  await page.mouse.down()
  await measureFrames(session, 'dragging a card', async n => {
    await page.mouse.move(card.x + 30 + n * 3, card.y + 40 + (n % 20) * 5)
    await nextFrame(page)
  })
  await page.mouse.move(5, 5)
  await page.mouse.up()
  await filterList(page, session)
  await typeLong(page, session, () => received)
  await pasteImages(page, await browser.newPage({ storageState: await page.context().storageState() }))
}

/** How long the first rows of a list take after the key that applies a typed filter of three properties. */
async function filterList(page: Page, session: CDPSession): Promise<void> {
  const times: number[] = []
  const cpuTimes: number[] = []
  for (let n = 0; n < FILTERED; n++) {
    await page.goto(`${server.url}/issues`)
    await page.locator('main a[href^="/issue/"]').first().waitFor()
    await page.keyboard.press('f')
    const filter = page.getByRole('dialog', { name: 'Filter', exact: true })
    await filter.getByRole('combobox').and(page.locator(':focus')).waitFor()
    await page.keyboard.type(`state:${STATES[n % STATES.length]} label:bug -priority:none`)
    await filter.getByRole('option').first().waitFor()
    const before = await cpuOf(session)
    await page.evaluate(NEXT_FIRST_ROWS)
    await page.keyboard.press('Enter')
    times.push(await page.evaluate<number>('shown'))
    cpuTimes.push((await cpuOf(session)) - before)
  }
  const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!.toFixed(0)
  const [p50, cpu, longest] = [median(times), median(cpuTimes), times.at(-1)!.toFixed(0)]
  say(`a filter's first rows        p50 ${p50}  longest ${longest} ms after its key; ${cpu} ms of CPU`)
}

/** The times from the end of uploads of pasted images until another page, which shows the issue, shows them, too. */
async function pasteImages(page: Page, other: Page): Promise<void> {
  await openLong(page, 'A short text')
  await other.goto(page.url())
  const times: number[] = []
  for (let n = 0; n < PASTED_IMAGES; n++) {
    const editor = page.locator('[contenteditable][aria-label=Comment]')
    await page.getByRole('textbox', { name: 'Comment', exact: true }).click()
    await editor.waitFor()
    const uploaded = page.waitForResponse(answer => answer.url().endsWith('/v1/files')).then(() => performance.now())
    await page.evaluate(`(async () => {
      const canvas = Object.assign(document.createElement('canvas'), { width: 1600, height: 1000 })
      canvas.getContext('2d').fillRect(${n}, 20, 300, 200)
      const clipboardData = new DataTransfer()
      const blob = await new Promise(resolve => canvas.toBlob(resolve))
      clipboardData.items.add(new File([blob], 'screen-${n}.png', { type: 'image/png' }))
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
      document.activeElement.dispatchEvent(event)
    })()`)
    const start = await uploaded
    await editor.locator(`img[alt="screen-${n}.png"]`).waitFor()
    await page.keyboard.press('Control+Enter')
    const image = other.getByRole('article').getByRole('img', { name: `screen-${n}.png` })
    await image.waitFor()
    while (!(await image.evaluate((element: { naturalWidth: number }) => element.naturalWidth))) {
      await other.waitForTimeout(5)
    }
    times.push(performance.now() - start)
  }
  times.sort((a, b) => a - b)
  const [median, longest] = [times[PASTED_IMAGES / 2]!, times.at(-1)!].map(time => Math.round(time))
  say(`a pasted image elsewhere     p50 ${median}  longest ${longest} ms after its upload`)
}

async function typeLong(page: Page, session: CDPSession, received: () => number): Promise<void> {
  async function typed() {
    await page.keyboard.type('a')
    await nextFrame(page)
  }
  await openLong(page, PARAGRAPH)
  const before = received()
  const editor = await openEditor(page)
  say(`the editor, when it is used  ${kilobytes(received() - before)}, compressed`)
  await editor.locator('p').nth(40).click()
  await measureFrames(session, 'typing in 64 KB', typed)

  await openLong(page, CODE)
  await (await openEditor(page)).locator('pre').nth(3).click()
  // Not waitForFunction, which the page's policy refuses.
  while ((await page.evaluate('CSS.highlights.size')) === 0) await page.waitForTimeout(50)
  await measureFrames(session, 'typing in 64 KB of code', typed)
}

/** An issue whose description is long. */
async function openLong(page: Page, block: string): Promise<void> {
  const descriptionMarkdown = block.repeat(Math.ceil(LONG_TEXT_BYTES / block.length))
  const answer = await fetch(`${server.url}/v1/issues`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ teamId: 'ENG', title: 'A long text', descriptionMarkdown })
  })
  if (!answer.ok) throw new Error(await answer.text())
  const { key } = (await answer.json()) as { key: string }
  await page.goto(`${server.url}/issue/${key}`)
  await page.getByRole('heading', { name: 'A long text' }).waitFor()
  await page.waitForTimeout(500)
}

async function openEditor(page: Page) {
  await page.locator('main').focus()
  await page.keyboard.press('Shift+E')
  const editor = page.getByRole('textbox', { name: 'Description' })
  await editor.waitFor()
  return editor
}
