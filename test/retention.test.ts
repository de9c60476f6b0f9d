import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { newId } from '../core/db/id.ts'
import { testServer, type TestServer } from './runner/harness.ts'

const KEEP_DAYS = 3
const DAY_MS = 24 * 3_600_000
let daysLater = 0
const statements: string[] = []
let server: TestServer
let issueId: string

t.before(async () => {
  server = await testServer({
    settings: {
      plugins: {
        webhooks: { deliveriesKeepDays: KEEP_DAYS },
        hooks: { sessionsKeepDays: KEEP_DAYS },
        knowledge: { servingsKeepDays: KEEP_DAYS },
        delegation: { outputKeepDays: KEEP_DAYS }
      }
    },
    now: () => new Date(Date.now() + daysLater * DAY_MS),
    onStatement: statement => statements.push(statement)
  })
  issueId = (await server.ok<{ id: string }>('/v1/issues', { body: { teamId: 'ENG', title: 'A task' } })).id
})
t.teardown(() => server.close())

/** Runs a job at a later time. */
async function sweep(job: string, days: number): Promise<void> {
  daysLater = days
  await server.jobs.enqueue(server.database.db, job, [{}])
  await server.idle()
  daysLater = 0
}

/** Asserts that the counted rows stay for `KEEP_DAYS`, and are then removed. */
async function assertKept(t: Test, job: string, count: () => Promise<number>): Promise<void> {
  const there = await count()
  t.ok(there > 0)
  await sweep(job, KEEP_DAYS - 1)
  t.equal(await count(), there)
  await sweep(job, KEEP_DAYS + 1)
  t.equal(await count(), 0)
}

/** An inactive webhook with finished deliveries. */
async function addDeliveries(n: number): Promise<string> {
  const { id } = await server.ok<{ id: string }>('/v1/webhooks', {
    body: { url: 'https://hooks.example.com/', types: ['no.such'], active: false }
  })
  await sql`
    insert into webhook_delivery (workspace_id, id, webhook_id, type, subject_id, payload, status, attempts,
      next_attempt_at, created_at, finished_at)
    select workspace_id, gen_random_uuid(), id, 'issue.created', ${issueId}::uuid, '{}', 'DELIVERED', 1, now(), now(),
      now()
    from webhook, generate_series(1, ${n}::int) where id = ${id}`.execute(server.database.db)
  return id
}

t.test('deliveries of webhooks are kept for the days of the setting', async t => {
  const id = await addDeliveries(2)
  await assertKept(
    t,
    'webhooks.announce',
    async () => (await server.ok<object[]>(`/v1/webhooks/${id}/deliveries`)).length
  )
})

t.test('servings of knowledge are kept for the days of the setting', async t => {
  const { id } = await server.ok<{ id: string }>('/v1/knowledge', { body: { content: 'Redis listens on port 6380.' } })
  await server.ok('/v1/knowledge?query=redis')
  await assertKept(
    t,
    'knowledge.forgetServings',
    async () => (await server.ok<object[]>(`/v1/knowledge/${id}/servings`)).length
  )
})

t.test('reminders of agent sessions are kept for the days of the setting', async t => {
  const { id, token } = await server.agent('Hooked', ['read', 'write'])
  const held = await server.ok<{ id: string }>('/v1/issues', { token, body: { teamId: 'ENG', title: 'Held' } })
  await server.ok(`/v1/issues/${held.id}/pick_up`, { token, body: {} })
  await server.ok('/v1/agent-hooks/session-start?harness=claude-code', {
    token,
    body: { session_id: 's1', source: 'startup' }
  })
  t.ok(id)
  await assertKept(
    t,
    'hooks.forgetSessions',
    async () => (await server.ok<object[]>(`/v1/issues/${held.id}/reminders`)).length
  )
})

/** A run with output; `finishedAt`: the time of its end. */
async function addRun(isOver: boolean): Promise<string> {
  const [id, at] = [newId(), new Date()]
  const { db } = server.database
  const status = isOver ? 'SUCCEEDED' : 'WAITING'
  await sql`
    insert into agent_run (workspace_id, id, issue_id, agent_id, requested_by_id, status, created_at, finished_at)
    select workspace_id, ${id}, id, created_by_id, created_by_id, ${status}, ${at},
      case when ${isOver}::boolean then ${at}::timestamptz end
    from issue where id = ${issueId}`.execute(db)
  await sql`
    insert into agent_run_event (workspace_id, id, run_id, at, type, text)
    select workspace_id, gen_random_uuid(), ${id}::uuid, ${at}::timestamptz, type, 'Said.'
    from issue, unnest(array['status', 'stdout', 'stderr']) as type where id = ${issueId}`.execute(db)
  return id
}
const outputOf = async (runId: string) =>
  (await server.ok<Array<{ type: string }>>(`/v1/agent_runs/${runId}/events`)).filter(({ type }) => type !== 'status')

t.test('the output of a run that is over is kept for the days of the setting, and its states for ever', async t => {
  const id = await addRun(true)
  await assertKept(t, 'delegation.announce', async () => (await outputOf(id)).length)
  t.equal((await server.ok<object[]>(`/v1/agent_runs/${id}/events`)).length, 1)
})

t.test('the output of a run that waits is kept, however old', async t => {
  const id = await addRun(false)
  await sweep('delegation.announce', KEEP_DAYS + 1)
  t.equal((await outputOf(id)).length, 2)
})

t.test('very many old rows are removed in several statements', async t => {
  const id = await addDeliveries(2_500)
  statements.length = 0
  await sweep('webhooks.announce', KEEP_DAYS + 1)
  t.equal((await server.ok<object[]>(`/v1/webhooks/${id}/deliveries`)).length, 0)
  t.equal(statements.filter(text => text.includes('delete from "webhook_delivery"')).length, 3)
})
