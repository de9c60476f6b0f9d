import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { newToken } from '../core/auth/tokens.ts'
import { startReceiver } from '../plugins/webhooks/test/receiver.ts'
import { migratedDatabase } from './runner/empty-database.ts'
import { listen, openStream } from './event-stream.ts'
import { onPostgres, TEST_DATABASE_URL, testServer, type TestServer } from './runner/harness.ts'
import { noPgBouncer, ownPgBouncer } from './runner/own-pgbouncer.ts'

const REPLICAS = 4
const CLIENTS = 4
const ROUNDS = Number(process.env['ROLLING_RESTART_ROUNDS'] ?? 1)

/** A database for replicas: through PgBouncer, with the other URL for `LISTEN`, or direct. */
async function database(t: Test, isPooled: boolean): Promise<{ url: string; directUrl?: string }> {
  const copy = await migratedDatabase(TEST_DATABASE_URL)
  t.teardown(() => copy.remove())
  const { DATABASE_URL: url } = copy.env as { DATABASE_URL: string }
  if (!isPooled) return { url }
  const pooler = await ownPgBouncer(url)
  t.teardown(() => pooler.remove())
  return { url: pooler.through(url), directUrl: url }
}

interface Replica {
  server: TestServer
  origin: string
}

/** True if there was no answer: a load balancer then tries another replica. */
const isUnanswered = (error: unknown) =>
  error instanceof TypeError && ['ECONNREFUSED', 'ECONNRESET', 'UND_ERR_SOCKET'].includes(codeOf(error.cause))
const codeOf = (cause: unknown) => (cause instanceof Error && 'code' in cause ? String(cause.code) : '')

for (const isPooled of [false, true]) {
  const way = isPooled ? 'behind PgBouncer' : 'on PostgreSQL'
  const skip = (!onPostgres && 'needs a PostgreSQL server') || (isPooled && noPgBouncer()) || false

  t.test(`four replicas ${way} restart one by one under load: no request, event or job is lost`, { skip }, async t => {
    const { url, directUrl } = await database(t, isPooled)
    const token = newToken()
    const start = async (): Promise<Replica> => {
      const server = await testServer({
        plugins: ['workspace', 'agents', 'events', 'issues', 'webhooks'],
        database: { url, token },
        settings: {
          databasePool: 5,
          ...(directUrl !== undefined && { databaseDirectUrl: directUrl }),
          plugins: { webhooks: { allowPrivateAddresses: true } }
        }
      })
      return { server, origin: await listen(server) }
    }
    const stop = ({ server }: Replica) => server.close()
    const replicas = [await start()]
    while (replicas.length < REPLICAS) replicas.push(await start())
    t.teardown(() => Promise.all(replicas.map(stop)))
    const receiver = await startReceiver()
    t.teardown(() => receiver.close())
    await replicas[0]!.server.ok('/v1/webhooks', { body: { url: receiver.url, types: ['issue.created'] } })

    const filed: string[] = []
    const wrong: string[] = []
    const over = new AbortController()
    /** Sends a request to one replica after the other, until one succeeds. */
    const file = async (title: string, at: number) => {
      for (let attempt = 0; ; attempt++) {
        const { origin } = replicas[(at + attempt) % REPLICAS]!
        try {
          const answer = await fetch(`${origin}/v1/issues`, {
            method: 'POST',
            headers: {
              authorization: `Bearer ${token}`,
              'content-type': 'application/json',
              'idempotency-key': title
            },
            body: JSON.stringify({ teamId: 'ENG', title })
          })
          const body = (await answer.json()) as { id: string }
          if (answer.status === 201) return filed.push(body.id)
          if (answer.status !== 503 || answer.headers.get('retry-after') === null) wrong.push(JSON.stringify(body))
        } catch (error) {
          if (!isUnanswered(error)) throw error
        }
        await sleep(20)
      }
    }
    const notified = new Set<string>()
    let isAllTold = () => false
    const begun = Promise.withResolvers<void>()
    const follow = async () => {
      for (let [at, last] = [0, '']; !isAllTold(); at++) {
        const headers = last === '' ? {} : { 'last-event-id': last }
        const { origin } = replicas[at % REPLICAS]!
        const stream = await openStream(origin, token, { query: '?types=issue.created', headers }).catch(() => null)
        if (stream === null) continue
        begun.resolve()
        for (let read = 0; ;) {
          for (const { id, event } of stream.received.slice(read)) {
            notified.add(event.issueId!)
            last = id
          }
          read = stream.received.length
          if (isAllTold()) stream.close()
          if (await Promise.race([stream.ended.then(() => true), sleep(50)])) break
        }
      }
    }
    const following = follow()
    await begun.promise
    const clients = Array.from({ length: CLIENTS }, async (_, client) => {
      for (let n = 0; !over.signal.aborted; n++) await file(`Issue ${client}-${n}`, client + n)
    })
    while (notified.size === 0) await sleep(20)

    for (let n = 0; n < ROUNDS * REPLICAS; n++) {
      await stop(replicas[n % REPLICAS]!)
      replicas[n % REPLICAS] = await start()
    }
    over.abort()
    await Promise.all(clients)
    isAllTold = () => new Set(filed).isSubsetOf(notified)
    await following
    t.strictSame(wrong, [], 'what is refused is a 503 that says when to come again')
    t.equal(new Set(filed).size, filed.length, 'each request has made an issue of its own')
    const delivered = () => new Set(receiver.received.map(({ data }) => data.subject?.id))
    while (!new Set(filed).isSubsetOf(delivered())) await sleep(50)
    t.ok(isAllTold(), 'the stream, which goes on at another replica, tells of all')
    t.ok(new Set(filed).isSubsetOf(delivered()), 'and every webhook is delivered')
  })
}
