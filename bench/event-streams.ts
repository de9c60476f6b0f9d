import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { newToken } from '../core/auth/tokens.ts'
import { emptyDatabase } from '../test/runner/empty-database.ts'
import { startProcess, type ServerProcess } from '../test/runner/process.ts'

/** Seconds without an event, and seconds of `EVENTS_PER_SECOND`. */
const PHASE_SECONDS = 10
const EVENTS_PER_SECOND = 20
/** Events that are sent and awaited one by one. */
const SINGLE_EVENTS = 20

const token = newToken()
const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }

/** The streams that an event has reached, and the time of the last of them, by `Date.now()`. */
interface Received {
  issueId: string
  count: number
  lastAt: number
}

/**
 * Prints the cost of open event streams of one process, the delay of an event, and the time until a revocation ends
 * them.
 */
export async function measureStreams(databaseUrl: string, count: number): Promise<void> {
  const database = await emptyDatabase(databaseUrl)
  const server = await startProcess({
    ...database.env,
    TRACKER_ADMIN_TOKEN: token,
    // One token has at most a twentieth of the streams, which are half of the connections.
    TRACKER_MAX_CONNECTIONS: String(Math.max(2_000, 40 * count)),
    LOG_LEVEL: 'error'
  })
  const clients = fork(import.meta.filename)
  try {
    console.log(`\n${count} open streams on one process, all plugins on`)
    const before = await usage(server)
    const reader = await post<{ id: string; token: string }>(server, '/v1/users/agents', {
      name: 'Reader',
      scopes: ['read']
    })
    clients.send({ url: server.url, token: reader.token, count })
    await once(clients, 'message')
    const opened = await usage(server)
    const perStream = ((opened.bytes - before.bytes) / count / 1024).toFixed(0)
    console.log(
      `memory: ${mib(before.bytes)} MiB before, ${mib(opened.bytes)} MiB with the streams (${perStream} KiB each)`
    )
    await sleep(PHASE_SECONDS * 1000)
    const idle = await usage(server)
    console.log(`CPU without events: ${share(opened, idle)} % of a core`)

    const single: number[] = []
    for (let n = 0; n < SINGLE_EVENTS; n++) {
      const { issueId, at } = await file(server, `Single ${n}`)
      single.push((await receivedBy(clients, count, [issueId])).get(issueId)! - at)
    }
    print('one event at a time, in all streams after', single)

    const burst = await usage(server)
    const filed = new Map<string, number>()
    for (let n = 0; n < PHASE_SECONDS * EVENTS_PER_SECOND; n++) {
      const due = sleep(1000 / EVENTS_PER_SECOND)
      const { issueId, at } = await file(server, `Burst ${n}`)
      filed.set(issueId, at)
      await due
    }
    const received = await receivedBy(clients, count, [...filed.keys()])
    const ended = await usage(server)
    print(
      `${EVENTS_PER_SECOND} events/s, in all streams after`,
      [...received].map(([issueId, lastAt]) => lastAt - filed.get(issueId)!)
    )
    console.log(`CPU meanwhile: ${share(burst, ended)} % of a core, memory ${mib(ended.bytes)} MiB`)
    console.log(`all have ended ${await revoke(server, reader.id, clients)} s after their token was revoked`)
  } finally {
    clients.kill()
    await server.end('SIGTERM')
    await database.remove()
  }
}

/** Revokes the token of an agent. @returns the seconds until all streams have ended */
async function revoke(server: ServerProcess, agentId: string, clients: ReturnType<typeof fork>): Promise<string> {
  const revokedAt = Date.now()
  await post(server, `/v1/users/agents/${agentId}/token`, {})
  clients.send('until all have ended')
  await once(clients, 'message')
  return ((Date.now() - revokedAt) / 1000).toFixed(1)
}

interface Usage {
  bytes: number
  cpuSeconds: number
  at: number
}
async function usage({ url }: ServerProcess): Promise<Usage> {
  const text = await (await fetch(`${url}/metrics`, { headers })).text()
  const value = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1])
  return {
    bytes: value('process_resident_memory_bytes'),
    cpuSeconds: value('process_cpu_seconds_total'),
    at: performance.now()
  }
}
const mib = (bytes: number) => (bytes / 1024 / 1024).toFixed(0)
const share = (from: Usage, to: Usage) => (((to.cpuSeconds - from.cpuSeconds) / (to.at - from.at)) * 100_000).toFixed(0)

function print(what: string, delays: number[]): void {
  delays.sort((a, b) => a - b)
  console.log(`${what} ${delays[Math.floor(delays.length / 2)]} ms (p50), ${delays.at(-1)} ms (longest)`)
}

/** Creates an issue, which emits an event. @returns the time of the answer */
async function file(server: ServerProcess, title: string): Promise<{ issueId: string; at: number }> {
  const { id } = await post<{ id: string }>(server, '/v1/issues', { teamId: 'ENG', title })
  return { issueId: id, at: Date.now() }
}

async function post<T>({ url }: ServerProcess, path: string, body: object): Promise<T> {
  const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(await answer.text())
  return (await answer.json()) as T
}

/** Waits until issues' events are in all streams. @returns the time at which the last stream had each */
async function receivedBy(
  clients: ReturnType<typeof fork>,
  count: number,
  issueIds: readonly string[]
): Promise<Map<string, number>> {
  for (;;) {
    clients.send({ issueIds })
    const [all] = (await once(clients, 'message')) as [Received[]]
    if (all.every(received => received.count >= count)) {
      return new Map(all.map(({ issueId, lastAt }) => [issueId, lastAt]))
    }
    await sleep(20)
  }
}

/** The clients, in a separate process. */
function listenToStreams(): void {
  const received = new Map<string, Received>()
  const ends: Array<Promise<unknown>> = []
  const open = async (url: string, token: string) => {
    const request = get(`${url}/v1/events?types=issue.created`, {
      agent: new Agent(),
      headers: { accept: 'text/event-stream', authorization: `Bearer ${token}` }
    })
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    ends.push(new Promise(resolve => response.once('close', resolve).once('error', resolve)))
    let rest = ''
    response.setEncoding('utf8').on('data', (text: string) => {
      const blocks = (rest + text).split('\n\n')
      rest = blocks.pop()!
      for (const block of blocks) {
        const issueId = /"issueId":"([^"]+)"/.exec(block)?.[1]
        if (issueId === undefined) continue
        const of = received.get(issueId) ?? { issueId, count: 0, lastAt: 0 }
        received.set(issueId, { issueId, count: of.count + 1, lastAt: Date.now() })
      }
    })
  }
  process.on('message', async message => {
    if (message === 'until all have ended') {
      await Promise.all(ends)
      process.send?.('ended')
      return
    }
    const request = message as { issueIds: string[] } | { url: string; token: string; count: number }
    if ('issueIds' in request) {
      process.send?.(request.issueIds.map(issueId => received.get(issueId) ?? { issueId, count: 0, lastAt: 0 }))
      return
    }
    for (let n = 0; n < request.count; n += 50) {
      const some = Math.min(50, request.count - n)
      await Promise.all(Array.from({ length: some }, () => open(request.url, request.token)))
    }
    process.send?.('open')
  })
}
if (process.send !== undefined && process.argv[1] === import.meta.filename) listenToStreams()
