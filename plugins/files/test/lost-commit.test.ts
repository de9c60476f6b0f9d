import { connect, createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import t, { type Test } from 'tap'
import { onPostgres, testServer } from '../../../test/runner/harness.ts'
import { raw } from './upload.ts'

interface LosingProxy {
  url: string
  arm(): void
  cuts(): number
}

/** A way to PostgreSQL that is cut once, between the commit of the transaction that publishes a file and its answer. */
async function losingProxy(t: Test, databaseUrl: string): Promise<LosingProxy> {
  const { hostname, port } = new URL(databaseUrl)
  let isArmed = false
  let cuts = 0
  const proxy = createServer(client => {
    const database = connect(Number(port), hostname)
    let publishes = false
    let commits = false
    client.on('data', (chunk: Buffer) => {
      const text = chunk.toString('latin1')
      publishes ||= isArmed && /update "?file"? set/.test(text)
      commits ||= publishes && cuts === 0 && /\bcommit\b/i.test(text)
      database.write(chunk)
    })
    database.on('data', (chunk: Buffer) => {
      if (!commits) return client.write(chunk)
      cuts++
      client.resetAndDestroy()
      database.destroy()
    })
    for (const [socket, other] of [
      [client, database],
      [database, client]
    ] as const) {
      socket.on('error', () => {}).on('close', () => other.destroy())
    }
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  t.teardown(() => proxy.close())
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String((proxy.address() as AddressInfo).port)
  return { url: url.href, arm: () => (isArmed = true), cuts: () => cuts }
}

t.test(
  'a file whose commit succeeded, although its answer was lost, keeps its bytes',
  { skip: !onPostgres && 'the embedded database is in the process' },
  async t => {
    const plugins = ['workspace', 'agents', 'issues', 'files']
    const settings = { jobs: false, plugins: { files: { folder: t.testdir() } } }
    const direct = await testServer({ plugins, settings })
    t.teardown(() => direct.close())
    const { url, arm, cuts } = await losingProxy(t, direct.databaseUrl!)
    const server = await testServer({ plugins, settings, on: { ...direct, databaseUrl: url } })
    t.teardown(() => server.close())

    arm()
    const answer = await server.call('/v1/files', raw('kept'))
    t.equal(cuts(), 1)
    t.equal(answer.statusCode, 503, answer.body)
    const rows = await direct.database.db
      .withTables<{ file: { id: string; state: string } }>()
      .selectFrom('file')
      .select(['id', 'state'])
      .execute()
    t.equal(rows.length, 1)
    const [{ id } = { id: '' }] = rows
    const read = await direct.call(`/v1/files/${id}/a.txt`)
    t.equal(read.statusCode, 200, read.body)
    t.equal(read.body, 'kept')
  }
)
