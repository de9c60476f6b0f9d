import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { migratedDatabase } from '../test/runner/empty-database.ts'
import { ownPgBouncer } from '../test/runner/own-pgbouncer.ts'
import { startProcess } from '../test/runner/process.ts'

/*
 * `npm run bench:idle -- --database URL [--pgbouncer] [--seconds 60] [--settle 30]`: the transactions that PostgreSQL
 * counts for an idle server on a database of its own, and their statements. `--pgbouncer` puts one between, without
 * `DATABASE_DIRECT_URL`: the server gets no notifications.
 */
const { values: options } = parseArgs({
  options: {
    database: { type: 'string' },
    pgbouncer: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '60' },
    settle: { type: 'string', default: '30' }
  }
})
if (options.database === undefined) throw new Error('Name the server: npm run bench:idle -- --database postgres://…')
const seconds = Number(options.seconds)
const SHOWN_CHARACTERS = 150

/** Lengths in PostgreSQL's protocol: of a message's type, and of its length, which counts itself. */
const TYPE_BYTES = 1
const LENGTH_BYTES = 4

/** Splits a client's bytes into messages, the first of which has no type. */
function messagesOf(onMessage: (type: string, body: Buffer) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  let typeBytes = 0
  return chunk => {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= typeBytes + LENGTH_BYTES) {
      const end = typeBytes + rest.readUInt32BE(typeBytes)
      if (rest.length < end) return
      onMessage(rest.toString('latin1', 0, typeBytes), rest.subarray(typeBytes + LENGTH_BYTES, end))
      rest = rest.subarray(end)
      typeBytes = TYPE_BYTES
    }
  }
}

/** Records the statements of one connection: simple ones, and prepared ones. */
function statementsOf(onStatement: (text: string) => void): (chunk: Buffer) => void {
  const prepared = new Map<string, string>()
  return messagesOf((type, body) => {
    const [first = '', second = ''] = body.toString().split('\0', 2)
    if (type === 'Q') onStatement(first)
    if (type === 'P') prepared.set(first, second)
    if (type === 'B') onStatement(prepared.get(second) ?? `prepared as ${second}`)
  })
}

/** A proxy of a database server that records the statements. @returns the URL of the database through the proxy */
async function listenBefore(url: string, onStatement: (text: string) => void): Promise<{ url: string; end(): void }> {
  const { hostname, port } = new URL(url)
  const server = createServer(client => {
    const database = connect(Number(port || 5432), hostname)
    client.on('data', statementsOf(onStatement))
    client.pipe(database).on('error', () => client.destroy())
    database.pipe(client).on('error', () => database.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const own = { hostname: '127.0.0.1', port: String((server.address() as AddressInfo).port) }
  return { url: Object.assign(new URL(url), own).href, end: () => server.close() }
}

const database = await migratedDatabase(options.database)
const { DATABASE_URL: url } = database.env as { DATABASE_URL: string }
const pgBouncer = options.pgbouncer ? await ownPgBouncer(url) : undefined
const counts = new Map<string, number>()
const proxy = await listenBefore(pgBouncer?.through(url) ?? url, text => counts.set(text, (counts.get(text) ?? 0) + 1))
// On another database, so that its own statements are not counted.
const watching = new pg.Client(options.database)
await watching.connect()
async function transactions(): Promise<number> {
  const { rows } = await watching.query<{ n: number }>(
    'select (xact_commit + xact_rollback)::float8 as n from pg_stat_database where datname = $1',
    [new URL(url).pathname.slice(1)]
  )
  return rows[0]!.n
}

const server = await startProcess({ DATABASE_URL: proxy.url, LOG_LEVEL: 'error' })
try {
  await sleep(Number(options.settle) * 1000)
  const before = await transactions()
  counts.clear()
  await sleep(seconds * 1000)
  const sent = [...counts].toSorted(([, a], [, b]) => b - a)
  const statements = sent.reduce((sum, [, n]) => sum + n, 0)
  const perSecond = (n: number) => `${(n / seconds).toFixed(2)}/s`
  console.log(`transactions ${perSecond((await transactions()) - before)}, autovacuum's included`)
  console.log(`statements of the server ${perSecond(statements)}:`)
  for (const [text, n] of sent) {
    console.log(`${perSecond(n)}  ${text.replaceAll(/\s+/g, ' ').trim().slice(0, SHOWN_CHARACTERS)}`)
  }
} finally {
  await server.end('SIGTERM')
  proxy.end()
  await pgBouncer?.remove()
  await watching.end()
  await database.remove()
}
