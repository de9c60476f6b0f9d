import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import { pino } from 'pino'
import t, { type Test } from 'tap'
import { testServer } from '../../../test/runner/harness.ts'
import { embeddedCopy } from '../../../test/runner/templates.ts'
import { configure } from '../../config/config.ts'
import { contract } from '../../api/contract.ts'
import { holdDirectory } from '../../db/embedded/directory-lock.ts'
import { openEmbedded } from '../../db/embedded/embedded.ts'
import { definePlugin, dependsOn } from '../../api/plugin.ts'
import { build } from '../server.ts'

/** A server with a route that reports its start and waits for `release`; and a connection to it. */
async function slowServer(t: Test) {
  const arrived = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  const worked = Promise.withResolvers<unknown>()
  const slow = definePlugin(dependsOn(contract()('slow')), {
    summary: 'Has a route that waits.',
    routes(app, { db }) {
      app.get('/v1/slow', async () => {
        arrived.resolve()
        await goOn.promise
        await sql`select 1`.execute(db).then(() => worked.resolve('worked'), worked.resolve)
        return {}
      })
    }
  })
  const server = await testServer({ plugins: ['workspace'], also: { slow: async () => ({ default: slow }) } })
  await server.app.listen({ host: '127.0.0.1', port: 0 })
  const socket = connect((server.app.server.address() as AddressInfo).port, '127.0.0.1')
  t.teardown(() => socket.destroy())
  const get = (path: string) =>
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${server.token}\r\n\r\n`)
  get('/v1/slow')
  await arrived.promise
  return { server, socket, get, goOn: () => goOn.resolve(), worked: worked.promise }
}

t.test('a server that closes lets the work for a client that has gone end before its database closes', async t => {
  const { server, socket, goOn, worked } = await slowServer(t)
  socket.destroy()
  await once(socket, 'close')
  const httpClosed = once(server.app.server, 'close')
  const closed = server.close()
  await httpClosed
  goOn()
  t.equal(await worked, 'worked')
  await closed
})

t.test('what comes on an open connection while a server closes is a 503 that says when to come again', async t => {
  const { server, socket, get, goOn } = await slowServer(t)
  const answers = text(socket)
  const closed = server.close()
  get('/v1/users/me')
  await once(server.app.server, 'request')
  goOn()
  const [first, second] = (await answers).split(/(?=HTTP)/)
  await closed
  t.match(first, /^HTTP\/1\.1 200 /)
  t.match(second, /^HTTP\/1\.1 503 /)
  t.match(second, /\nretry-after: \d+\r\n/i)
  t.match(second, /\nconnection: close\r\n/i)
  t.match(JSON.parse(second!.slice(second!.indexOf('{'))), { statusCode: 503, code: 'OVERLOADED', message: /stopping/ })
})

t.test('a start that fails stops what it has started', async t => {
  let stopped = false
  const failing = definePlugin(dependsOn(contract()('failing')), {
    summary: 'Cannot start.',
    register(ctx) {
      ctx.onStart(async ({ get }) => {
        get({
          name: 'made',
          make: () => ({}),
          stop() {
            stopped = true
          }
        })
        throw new Error('no luck')
      })
    }
  })
  const starting = testServer({ plugins: ['workspace'], also: { failing: async () => ({ default: failing }) } })
  await t.rejects(starting, { message: 'no luck' })
  t.ok(stopped)
})

/** A logger that collects warnings and errors. */
function listeningLogger() {
  const messages: unknown[] = []
  return { messages, logger: pino({ level: 'warn' }, { write: (line: string) => messages.push(line) }) }
}

t.test('a start whose database cannot be opened says why, and nothing else', async t => {
  const dataDir = t.testdir()
  t.teardown(await holdDirectory(dataDir))
  const { messages, logger } = listeningLogger()
  const configuration = await configure({}, { logLevel: 'silent', dataDir })
  const server = await build({ configuration, logger })
  await t.rejects(server.start(), { message: /is in use by another tracker process/ })
  t.strictSame(messages, [])
})

t.test('a start whose routes fail stops what has been prepared meanwhile', async t => {
  const failing = definePlugin(dependsOn(contract()('failing')), {
    summary: 'Has no routes.',
    routes() {
      throw new Error('no luck')
    }
  })
  const configuration = await configure(
    { failing: async () => ({ default: failing }) },
    { logLevel: 'silent', plugins: { failing: { enabled: true } } }
  )
  const { messages, logger } = listeningLogger()
  const embedded = openEmbedded({ template: await embeddedCopy() })
  const building = build({ configuration, logger, database: { embedded }, preparesEarly: true })
  await t.rejects(building, { message: /plugins\.failing: no luck/ })
  // Anything left running would log errors, and keep this process from ending.
  t.strictSame(messages, [])
})
