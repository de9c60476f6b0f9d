import { once } from 'node:events'
import { request, type ClientRequest } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { newToken } from '../../../core/auth/tokens.ts'
import { migratedDatabase } from '../../../test/runner/empty-database.ts'
import { onlyPlugins, startProcess, type ServerProcess } from '../../../test/runner/process.ts'
import { statusMb } from '../../../test/runner/status-mb.ts'
import type { Uploaded } from './upload.ts'

/* Servers in processes of their own: killed within uploads, and with many uploads at once. */

const MIB = 1024 * 1024
/** Maximum MB that uploads add to the memory of a server: buffers in use, and those that V8 has not collected yet. */
const MAX_MORE_MB = 64
const token = newToken()

/** Starts servers on one database. */
async function starter(t: Test): Promise<() => Promise<ServerProcess>> {
  const database = await migratedDatabase(process.env['TEST_DATABASE_URL'])
  t.teardown(database.remove)
  const env = { TRACKER_ADMIN_TOKEN: token, ...database.env, ...onlyPlugins('workspace', 'issues', 'files') }
  return async () => {
    const server = await startProcess({ ...env, TRACKER_PLUGINS__FILES__MAX_BYTES: String(200 * MIB) })
    t.teardown(() => server.end('SIGKILL'))
    return server
  }
}

const begin = ({ url }: ServerProcess, length: number, headers: Record<string, string> = {}): ClientRequest =>
  request(`${url}/v1/files`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-length': length, ...headers }
  })

async function send<T>(
  { url }: ServerProcess,
  path: string,
  init: RequestInit = {}
): Promise<{ status: number; body: T }> {
  const answer = await fetch(url + path, { headers: { authorization: `Bearer ${token}` }, ...init })
  return { status: answer.status, body: (await answer.json()) as T }
}

t.test('a server that is killed within an upload serves nothing of it, and the upload arrives once', async t => {
  const start = await starter(t)
  const content = Buffer.alloc(2 * MIB, 'x')
  const headers = { authorization: `Bearer ${token}`, 'idempotency-key': 'once' }
  const first = await start()
  const cut = begin(first, content.length, headers).on('error', () => {})
  cut.write(content.subarray(0, MIB))
  await sleep(500)
  await first.end('SIGKILL')

  const second = await start()
  const { body: file, status } = await send<Uploaded>(second, '/v1/files', { method: 'POST', headers, body: content })
  t.equal(status, 201)
  const again = await send<Uploaded>(second, '/v1/files', { method: 'POST', headers, body: content })
  t.strictSame(again.body, file)
  const read = await fetch(second.url + file.url, { headers })
  t.ok(Buffer.from(await read.arrayBuffer()).equals(content))
  await second.end('SIGKILL')
})

/** Uploads zeros, no faster than the server takes them. @returns the status; 0: the connection was closed */
async function uploadZeros(server: ServerProcess, length: number, as: string): Promise<number> {
  const sent = begin(server, length, { authorization: `Bearer ${as}` })
  const answered = new Promise<number>(resolve => {
    sent.on('response', response => resolve(response.resume().statusCode ?? 0)).on('error', () => resolve(0))
  })
  const chunk = Buffer.alloc(64 * 1024)
  const sending = async () => {
    for (let at = 0; at < length && !sent.destroyed; at += chunk.length) {
      if (!sent.write(chunk)) await once(sent, 'drain')
    }
    sent.end()
  }
  sending().catch(() => {})
  return answered
}

t.test('large files, and a hundred at once, take little more memory', { timeout: 300_000 }, async t => {
  const server = await (await starter(t))()
  const tokens = await Promise.all(
    Array.from({ length: 25 }, async (_, n) => {
      const init = {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name: `Token ${n}` })
      }
      return (await send<{ token: string }>(server, '/v1/users/pat', init)).body.token
    })
  )
  // Its code is compiled, and its heap has grown.
  await uploadZeros(server, 150 * MIB, token)
  const before = await statusMb(server.pid, 'VmRSS')
  let peak = before
  const watching = setInterval(() => {
    statusMb(server.pid, 'VmRSS').then(
      mb => {
        peak = Math.max(peak, mb)
      },
      () => {}
    )
  }, 20)
  t.teardown(() => clearInterval(watching))

  const large = await Promise.all([1, 2].map(() => uploadZeros(server, 150 * MIB, token)))
  t.strictSame(large, [201, 201])
  t.comment(`${peak} MB after the large ones`)
  const many = await Promise.all(tokens.flatMap(as => [1, 2, 3, 4].map(() => uploadZeros(server, 4 * MIB, as))))
  const stored = many.filter(status => status === 201).length
  t.ok(stored >= 32, `${stored} of 100 are stored`)
  t.strictSame(
    many.filter(status => ![201, 429, 503].includes(status)),
    []
  )
  t.comment(`${before} MB before, ${peak} MB at most, ${stored} of 100 stored`)
  t.ok(peak - before <= MAX_MORE_MB, `${peak - before} MB more`)
  await server.end('SIGTERM')
})
