import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { startReceiver } from '../plugins/webhooks/test/receiver.ts'
import { listen, openStream } from './event-stream.ts'
import { onPostgres, testServer, type TestServer } from './harness.ts'

const REPLICAS = 4
const CLIENTS = 4
/** How often all replicas are restarted: more where a machine has the time. */
const ROUNDS = Number(process.env['ROLLING_RESTART_ROUNDS'] ?? 1)
const options = {
  plugins: ['workspace', 'agents', 'issues', 'webhooks'],
  settings: { databasePool: 5, plugins: { webhooks: { allowPrivateAddresses: true } } }
}

interface Replica {
  server: TestServer
  origin: string
}

/** Whether nothing has answered: whoever balances the load then asks another replica. */
const isUnanswered = (error: unknown) =>
  error instanceof TypeError && ['ECONNREFUSED', 'ECONNRESET', 'UND_ERR_SOCKET'].includes(codeOf(error.cause))
const codeOf = (cause: unknown) => (cause instanceof Error && 'code' in cause ? String(cause.code) : '')

t.test(
  'four replicas are restarted one after the other under load: no request, event or job is lost',
  { skip: !onPostgres && 'needs a PostgreSQL server' },
  async t => {
    const first = await testServer(options)
    const start = async (): Promise<Replica> => {
      const server = await testServer({ ...options, on: first })
      return { server, origin: await listen(server) }
    }
    const stop = ({ server }: Replica) => server.close()
    const replicas = [{ server: first, origin: await listen(first) }]
    while (replicas.length < REPLICAS) replicas.push(await start())
    t.teardown(() => Promise.all(replicas.map(stop)))
    const receiver = await startReceiver()
    t.teardown(() => receiver.close())
    await first.ok('/v1/webhooks', { body: { url: receiver.url, types: ['issue.created'] } })

    const filed: string[] = []
    const wrong: string[] = []
    const over = new AbortController()
    /** Sends a request to one replica after the other, until one has done it. */
    const file = async (title: string, at: number) => {
      for (let attempt = 0; ; attempt++) {
        const { origin } = replicas[(at + attempt) % REPLICAS]!
        try {
          const answer = await fetch(`${origin}/v1/issues`, {
            method: 'POST',
            headers: {
              authorization: `Bearer ${first.token}`,
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
    const told = new Set<string>()
    let isAllTold = () => false
    const begun = Promise.withResolvers<void>()
    const follow = async () => {
      for (let [at, last] = [0, '']; !isAllTold(); at++) {
        const headers = last === '' ? {} : { 'last-event-id': last }
        const { origin } = replicas[at % REPLICAS]!
        const stream = await openStream(origin, first.token, { query: '?types=issue.created', headers }).catch(
          () => null
        )
        if (stream === null) continue
        begun.resolve()
        for (let read = 0; ;) {
          for (const { id, event } of stream.received.slice(read)) {
            told.add(event.issueId!)
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
    while (told.size === 0) await sleep(20)

    for (let n = 0; n < ROUNDS * REPLICAS; n++) {
      await stop(replicas[n % REPLICAS]!)
      replicas[n % REPLICAS] = await start()
    }
    over.abort()
    await Promise.all(clients)
    isAllTold = () => new Set(filed).isSubsetOf(told)
    await following
    t.strictSame(wrong, [], 'what is refused is a 503 that says when to come again')
    t.equal(new Set(filed).size, filed.length, 'each request has made an issue of its own')
    const delivered = () => new Set(receiver.received.map(({ data }) => data.subject?.id))
    while (!new Set(filed).isSubsetOf(delivered())) await sleep(50)
    t.ok(isAllTold(), 'the stream, which goes on at another replica, tells of all')
    t.ok(new Set(filed).isSubsetOf(delivered()), 'and every webhook is delivered')
  }
)
