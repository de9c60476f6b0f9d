import { sql } from 'kysely'
import t from 'tap'
import type { Id } from '../../../core/api/database/types.ts'
import { runsOnCitus, testServer, type TestServer } from '../../../test/runner/harness.ts'
import type { IssuesDatabase } from '../contract.ts'

/** Creates of one session per measurement of its memory. */
const CREATES = 100
/** Maximum growth of a session per create, in bytes: a stored plan takes about 37,000. */
const GROWTH_BYTES = 2_000

let server: TestServer
let statements: string[] = []
let first: { workspaceId: Id; teamId: Id; stateId: Id; createdById: Id }

t.before(async () => {
  server = await testServer({
    plugins: ['workspace', 'issues', 'projects'],
    settings: { jobs: false },
    onStatement: statement => statements.push(statement)
  })
  await file('The first one')
  first = await server.database.db
    .withTables<Pick<IssuesDatabase, 'issue'>>()
    .selectFrom('issue')
    .select(['workspaceId', 'teamId', 'stateId', 'createdById'])
    .executeTakeFirstOrThrow()
})
t.teardown(() => server.close())

async function file(title: string): Promise<string> {
  return (await server.ok<{ id: string }>('/v1/issues', { body: { teamId: 'ENG', title } })).id
}

/** @returns the tallies by state, label, assignee and project that differ from the counts */
async function differences(): Promise<unknown[]> {
  return [...(await differencesByState()), ...(await differencesByThing())]
}

async function differencesByThing(): Promise<unknown[]> {
  const { rows } = await sql`
    with kept as (select workspace_id, thing_id, sum(n)::int as n from issue_things_tally group by 1, 2),
      had as (
        select workspace_id, assignee_id as thing_id from issue where deleted_at is null and assignee_id is not null
        union all
        select workspace_id, project_id from issue where deleted_at is null and project_id is not null
        union all
        select l.workspace_id, l.label_id from issue_label l
        join issue i on i.workspace_id = l.workspace_id and i.id = l.issue_id where i.deleted_at is null),
      counted as (select workspace_id, thing_id, count(*)::int as n from had group by 1, 2)
    select thing_id, kept.n as kept, counted.n as counted
    from kept full join counted using (workspace_id, thing_id)
    where coalesce(kept.n, 0) <> coalesce(counted.n, 0)`.execute(server.database.db)
  return rows
}

async function differencesByState(): Promise<unknown[]> {
  const { rows } = await sql`
    with kept as (select workspace_id, team_id, state_id, sum(n)::int as n from issue_tally group by 1, 2, 3),
      counted as (
        select workspace_id, team_id, state_id, count(*)::int as n from issue where deleted_at is null group by 1, 2, 3)
    select kept.n as kept, counted.n as counted
    from kept full join counted using (workspace_id, team_id, state_id)
    where coalesce(kept.n, 0) <> coalesce(counted.n, 0)`.execute(server.database.db)
  return rows
}

/** A copy of the first issue, with a number of its own. */
const copy = (n: number) => sql`
  insert into issue (workspace_id, id, team_id, number, title, state_id, sort_order,
    created_by_id, updated_by_id, created_at, updated_at)
  values (${first.workspaceId}, gen_random_uuid(), ${first.teamId}, ${100_000 + n}, 'A copy', ${first.stateId}, 1,
    ${first.createdById}, ${first.createdById}, now(), now())`

t.test('the issues of each state are counted exactly under concurrent writes', async t => {
  const states = await server.ok<Array<{ id: string }>>('/v1/ENG/workflows')
  const work = async (n: number) => {
    const id = await file(`Filed at once with others ${n}`)
    const other = await file(`Removed at once with others ${n}`)
    await server.ok(`/v1/issues/${id}`, { body: { stateId: states[n % states.length]!.id } })
    await server.ok(`/v1/issues/${other}`, { method: 'DELETE' })
    const issues = [
      { teamId: 'ENG', title: `One of several ${n}` },
      { teamId: 'ENG', title: `The other one ${n}` }
    ]
    await server.ok('/v1/issues/bulk', { body: { issues } })
  }
  await Promise.all(Array.from({ length: 8 }, (_, n) => work(n)))
  t.strictSame(await differences(), [])
  t.match(await server.ok('/v1/issues/filter', { body: { perPage: 1 } }), { total: 25 })
})

const total = async (filters: object) => {
  statements = []
  const page = await server.ok<{ total: number }>('/v1/issues/filter', { body: { filters, perPage: 5 } })
  t.notOk(
    statements.some(text => /count\(\*\) from (\(select from )?issue where/.test(text)),
    `${JSON.stringify(filters)} counts no issues`
  )
  return page.total
}
const is = (value: string) => ({ filterType: 'IS', value: [value] })

t.test('the issues of a label, an assignee and a project are counted exactly under concurrent writes', async t => {
  for (const name of ['One', 'Two']) {
    await server.ok('/v1/labels', { body: { name } })
    await server.ok('/v1/projects', { body: { name } })
  }
  const labels = await server.ok<Array<{ id: string; name: string }>>('/v1/labels')
  const work = async (n: number) => {
    const add = (body: object) =>
      server.ok<{ id: string }>('/v1/issues', { body: { teamId: 'ENG', title: `Has things ${n}`, ...body } })
    const full = { labels: ['One', 'Two'], assignee: 'me', project: 'One' }
    const unchanged = await add(full)
    const changed = await add(full)
    await server.ok(`/v1/issues/${changed.id}`, { body: { labels: ['Two'], assignee: null, project: 'Two' } })
    const cleared = await add(full)
    await server.ok(`/v1/issues/${cleared.id}`, { body: { labels: [], project: null } })
    const removed = await add(full)
    await server.ok(`/v1/issues/${removed.id}`, { method: 'DELETE' })
    const issues = [unchanged, changed].map(({ id }) => ({ issueId: id, addLabels: ['One'], removeLabels: ['Two'] }))
    await server.ok('/v1/issues/bulk_change', { body: { issues } })
    await server.ok('/v1/issues/bulk', { body: { issues: [1, 2].map(() => ({ teamId: 'ENG', title: 'x', ...full })) } })
  }
  await Promise.all(Array.from({ length: 6 }, (_, n) => work(n)))
  t.strictSame(await differences(), [])
  t.equal(await total({ label: is('One') }), 6 * 4)
  t.equal(await total({ label: { filterType: 'INCLUDES', value: ['Two'] } }), 6 * 2)
  t.equal(await total({ assignee: is('me') }), 6 * 4)
  t.equal(await total({ project: is('One') }), 6 * 3)
  const two = labels.find(({ name }) => name === 'Two')!
  await server.ok(`/v1/labels/${two.id}`, { method: 'DELETE' })
  t.equal(await total({ label: is(two.id) }), 0, 'a label that was removed is on no issue')
})

t.test('an issue whose transaction is undone is not counted', async t => {
  const undone = server.database.db.transaction().execute(async trx => {
    await copy(0).execute(trx)
    throw new Error('undone')
  })
  await t.rejects(undone, { message: 'undone' })
  t.strictSame(await differences(), [])
})

const skip = !(await runsOnCitus()) && 'needs TEST_DATABASE_URL of a Citus cluster'

t.test('on Citus, workspaces on every worker are counted, also after a move to another one', { skip }, async t => {
  const others = [await server.otherWorkspace(), await server.otherWorkspace(), await server.otherWorkspace()]
  for (const { token } of others) {
    await server.ok('/v1/teams', { body: { name: 'Engineering', identifier: 'ENG' }, token })
  }
  const fileInEach = async () => {
    await file('In the first workspace')
    for (const { token } of others) {
      await server.ok('/v1/issues', { body: { teamId: 'ENG', title: 'In another workspace' }, token })
    }
  }
  await fileInEach()
  t.strictSame(await differences(), [])
  // Raw: functions of Citus and its catalogue.
  await sql`
    select citus_move_shard_placement(s.shardid, own.nodename, own.nodeport, other.nodename, other.nodeport,
      'block_writes')
    from (
      select distinct get_shard_id_for_distribution_column('workspace', id) as shardid from workspace
    ) as s
    join pg_dist_placement p on p.shardid = s.shardid
    join pg_dist_node own on own.groupid = p.groupid
    join pg_dist_node other on other.groupid <> p.groupid and other.shouldhaveshards`.execute(server.database.db)
  t.strictSame(await differences(), [], 'what is copied to the other worker is not counted again')
  await fileInEach()
  t.strictSame(await differences(), [])
})

t.test('on Citus, a session of a worker does not grow with what is filed', { skip }, async t => {
  await server.database.db.transaction().execute(async trx => {
    // Measured by the worker, in the writing session.
    const used = async () => {
      const { rows } = await sql<{ bytes: number }>`
        select (select sum(used_bytes)::int from pg_backend_memory_contexts) as bytes
        from workspace where id = ${first.workspaceId}`.execute(trx)
      return rows[0]!.bytes
    }
    let filed = 0
    const fileSome = async () => {
      for (let n = 0; n < CREATES; n++) await copy(++filed).execute(trx)
    }
    await fileSome()
    const before = await used()
    await fileSome()
    t.ok((await used()) - before < CREATES * GROWTH_BYTES)
  })
  t.strictSame(await differences(), [])
})
