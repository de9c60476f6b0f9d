import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { testServer, type TestServer } from '../../../test/runner/harness.ts'
import { fileIssue, form, listen, raw, refused, upload } from './upload.ts'

const MAX_BYTES = 100_000
const settings = {
  requestTimeoutMs: 1000,
  plugins: { files: { maxBytes: MAX_BYTES, maxBytesPerWorkspace: 250_000, uploadStallTimeoutMs: 1000 } }
}

async function started(t: Test, more = {}): Promise<TestServer & { port: number }> {
  const server = await testServer({ plugins: ['workspace', 'agents', 'issues', 'files'], settings, ...more })
  t.teardown(() => server.close())
  return { ...server, port: await listen(server) }
}
const rowsOf = async (server: TestServer) =>
  server.database.db.withTables<{ file: { id: string } }>().selectFrom('file').select('id').execute()

/** Begins an upload of a length, over a connection of its own. */
async function begin(t: Test, { port, token }: { port: number; token: string }, length: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  t.teardown(() => socket.destroy())
  await once(socket, 'connect')
  socket.write(
    `POST /v1/files HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n` +
      'Content-Disposition: attachment; filename="a.txt"\r\nContent-Type: text/plain\r\n' +
      `Content-Length: ${length}\r\n\r\n`
  )
  return socket
}
async function answerOf(socket: Socket): Promise<string> {
  let text = ''
  for await (const chunk of socket) {
    text += String(chunk)
    const [head = '', body] = text.split('\r\n\r\n')
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? NaN)
    if (body !== undefined && Buffer.byteLength(body) >= length) break
  }
  return text
}

t.test('a file has a limit, and says which', async t => {
  const server = await started(t)
  await upload(server, Buffer.alloc(MAX_BYTES))
  for (const call of [raw(Buffer.alloc(MAX_BYTES + 1)), form(Buffer.alloc(MAX_BYTES + 1), 'a.bin')]) {
    const answer = await server.call('/v1/files', call)
    t.match(answer.json(), { statusCode: 413, code: 'TOO_LARGE', message: /plugins\.files\.maxBytes\b/ })
  }
  const huge = await fetch(`http://127.0.0.1:${server.port}/v1/files`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.token}` },
    body: Buffer.alloc(20_000_000)
  })
  t.equal(huge.status, 413)
  t.match(await huge.json(), { message: /plugins\.files\.maxBytes\b/ })
  t.equal((await rowsOf(server)).length, 1, 'nothing is left of those that were refused')

  const endless = await begin(t, server, 1_000_000_000)
  const part = Buffer.alloc(1_000_000)
  for (let sent = 0; sent < 70; sent++) {
    if (!endless.write(part)) await Promise.race([once(endless, 'drain'), sleep(100)])
  }
  t.match(await answerOf(endless), /^HTTP\/1\.1 413 /, 'the server does not read on for ever')
})

t.test('the files of a workspace have a limit together, which uploads at once do not pass', async t => {
  const server = await started(t)
  const { key } = await fileIssue(server)
  const answers = await Promise.all(
    [1, 2, 3, 4].map(() => server.call(`/v1/files?issueId=${key}`, raw(Buffer.alloc(100_000))))
  )
  t.strictSame(answers.map(({ statusCode }) => statusCode).sort(), [201, 201, 413, 413])
  t.match(answers.find(({ statusCode }) => statusCode === 413)!.json(), { message: /maxBytesPerWorkspace/ })
  while ((await rowsOf(server)).length > 2) await sleep(10)
  await upload(server, Buffer.alloc(50_000))
  await refused(t, server.call('/v1/files', raw('x')), 413)
  const [{ id } = { id: '' }] = await server.ok<Array<{ id: string }>>(`/v1/issues/${key}/files`)
  await server.ok(`/v1/files/${id}`, { method: 'DELETE' })
  await upload(server, Buffer.alloc(100_000))
  await refused(t, server.call('/v1/files', raw('x')), 413)
})

t.test('a slow upload arrives, a stalled one is ended, and a cut one leaves nothing', async t => {
  const server = await started(t)
  const slow = await begin(t, server, 30)
  for (let n = 0; n < 30; n++) {
    await sleep(100)
    slow.write('.')
  }
  t.match(await answerOf(slow), /^HTTP\/1\.1 201 /, 'it took three times requestTimeoutMs')

  const stalled = await begin(t, server, 30)
  stalled.write('.....')
  t.match(await answerOf(stalled), /^HTTP\/1\.1 408 [\s\S]*REQUEST_TIMEOUT/)

  const cut = await begin(t, server, 30)
  cut.write('.....')
  while ((await rowsOf(server)).length < 2) await sleep(10)
  cut.destroy()
  while ((await rowsOf(server)).length > 1) await sleep(10)
  await upload(server, 'the place is free again')
})

t.test('a token has four uploads at once', async t => {
  // On a busy machine more than a second may pass between their parts.
  const server = await started(t, { settings: { plugins: { files: { uploadStallTimeoutMs: 60_000 } } } })
  const begun = await Promise.all([1, 2, 3, 4].map(() => begin(t, server, 10)))
  while ((await rowsOf(server)).length < 4) await sleep(10)
  const answer = await server.call('/v1/files', raw('x'))
  t.match(answer.json(), { statusCode: 429, code: 'RATE_LIMITED' })
  t.ok(answer.headers['retry-after'])
  const other = await server.agent('Other')
  await upload(server, 'x', { token: other.token })
  for (const socket of begun) socket.write('..........')
  for (const socket of begun) t.match(await answerOf(socket), /^HTTP\/1\.1 201 /)
  await upload(server, 'x')
})

t.test('readers who go before the content is read leave their places to others', async t => {
  const server = await started(t)
  const { url } = await upload(server, 'content')
  const connections = promisify(server.app.server.getConnections.bind(server.app.server))
  const requests: unknown[] = []
  server.app.server.on('request', request => requests.push(request))
  // More than the 64 files that a token may read at once.
  const [rounds, readers] = [5, 15]
  for (let round = 1; round <= rounds; round++) {
    const [locked, gone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const lock = server.database.db.transaction().execute(async trx => {
      await sql`lock table file in access exclusive mode`.execute(trx)
      locked.resolve()
      await gone.promise
    })
    await locked.promise
    const sockets = Array.from({ length: readers }, () => connect(server.port, '127.0.0.1').on('error', () => {}))
    const head = `GET ${url} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${server.token}\r\n\r\n`
    for (const socket of sockets) socket.write(head)
    while (requests.length < round * readers) await sleep(10)
    for (const socket of sockets) socket.destroy()
    while ((await connections()) > 0) await sleep(10)
    gone.resolve()
    await lock
    await server.ok('/v1/users/me')
  }
  const answer = await server.call(url)
  t.equal(answer.statusCode, 200, answer.body)
})
