import t from 'tap'
import { testServer } from './runner/harness.ts'
import { mcpAgent, type McpAgent } from './mcp-client.ts'

/** For a larger swarm: SWARM_AGENTS=64 SWARM_ISSUES=1000 npx tap test/swarm.test.ts */
const AGENTS = Number(process.env['SWARM_AGENTS'] ?? 8)
const ISSUES = Number(process.env['SWARM_ISSUES'] ?? 24)
/** The number of each ten issues that wait for the one before them. */
const BLOCKED_OF_TEN = 4
const CRITERIA = [1, 2, 3]
/** The probability that an agent is killed, or hangs until its claim has expired, between two calls. */
const CRASH_SHARE = 0.15
const CLAIM_MS = 120 * 60_000

interface Task {
  task?: 'none'
  key: string
}
interface Event {
  type: string
  data: { changes?: Array<{ field: string; to?: { name: string } }> }
}
interface Context {
  definitionOfDone: { met: number; total: number; items: Array<{ met: boolean; evidence?: string }> }
  state: { category: string }
}

let clock = Date.now()
const server = await testServer({
  now: () => new Date(clock),
  settings: { plugins: { mcp: { rateLimit: 0 } } }
})
t.teardown(() => server.close())

/** One life of an agent: it works until it is killed, or nothing is ready. @returns true if it may begin again */
async function work(agent: McpAgent, session: string, hung: Array<() => Promise<void>>): Promise<boolean> {
  for (;;) {
    if (Math.random() < CRASH_SHARE) return true
    const task = await agent.ok<Task>('pick_up_task', { task: 'next', session })
    if (task.task === 'none') return false
    const met = CRITERIA.map(criterion => ({ criterion, evidence: `${session} saw ${criterion} hold` }))
    const close = { task: task.key, resolution: `Done by ${session}.`, session }
    const fate = Math.random()
    if (fate < CRASH_SHARE) return true
    if (fate < 2 * CRASH_SHARE) {
      await agent.ok('update_task', { task: task.key, met: met.slice(0, 2), session })
      return true
    }
    if (fate < 3 * CRASH_SHARE) {
      // It goes on after another agent may have the task: its call succeeds or is refused, but the task is never done
      // twice.
      hung.push(async () => {
        await agent.ok('close_task', { ...close, met }).catch((error: Error) => {
          if (!error.message.includes('was taken from you')) throw error
        })
      })
      return true
    }
    await agent.ok('close_task', { ...close, met })
  }
}

t.test('agents that crash at any time leave every issue done once, with evidence', async t => {
  await server.ok('/v1/teams/ENG', { body: { closing: { criteria: 'PROVEN' } } })
  const issues: Array<{ id: string; key: string }> = []
  for (let n = 0; n < ISSUES; n++) {
    const isBlocked = n > 0 && n % 10 < BLOCKED_OF_TEN
    issues.push(
      await server.ok('/v1/issues', {
        body: {
          teamId: 'ENG',
          title: `Column ${n} is empty`,
          descriptionMarkdown: `Since the new writer, column ${n} is empty in every file.\n\n- [ ] a\n- [ ] b\n- [ ] c`,
          ...(isBlocked && { blockedByIds: [issues[n - 1]!.key] })
        }
      })
    )
  }
  const agents = await Promise.all(
    Array.from({ length: AGENTS }, async (_, n) => mcpAgent(server, (await server.agent(`Agent ${n}`)).token))
  )
  const isOpen = async () => (await server.ok<{ total: number }>('/v1/issues/filter', { body: OPEN })).total > 0
  for (let life = 0; await isOpen(); life++) {
    const hung: Array<() => Promise<void>> = []
    const waits = await Promise.all(agents.map((agent, n) => work(agent, `agent-${n}-life-${life}`, hung)))
    t.comment(`life ${life}: ${waits.filter(Boolean).length} crashed, of which ${hung.length} hang`)
    clock += CLAIM_MS + 1
    await server.jobs.enqueue(server.database.db, 'claims.lapseClaims', [{}])
    await server.idle()
    await Promise.all([...hung.map(wake => wake()), work(agents[0]!, `first-of-${life}`, [])])
  }

  for (const { id, key } of issues) {
    const { definitionOfDone, state } = await server.ok<Context>(`/v1/issues/${key}/context`)
    t.equal(state.category, 'COMPLETED', key)
    t.ok(
      definitionOfDone.items.every(({ met, evidence }) => met && evidence !== undefined),
      `${key}: each criterion has evidence`
    )
    const { events } = await server.ok<{ events: Event[] }>(`/v1/events?issueId=${id}&limit=200`)
    const closed = events.filter(({ data }) =>
      data.changes?.some(({ field, to }) => field === 'state' && to?.name === 'Done')
    )
    t.equal(closed.length, 1, `${key} is done once`)
  }
})

const OPEN = { filters: { stateCategory: { filterType: 'IS_NOT', value: ['COMPLETED'] } }, perPage: 1 }
