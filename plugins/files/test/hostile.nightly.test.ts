import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { needsChromium, startBrowser } from '../../../test/runner/chromium.ts'
import { testServer, type TestServer } from '../../../test/runner/harness.ts'
import { gzippedZeros, hugePicture } from './hostile.ts'
import { fileIssue, PIXEL, upload, type Uploaded } from './upload.ts'

/* Files that are made to run code of theirs, or to take all memory: in Chromium, and in the server. */

const SCRIPT = 'window.top.document.title = "hacked"; fetch("/v1/labels", { method: "POST", body: "{}" })'
const HTML = `<!doctype html><title>a page</title><script>${SCRIPT}</script><img src=x onerror='${SCRIPT}'>`
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" onload='${SCRIPT}'><script>${SCRIPT}</script></svg>`
/** A GIF that is JavaScript, too: its size opens a comment, which its end closes. */
const GIF_AND_SCRIPT = Buffer.concat([
  Buffer.from('GIF89a/*\x01\x00\x00\x00\x00', 'latin1'),
  Buffer.from(`*/=1;${SCRIPT}`)
])

const HOSTILE: ReadonlyArray<[name: string, content: Buffer | string]> = [
  ['page.html', HTML],
  ['page.png', HTML],
  ['page.xhtml', `<html xmlns="http://www.w3.org/1999/xhtml"><script>${SCRIPT}</script></html>`],
  ['picture.svg', SVG],
  ['declared.svg', `<?xml version="1.0"?>${SVG}`],
  ['script.js', SCRIPT],
  ['gif.js', GIF_AND_SCRIPT],
  ['png.html', Buffer.concat([PIXEL, Buffer.from(HTML)])],
  ['pdf.html', `%PDF-1.7\n${HTML}`],
  ['style.css', `body { background: url(/v1/files/stolen) } ${HTML}`]
]

t.test('no browser executes anything of a file', needsChromium, async t => {
  const plugins = ['workspace', 'issues', 'passwords', 'files', 'events', 'ui']
  const { server, url, openSignedIn } = await startBrowser(t, { plugins })
  const { key } = await fileIssue(server)
  // A page of the same origin that allows everything: only the headers of the file refuse anything.
  const page = await (await openSignedIn()).context().newPage()
  const body = '<title>whole</title>'
  await page.route('**/anything-goes', route => route.fulfill({ contentType: 'text/html', body }))
  await page.goto(`${url}/anything-goes`)
  const labels = async () => (await server.ok<object[]>('/v1/labels')).length
  const before = await labels()
  for (const [name, content] of HOSTILE) {
    const file = await upload(server, content, { name, query: `?issueId=${key}` })
    await t.test(name, t => assertHarmless(t, page, file))
  }
  t.equal(await labels(), before, 'no request was sent in the name of the person')
})

/** Puts a file into a page in every way that could run it, then opens it. */
async function assertHarmless(t: Test, page: Page, { url }: Uploaded): Promise<void> {
  const outcomes: string[] = await page.evaluate(`Promise.all([
    ...['script', 'iframe', 'object', 'embed', 'img', 'link'].map(tag => new Promise(resolve => {
      const element = document.createElement(tag)
      element.onload = () => resolve(tag + ' loaded')
      element.onerror = () => resolve(tag + ' refused')
      // A frame whose content is downloaded emits no event.
      if (['iframe', 'object', 'embed'].includes(tag)) setTimeout(() => resolve(tag + ' is silent'), 1000)
      if (tag === 'link') element.rel = 'stylesheet'
      element[tag === 'link' ? 'href' : tag === 'object' ? 'data' : 'src'] = ${JSON.stringify(url)}
      document.body.append(element)
    })),
    import(${JSON.stringify(url)}).then(() => 'module loaded', () => 'module refused'),
    navigator.serviceWorker.register(${JSON.stringify(url)}).then(() => 'worker loaded', () => 'worker refused')
  ])`)
  for (const way of ['script', 'module', 'worker', 'link']) t.ok(outcomes.includes(`${way} refused`), outcomes.join())
  const opened = await page.context().newPage()
  // A file that is downloaded opens no page: `goto` fails.
  await opened.goto(new URL(url, page.url()).href).catch(() => {})
  t.not(await opened.title(), 'hacked')
  await opened.close()
  t.equal(await page.title(), 'whole')
}

t.test('what is small here and huge elsewhere stays as small as it is', async t => {
  const server = await testServer({ plugins: ['workspace', 'issues', 'files'] })
  t.teardown(() => server.close())
  const cases: Array<[name: string, content: Buffer, type: string]> = [
    ['wide.png', hugePicture(2 ** 31 - 1, 2 ** 31 - 1), 'image/png'],
    ['deep.png', hugePicture(50_000, 50_000), 'image/png'],
    ['zeros.png', gzippedZeros(), 'application/gzip']
  ]
  await upload(server, 'the code is loaded')
  const before = process.memoryUsage.rss()
  for (const [name, content, type] of cases) {
    const file = await upload(server, content, { name })
    t.match(file, { mimeType: type, bytes: content.length }, name)
    await assertReadAsIs(t, server, file, content)
  }
  const more = (process.memoryUsage.rss() - before) / 1024 / 1024
  t.ok(more < 64, `nothing was unpacked: ${Math.round(more)} MiB more`)
})

async function assertReadAsIs(t: Test, server: TestServer, { url }: Uploaded, content: Buffer): Promise<void> {
  const { rawPayload, headers } = await server.call(url, { headers: { 'accept-encoding': 'gzip, br' } })
  t.ok(rawPayload.equals(content), 'it is sent as it is')
  t.equal(headers['content-encoding'], undefined)
}
