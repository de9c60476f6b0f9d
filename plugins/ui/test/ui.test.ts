import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { testServer, type TestOptions } from '../../../test/runner/harness.ts'
import { TRACKER_COMMAND } from '../../../test/runner/process.ts'

const html = { accept: 'text/html' }
async function start(t: Test, options: TestOptions = {}) {
  const server = await testServer({ plugins: ['workspace', 'agents', 'passwords', 'events', 'ui'], ...options })
  t.teardown(() => server.close())
  return server
}
const shared = await start(t)
type Server = Awaited<ReturnType<typeof start>>
const page = (server: Server, path = '/') => server.call(path, { token: null, headers: html })
/** Every script and style that the page can load. */
async function bundleOf(server: Server): Promise<string> {
  const names = new Set([...(await page(server)).body.matchAll(/assets\/([\w.-]+)/g)].map(([, name]) => name!))
  let all = ''
  for (const name of names) {
    const { body } = await server.call(`/assets/${name}`, { token: null })
    if (!name.endsWith('.woff2')) all += body
    for (const [, chunk] of body.matchAll(/["'/](c-[A-Z0-9]+\.js)/g)) names.add(chunk!)
  }
  return all
}

t.test('every address of the interface is one page, whose policy allows nothing inline or foreign', async t => {
  for (const path of ['/', '/issue/ENG-1', '/settings/agents?x=1']) {
    const { statusCode, headers, body } = await page(shared, path)
    t.equal(statusCode, 200, path)
    t.equal(
      headers['content-security-policy'],
      "default-src 'self'; img-src 'self' data: https: http:; object-src 'none'; base-uri 'none'; " +
        "form-action 'self'; frame-ancestors 'none'"
    )
    t.notMatch(body, /<style|style=|<script(?! type="module" src="\/assets\/)/)
  }
})

t.test('what is no page stays a 404 in JSON', async t => {
  for (const path of ['/v1/nothing', '/favicon.ico', '/.well-known/nothing', '/assets/nothing.js']) {
    const { statusCode, headers, body } = await page(shared, path)
    t.equal(statusCode, 404, path)
    t.match(headers['content-type'], /^application\/json/, path)
    t.match(JSON.parse(body), { code: 'NOT_FOUND' })
  }
  for (const accept of ['application/json', '*/*']) {
    t.equal((await shared.call('/board', { token: null, headers: { accept } })).statusCode, 404)
  }
  const root = await shared.call('/', { token: null, headers: { accept: '*/*' } })
  t.match(root.headers['content-type'], /^text\/html/, 'the root is the page for any client')
})

t.test('assets are immutable and compressed', async t => {
  const path = /src="(\/assets\/app-\w+\.js)"/.exec((await page(shared)).body)![1]!
  const fetchWith = (encoding: string) => shared.app.inject({ url: path, headers: { 'accept-encoding': encoding } })
  const plain = await fetchWith('identity')
  t.match(plain.headers, {
    'cache-control': 'public, max-age=31536000, immutable',
    'content-type': 'text/javascript; charset=utf-8',
    vary: /accept-encoding/
  })
  const [br, gzip] = [await fetchWith('gzip, br'), await fetchWith('gzip')]
  t.equal(br.headers['content-encoding'], 'br')
  t.equal(brotliDecompressSync(br.rawPayload).toString(), plain.body)
  t.equal(gzip.headers['content-encoding'], 'gzip')
  t.equal(gunzipSync(gzip.rawPayload).toString(), plain.body)
  t.equal((await fetchWith('br;q=0, gzip;q=0.5')).headers['content-encoding'], 'gzip')
  t.equal((await fetchWith('br; q=0.0, gzip;q=0')).headers['content-encoding'], undefined)
})

t.test('the page links to the licences of the libraries that it is made of', async t => {
  const path = /<link rel="license" href="([^"]+)">/.exec((await page(shared)).body)![1]!
  const { headers, body } = await shared.app.inject({ url: path })
  t.equal(headers['content-type'], 'text/plain; charset=utf-8')
  for (const library of ['react', 'react-dom', 'scheduler', '@fontsource-variable/inter', 'wouter']) {
    t.match(body, new RegExp(`^${library} \\d+\\.\\d+`, 'm'))
  }
  t.match(body, /Permission is hereby granted/)
})

t.test('the first load is at most 230 KB, compressed, and the editor 120 KB more', async t => {
  const server = await testServer()
  t.teardown(() => server.close())
  const load = (path: string) => server.app.inject({ url: path, headers: { 'accept-encoding': 'br' } })
  const scriptsIn = (script: string) =>
    [...script.matchAll(/["'/](c-[A-Z0-9]+\.js)/g)].map(([, name]) => `/assets/${name}`)
  const { body } = await page(server)
  const loaded = new Set<string>()
  let bytes = body.length
  for (const [, path] of body.matchAll(/(?<!rel="license" )(?:href|src)="(\/assets\/[^"]+)"/g)) {
    loaded.add(path!)
    bytes += (await load(path!)).rawPayload.length
  }
  t.ok(bytes > 50_000 && bytes < 230_000, `${bytes} bytes`)

  const scripts = new Set([...loaded].filter(path => path.endsWith('.js')))
  const sizes = new Map<string, number>()
  let editor = ''
  for (const path of scripts) {
    const { rawPayload } = await load(path)
    const script = rawPayload.length > 200 ? brotliDecompressSync(rawPayload).toString() : rawPayload.toString()
    sizes.set(path, rawPayload.length)
    if (script.includes('clipboardTextParser')) editor = script
    for (const other of scriptsIn(script)) scripts.add(other)
    if (script === editor) sizes.set('editor', rawPayload.length)
  }
  const imported = [...editor.matchAll(/from"\.\/(c-[A-Z0-9]+\.js)"/g)].map(([, name]) => `/assets/${name}`)
  const more = imported.filter(path => !loaded.has(path)).map(path => sizes.get(path)!)
  const editorBytes = more.reduce((sum, size) => sum + size, sizes.get('editor')!)
  t.ok(editorBytes > 50_000 && editorBytes < 120_000, `${editorBytes} bytes`)
})

t.test('a plugin that is off leaves no byte in the bundle', async t => {
  const withAgents = await bundleOf(shared)
  t.ok(/users\/agents/.test(withAgents) && /passwords\/sign_in/.test(withAgents))
  const without = await bundleOf(await start(t, { plugins: ['workspace', 'events', 'ui'] }))
  t.notOk(/users\/agents/.test(without))
  t.notOk(/passwords/.test(without))
})

t.test('below a prefix the page finds its assets', async t => {
  const server = await start(t, { settings: { prefix: '/board' } })
  const { body } = await page(server, '/board/')
  t.match(body, '<meta name="tracker-prefix" content="/board">')
  const path = /src="(\/board\/assets\/app-\w+\.js)"/.exec(body)![1]!
  t.equal((await server.call(path, { token: null })).statusCode, 200)
})

t.test('a second start finds the interface in the cache', async t => {
  const cacheDir = join(t.testdir(), 'cache')
  const run = async () => {
    const env = { PATH: process.env['PATH'], TRACKER_PLUGINS__UI__CACHE_DIR: cacheDir }
    const { stderr } = await promisify(execFile)(process.execPath, [...TRACKER_COMMAND, 'build-ui'], { env })
    return stderr
  }
  t.match(await run(), /is built: \d+ files/)
  t.match(await run(), /was built already: \d+ files/)
})

t.test('with the interface off neither esbuild nor React is loaded, and GET / is a 404', async t => {
  const script = `
    import { registerHooks } from 'node:module'
    const loaded = []
    registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context) } })
    const { testServer } = await import('./test/runner/harness.ts')
    const { installed } = await import('./plugins/index.ts')
    // oauth asks people there.
    const others = Object.keys(installed).filter(name => name !== 'ui' && name !== 'oauth')
    const server = await testServer({ plugins: others })
    const { statusCode } = await server.call('/', { token: null, headers: { accept: 'text/html' } })
    await server.close()
    const ui = loaded.filter(url => /node_modules.(esbuild|react)|plugins.ui.(?!contract)|[.]tsx/.test(url))
    console.log(JSON.stringify({ statusCode, ui }))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    env: { PATH: process.env['PATH'] }
  })
  t.strictSame(JSON.parse(stdout.trim().split('\n').at(-1)!), { statusCode: 404, ui: [] })
})

t.test('only requests for pages wait for the build', async t => {
  const server = await start(t, { settings: { plugins: { ui: { cacheDir: join(t.testdir(), 'cache') } } } })
  await server.app.listen({ host: '127.0.0.1', port: 0 })
  t.match((await server.call('/health/ready', { token: null })).json(), { status: 'ready', ui: { state: 'building' } })
  t.equal((await page(server)).statusCode, 200)
  t.match((await server.call('/health/ready', { token: null })).json(), { ui: { state: 'ready' } })
})

t.test('JSON answers are compressed where the client says that it can read them', async t => {
  const server = await start(t)
  const inject = (encoding: string) =>
    server.app.inject({ url: '/openapi.json', headers: { 'accept-encoding': encoding } })
  const plain = await inject('identity')
  const br = await inject('br')
  t.equal(plain.headers['content-encoding'], undefined)
  t.equal(br.headers['content-encoding'], 'br')
  t.equal(brotliDecompressSync(br.rawPayload).toString(), plain.body)
})
