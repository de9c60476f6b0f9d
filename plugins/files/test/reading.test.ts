import t from 'tap'
import { testServer, type TestServer } from '../../../test/runner/harness.ts'
import { listen, PIXEL, upload, type Uploaded } from './upload.ts'

let server: TestServer
let origin: string
t.before(async () => {
  server = await testServer({ plugins: ['workspace', 'issues', 'files'] })
  origin = `http://127.0.0.1:${await listen(server)}`
})
t.teardown(() => server.close())

const read = (file: Uploaded, headers: Record<string, string> = {}) => server.call(file.url, { headers })
const CONTENT = Buffer.from(Array.from({ length: 600_000 }, (_, n) => (n * 31) % 256))

t.test('nothing in a file is executed: its type is that of its content, and what may run is downloaded', async t => {
  const gif = Buffer.concat([Buffer.from('GIF89a'), Buffer.from([1, 0, 1, 0, 0, 0, 0]), Buffer.from('=1;alert(1)')])
  const cases: Array<[name: string, content: Buffer | string, type: string, disposition: string]> = [
    ['a.png', PIXEL, 'image/png', 'inline'],
    ['a.svg', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', 'text/plain', 'attachment'],
    ['b.svg', '<?xml version="1.0"?><svg><script>alert(1)</script></svg>', 'application/xml', 'attachment'],
    ['a.html', '<!doctype html><script>alert(1)</script>', 'text/plain', 'attachment'],
    ['a.png', '<!doctype html><script>alert(1)</script>', 'text/plain', 'attachment'],
    ['a.js', gif, 'image/gif', 'inline'],
    ['a.html', '%PDF-1.7\n<script>alert(1)</script>', 'application/pdf', 'inline'],
    ['a.html', Buffer.concat([PIXEL, Buffer.from('<script>alert(1)</script>')]), 'image/png', 'inline'],
    ['a.zip', Buffer.from('504b0506000000000000000000000000000000000000', 'hex'), 'application/zip', 'attachment'],
    ['a.exe', Buffer.concat([Buffer.from('MZ'), Buffer.alloc(200)]), 'application/x-msdownload', 'attachment'],
    ['a.png', Buffer.from([0, 1, 2, 3]), 'application/octet-stream', 'attachment']
  ]
  for (const [name, content, type, disposition] of cases) {
    const file = await upload(server, content, { name })
    t.equal(file.mimeType, type, name)
    const { headers, statusCode } = await read(file)
    t.equal(statusCode, 200)
    t.match(headers, {
      'content-type': type === 'text/plain' ? 'text/plain; charset=utf-8' : type,
      'content-disposition': `${disposition}; filename=${name}`,
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-cache'
    })
  }
})

t.test('names lose folders, line breaks, invisible marks and their excess', async t => {
  const cases: Array<[sent: string, stored: string]> = [
    ['../../etc/passwd', 'passwd'],
    ['..\\..\\boot.ini', 'boot.ini'],
    ['..', 'file'],
    ['/', 'file'],
    ['\u202Egnp.exe', 'gnp.exe'],
    ['a\r\nX: b.txt', 'a X: b.txt'],
    ['a\u0000b\u200B.txt', 'ab.txt'],
    [`${'x'.repeat(4096)}.png`, `${'x'.repeat(196)}.png`],
    ['😀'.repeat(2000), '😀'.repeat(100)],
    ['Übersicht "neu".png', 'Übersicht "neu".png']
  ]
  for (const [sent, stored] of cases) {
    const file = await upload(server, 'x', { name: sent })
    t.equal(file.name, stored)
    const { statusCode, headers } = await read(file)
    t.equal(statusCode, 200, file.url)
    t.ok(headers['content-disposition'])
  }
})

t.test('a range of bytes is answered, also across parts', async t => {
  const file = await upload(server, CONTENT)
  const size = CONTENT.length
  for (const [range, start, end] of [
    ['bytes=0-0', 0, 0],
    ['bytes=262100-262200', 262100, 262200],
    ['bytes=262144-524287', 262144, 524287],
    ['bytes=524288-', 524288, size - 1],
    ['bytes=-5', size - 5, size - 1],
    ['bytes=-9999999', 0, size - 1],
    ['bytes=599990-9999999', 599990, size - 1]
  ] as const) {
    const answer = await read(file, { range })
    t.equal(answer.statusCode, 206, range)
    t.equal(answer.headers['content-range'], `bytes ${start}-${end}/${size}`)
    t.equal(Number(answer.headers['content-length']), end - start + 1)
    t.ok(answer.rawPayload.equals(CONTENT.subarray(start, end + 1)), range)
  }
  for (const range of ['bytes=0-1,5-6', 'items=0-1', 'bytes=-', 'nonsense']) {
    t.equal((await read(file, { range })).statusCode, 200, range)
  }
  for (const range of [`bytes=${size}-`, 'bytes=5-4', 'bytes=-0']) {
    const answer = await read(file, { range })
    t.equal(answer.statusCode, 416, range)
    t.equal(answer.headers['content-range'], `bytes */${size}`)
    t.match(answer.json(), { code: 'RANGE_NOT_SATISFIABLE', bytes: size })
  }
  const etag = String((await read(file)).headers['etag'])
  t.equal((await read(file, { range: 'bytes=0-0', 'if-range': etag })).statusCode, 206)
  t.equal((await read(file, { range: 'bytes=0-0', 'if-range': '"other"' })).statusCode, 200)
})

t.test('a client that has the file is not sent it again, and HEAD sends no content', async t => {
  const file = await upload(server, CONTENT)
  const etag = String((await read(file)).headers['etag'])
  t.equal(etag, `"${file.sha256}"`)
  const again = await read(file, { 'if-none-match': etag })
  t.equal(again.statusCode, 304)
  t.equal(again.body, '')
  const headers = { authorization: `Bearer ${server.token}` }
  const head = await fetch(origin + file.url, { method: 'HEAD', headers })
  t.equal(head.status, 200)
  t.equal(head.headers.get('content-length'), String(CONTENT.length))
  t.equal((await head.arrayBuffer()).byteLength, 0)
  t.equal((await fetch(origin + file.url, { method: 'HEAD' })).status, 401)
})

t.test('the name in the address does not matter, the id does', async t => {
  const file = await upload(server, 'here', { name: 'a.txt' })
  t.equal((await server.call(`/v1/files/${file.id}/other`)).body, 'here')
  t.equal((await server.call(`/v1/files/${file.id.toUpperCase()}/a.txt`)).body, 'here')
  t.equal((await server.call('/v1/files/01890000-0000-7000-8000-000000000000/a.txt')).statusCode, 404)
  t.equal((await server.call('/v1/files/nothing/a.txt')).statusCode, 400)
})
