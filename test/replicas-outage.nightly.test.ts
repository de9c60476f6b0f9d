import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import t from 'tap'
import { configure } from '../core/config/config.ts'
import { contract } from '../core/api/contract.ts'
import type { EventJson } from '../plugins/events/contract.ts'
import { definePlugin, dependsOn } from '../core/api/plugin.ts'
import { build, type Server } from '../core/kernel/server.ts'
import { newToken } from '../core/auth/tokens.ts'
import { installed } from '../plugins/index.ts'
import { issueUpdated } from '../plugins/issues/contract.ts'
import { onPostgres } from './runner/harness.ts'
import { ownPostgres } from './runner/own-postgres.ts'

t.setTimeout(240_000)
/** Maximum milliseconds after the restart of the database until everything works again. */
const RECOVERED_AFTER_MS = 5_000
const CLIENTS_PER_SERVER = 3

/** The changes that the consumer of both servers has handled: `issue rev`. */
const handled: Array<{ key: string; at: number }> = []
const noting = definePlugin(dependsOn(contract()('noting')), {
  summary: 'Notes the changes that it is told of',
  register(ctx) {
    ctx.consume('changes', {
      events: [issueUpdated],
      onGap: 'skip',
      async handle(events) {
        for (const { parentId, rev } of events) handled.push({ key: `${parentId} ${rev}`, at: performance.now() })
      }
    })
  }
})

async function startReplica(databaseUrl: string, token: string): Promise<Server & { origin: string }> {
  const plugins = { ...installed, noting: async () => ({ default: noting }) }
  const configuration = await configure(plugins, {
    databaseUrl,
    databasePool: 5,
    maxEventLoopDelay: 0,
    plugins: {
      noting: { enabled: true },
      workspace: { enabled: true, adminToken: token },
      issues: { enabled: true },
      events: { enabled: true }
    }
  })
  const server = await build({ configuration, logger: pino({ level: 'silent' }) })
  await server.start()
  return { ...server, origin: await server.app.listen({ host: '127.0.0.1', port: 0 }) }
}

/** Reads all events of changes by pages, from the beginning. */
async function loggedChanges(server: Server, headers: Record<string, string>): Promise<string[]> {
  const changes: string[] = []
  for (let after = ''; ;) {
    const answer = await server.app.inject({ url: `/v1/events?types=issue.updated&limit=1000${after}`, headers })
    const page = answer.json<{ events: EventJson[]; cursor: string; hasMore: boolean }>()
    changes.push(...page.events.map(({ issueId, rev }) => `${issueId} ${rev}`))
    if (!page.hasMore) return changes
    after = `&after=${page.cursor}`
  }
}

t.test(
  'two replicas go on within seconds after a restart of PostgreSQL, without losing an event',
  {
    skip: !onPostgres
  },
  async t => {
    const postgres = await ownPostgres()
    t.teardown(() => postgres.remove())
    const token = newToken()
    const headers = { authorization: `Bearer ${token}` }
    const servers = [await startReplica(postgres.url, token), await startReplica(postgres.url, token)]
    t.teardown(() => Promise.all(servers.map(server => server.app.close())))

    const answers: Array<{ status: number; at: number }> = []
    const acknowledged: string[] = []
    const over = new AbortController()
    const change = async ({ app }: Server, n: number) => {
      const creation = await app.inject({
        method: 'POST',
        url: '/v1/issues',
        headers,
        payload: { teamId: 'ENG', title: 'One' }
      })
      const { id } = creation.json<{ id: string }>()
      for (let count = 0; !over.signal.aborted; count++) {
        const payload = { title: `Change ${n} ${count}` }
        const answer = await app.inject({ method: 'POST', url: `/v1/issues/${id}`, headers, payload })
        answers.push({ status: answer.statusCode, at: performance.now() })
        if (answer.statusCode === 200) acknowledged.push(`${id} ${answer.json<{ rev: number }>().rev}`)
        await sleep(20)
      }
    }
    const clients = servers.flatMap(server => Array.from({ length: CLIENTS_PER_SERVER }, (_, n) => change(server, n)))
    while (handled.length < 50) await sleep(20)
    await postgres.kill()
    while (!answers.some(({ status }) => status === 503)) await sleep(20)
    await postgres.start()
    const restartedAt = performance.now()
    await sleep(RECOVERED_AFTER_MS + 3_000)
    over.abort()
    await Promise.all(clients)

    const recoveredAt = restartedAt + RECOVERED_AFTER_MS
    const late = answers.filter(({ status, at }) => at > recoveredAt && status !== 200)
    t.strictSame(late, [], 'every request succeeds')
    t.ok(
      handled.some(({ at }) => at > restartedAt && at <= recoveredAt),
      'the consumer goes on'
    )
    const logged = new Set(await loggedChanges(servers[0]!, headers))
    t.strictSame([...new Set(acknowledged).difference(logged)], [], 'what was acknowledged is in the log')
    const missing = () => [...logged.difference(new Set(handled.map(({ key }) => key)))]
    while (missing().length > 0) await sleep(50)
    t.strictSame(await loggedChanges(servers[1]!, headers), [...logged], 'both replicas read the same')
  }
)
