import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { sql } from 'kysely'
import t from 'tap'
import { testServer } from '../../test/harness.ts'
import { contract } from '../contract.ts'
import { definePlugin, dependsOn } from '../plugin.ts'

t.test('a server that closes lets the work for a client that has gone end before its database closes', async t => {
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
  socket.write(`GET /v1/slow HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${server.token}\r\n\r\n`)
  await arrived.promise
  socket.destroy()
  await once(socket, 'close')
  const httpClosed = once(server.app.server, 'close')
  const closed = server.close()
  await httpClosed
  goOn.resolve()
  t.equal(await worked.promise, 'worked')
  await closed
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
