import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { sql } from 'kysely'
import t from 'tap'
import { makeDatabase } from '../../database.ts'

const message = (type: string, body: Buffer) => {
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}
const authenticated = message('R', Buffer.alloc(4))
const ready = message('Z', Buffer.from('I'))
/** A row that declares 9 columns, and ends. */
const brokenRow = message('D', Buffer.from([0, 9]))

/** Speaks enough of PostgreSQL's protocol to answer every statement with a row that cannot be parsed. */
function answer(socket: Socket) {
  let started = false
  socket.on('data', () => {
    socket.write(started ? brokenRow : Buffer.concat([authenticated, ready]))
    started = true
  })
  socket.on('error', () => {})
}

t.test('an answer that the driver cannot read fails its statement, and the process lives', async t => {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const database = makeDatabase({ url: `postgres://tracker@127.0.0.1:${port}/tracker`, poolSize: 1 })
  t.teardown(async () => {
    await database.close()
    server.close()
  })
  for (const attempt of ['first', 'on a new connection']) {
    await t.rejects(sql`select 1`.execute(database.db), { code: 'ERR_OUT_OF_RANGE' }, attempt)
  }
})
