import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { testServer } from '../../../test/runner/harness.ts'

const PAGE = '<!doctype html><head></head><h1>Claims</h1>'

async function startWith(t: Test, files: Record<string, string | object>, prefix = '') {
  const folder = join(t.testdir({ 'secret.json': '{}', help: files } as Parameters<Test['testdir']>[0]), 'help')
  const server = await testServer({ plugins: ['help'], settings: { prefix, plugins: { help: { folder } } } })
  t.teardown(() => server.close())
  return (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
    server.app.inject({ method, url, headers })
}

t.test('everybody reads the pages, compressed where the client can take it', async t => {
  const get = await startWith(t, {
    'index.html': '<h1>All</h1>',
    'claims.html': PAGE,
    'claims.html.br': brotliCompressSync(PAGE),
    assets: { 'style-12.css.br': brotliCompressSync('a {}') }
  })
  t.match(await get('/help/'), { statusCode: 200, body: '<h1>All</h1>' })
  const page = await get('/help/claims.html')
  t.match(page, { statusCode: 200, body: PAGE, headers: { 'content-type': 'text/html; charset=utf-8' } })
  t.match(page.headers, { 'cache-control': 'public, no-cache', vary: /accept-encoding/ })
  t.match(page.headers['content-security-policy'], /default-src 'none'; script-src 'self';/)
  t.equal((await get('/help/claims.html', { 'if-none-match': String(page.headers['etag']) })).statusCode, 304)

  const compressed = await get('/help/claims.html', { 'accept-encoding': 'gzip, br' })
  t.equal(compressed.headers['content-encoding'], 'br')
  const refused = await get('/help/claims.html', { 'accept-encoding': 'br;q=0' })
  t.equal(refused.headers['content-encoding'], undefined)
  t.equal(String(brotliDecompressSync(compressed.rawPayload)), PAGE)

  const style = await get('/help/assets/style-12.css')
  t.match(
    style,
    { body: 'a {}', headers: { 'content-type': 'text/css; charset=utf-8' } },
    'a release has no other form'
  )
  t.match(style.headers['cache-control'], /immutable/)
})

t.test('HEAD answers without a body', async t => {
  const get = await startWith(t, { 'index.html': PAGE })
  t.match(await get('/help/', {}, 'HEAD'), { statusCode: 200, body: '', headers: { 'content-type': /text\/html/ } })
})

t.test('below a prefix, the address without a slash leads to the first page', async t => {
  const get = await startWith(t, { 'index.html': PAGE, '404.html': '<head></head>' }, '/board')
  t.match(await get('/board/help'), { statusCode: 302, headers: { location: '/board/help/' } })
  t.match(await get('/board/help/'), { statusCode: 200 })
  t.match(await get('/board/help/a/b.html'), { statusCode: 404, body: '<base href="/board/help/">' })
})

t.test('no path leads out of the folder', async t => {
  const get = await startWith(t, { 'index.html': PAGE, '404.html': '<head></head>', '.hidden.json': '{}' })
  for (const path of ['..%2fsecret.json', '%2e%2e/secret.json', '..%5csecret.json', '.hidden.json', 'index.html.br']) {
    t.equal((await get(`/help/${path}`)).statusCode, 404, path)
  }
})

t.test('where it was not built, one sentence says how to build it', async t => {
  const get = await startWith(t, {})
  t.match(await get('/help/'), {
    statusCode: 404,
    body: /^The documentation was not built: run npm run docs .+\.\n$/,
    headers: { 'content-type': 'text/plain; charset=utf-8' }
  })
})
