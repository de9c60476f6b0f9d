import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { newToken } from '../../../core/auth/tokens.ts'
import { migratedDatabase } from '../../../test/runner/empty-database.ts'
import { onPostgres, TEST_DATABASE_URL } from '../../../test/runner/harness.ts'
import { onlyPlugins, startProcess, type ServerProcess } from '../../../test/runner/process.ts'
import { withConnection } from '../../../test/runner/templates.ts'

/** CLAIM_ROUNDS=1000 CLAIM_CLAIMERS=64 ROUNDS_PER_KILL=10 is the whole run. */
const ROUNDS = Number(process.env['CLAIM_ROUNDS'] ?? 3)
const ROUNDS_PER_KILL = Number(process.env['ROUNDS_PER_KILL'] ?? 1)
const CLAIMERS = Number(process.env['CLAIM_CLAIMERS'] ?? 12)
/** Writes of the former holder while the issue is taken from it. */
const LATE_WRITES = 8

interface Agent {
  id: string
  token: string
}
interface Answer {
  status: number
  body: Record<string, unknown>
}
interface Event {
  type: string
  actor: { id: string } | null
}
const admin = newToken()

async function ask(url: string, token: string, path: string, body?: object): Promise<Answer> {
  const answer = await fetch(`${url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) })
  })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}
/** @returns undefined when the server goes away before its answer */
const askUnlessKilled = (url: string, token: string, path: string, body?: object): Promise<Answer | undefined> =>
  ask(url, token, path, body).catch((error: unknown) => {
    if (error instanceof TypeError) return undefined
    throw error
  })

const skip = onPostgres ? false : 'the embedded database has one process'
t.test(
  'servers that are killed leave no issue with two holders, no late write and no lapse untold',
  { skip },
  async t => {
    const database = await migratedDatabase(TEST_DATABASE_URL)
    t.teardown(database.remove)
    if (!('DATABASE_URL' in database.env)) throw new Error('this needs PostgreSQL')
    const databaseUrl = database.env.DATABASE_URL
    const start = () =>
      startProcess({
        TRACKER_ADMIN_TOKEN: admin,
        DATABASE_URL: databaseUrl,
        ...onlyPlugins('workspace', 'agents', 'events', 'issues', 'claims')
      })
    const servers: [ServerProcess, ServerProcess] = [await start(), await start()]
    t.teardown(() => Promise.all(servers.map(server => server.end('SIGKILL'))))
    const [stays] = servers
    const agents = await Promise.all(
      Array.from({ length: CLAIMERS }, async (_, n) => {
        const { body } = await ask(stays.url, admin, '/v1/users/agents', { name: `Claimer ${n}` })
        return { id: String(body['id']), token: String(body['token']) }
      })
    )
    const eventsOf = async (id: string) =>
      (await ask(stays.url, admin, `/v1/events?issueId=${id}&limit=200`)).body['events'] as Event[]

    const issues: string[] = []
    const wrong: unknown[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const filed = await ask(stays.url, admin, '/v1/issues', { teamId: 'ENG', title: `Round ${round}` })
      const id = String(filed.body['id'])
      issues.push(id)
      const picked = agents.map(({ token }, n) =>
        askUnlessKilled(servers[n % 2]!.url, token, `/v1/issues/${id}/pick_up`, {})
      )
      const isKilled = round % ROUNDS_PER_KILL === 0
      const killed = isKilled && sleep(Math.random() * 30).then(() => servers[1].end('SIGKILL'))
      const answers = await Promise.all(picked)
      await killed
      const winners = agents.filter((_, n) => answers[n]?.status === 200)
      const { body } = await ask(stays.url, admin, `/v1/issues/${id}/context`)
      const holder = (body['claim'] as { holder: { id: string } } | undefined)?.holder.id
      if (winners.length > 1 || (winners[0] && winners[0].id !== holder)) wrong.push({ round, winners, holder })
      if (holder !== undefined) {
        const former = agents.find(agent => agent.id === holder)!
        const taker = agents.find(agent => agent.id !== holder)!
        await takeOver(stays.url, id, former, taker)
        const events = await eventsOf(id)
        const taken = events.findLastIndex(({ type }) => type === 'claim.taken')
        if (taken < 0) wrong.push({ round, events })
        const late = events
          .slice(taken)
          .filter(({ type, actor }) => type === 'issue.updated' && actor?.id === former.id)
        if (late.length > 0) wrong.push({ round, late })
      }
      // The claim expires while the second server may be down: it announces the lapse when it starts.
      await withConnection(databaseUrl, async client => {
        await client.query(`update issue_claim set expires_at = now() - interval '1 second' where issue_id = '${id}'`)
      })
      if (isKilled) servers[1] = await start()
    }
    t.strictSame(wrong, [])
    for (const id of issues) {
      let lapsed: Event[]
      do lapsed = (await eventsOf(id)).filter(({ type }) => type === 'claim.lapsed')
      while (lapsed.length === 0)
      t.equal(lapsed.length, 1, 'each lapse is told once')
    }
  }
)

/** Takes the issue over while the former holder goes on writing. */
async function takeOver(url: string, id: string, former: Agent, taker: Agent): Promise<void> {
  const writes = Array.from({ length: LATE_WRITES }, (_, n) =>
    ask(url, former.token, `/v1/issues/${id}`, { title: `Late ${n}` })
  )
  const taken = ask(url, taker.token, `/v1/issues/${id}/pick_up`, { takeover: true })
  const answers = await Promise.all([...writes, taken])
  const odd = answers.filter(({ status, body }) => status !== 200 && body['code'] !== 'CLAIM_LOST')
  if (odd.length > 0) throw new Error(JSON.stringify(odd))
  const after = await ask(url, former.token, `/v1/issues/${id}`, { title: 'Too late' })
  if (after.body['code'] !== 'CLAIM_LOST') throw new Error(JSON.stringify(after))
}
