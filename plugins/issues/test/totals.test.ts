import { sql } from 'kysely'
import t from 'tap'
import { asShortRead } from '../../../core/api/database/queries.ts'
import { runsOnCitus, testServer, type TestServer } from '../../../test/runner/harness.ts'

interface Page {
  issues: Array<{ id: string }>
  total?: number
  totalIsExact?: false
  nextCursor: string | null
}

/** More than are counted for `capped`. */
const ISSUES = 10_001
const unassigned = { assignee: { filterType: 'UNDEFINED' } }
let server: TestServer

/** Creates many issues by copying one, without its priority. */
async function copyIssue(id: string, copies: number): Promise<void> {
  const { db } = server.database
  await sql`
    insert into issue (workspace_id, id, team_id, number, title, state_id, sort_order,
      created_by_id, updated_by_id, created_at, updated_at)
    select workspace_id, gen_random_uuid(), team_id, number + n, title, state_id, sort_order + n,
      created_by_id, updated_by_id, created_at, updated_at
    from issue, generate_series(1, ${copies}::int) as n where id = ${id}`.execute(db)
  await sql`update issue_counter set last = last + ${copies}::int`.execute(db)
  await sql`analyze issue`.execute(db)
}

t.before(async () => {
  server = await testServer()
  const { id } = await server.ok<{ id: string }>('/v1/issues', {
    body: { teamId: 'ENG', title: 'One of many', priority: 1 }
  })
  await copyIssue(id, ISSUES - 1)
})
t.teardown(() => server.close())

const filter = (body: object) => server.ok<Page>('/v1/issues/filter', { body: { perPage: 1, ...body } })

t.test('a page counts all issues unless it is requested without', async t => {
  const page = await filter({ filters: unassigned })
  t.equal(page.total, ISSUES)
  t.notHas(page, { totalIsExact: false })
})

t.test('a capped total stops at 10,000, and says that there are more', async t => {
  t.match(await filter({ filters: unassigned, total: 'capped' }), { total: 10_000, totalIsExact: false })
})

t.test('a capped total of fewer issues is exact', async t => {
  const page = await filter({
    filters: { priority: { filterType: 'IS', value: [0] } },
    total: 'capped'
  })
  t.equal(page.total, 10_000)
  t.notOk('totalIsExact' in page)
})

t.test('a total that is kept is exact even where it would be capped', async t => {
  const page = await filter({ filters: { team: { filterType: 'IS', value: ['ENG'] } }, total: 'capped' })
  t.equal(page.total, ISSUES)
  t.notOk('totalIsExact' in page)
})

t.test('a page that counts nothing has no total', async t => {
  const page = await filter({ filters: unassigned, total: 'none' })
  t.equal(page.issues.length, 1)
  t.notOk('total' in page)
})

t.test('a total that is known without counting', async t => {
  t.notOk('total' in (await filter({ filters: unassigned, total: 'known' })), 'not of issues that must be counted')
  const team = { team: { filterType: 'IS', value: ['ENG'] } }
  t.equal((await filter({ filters: team, total: 'known' })).total, ISSUES, 'one that is kept')
  const urgent = { priority: { filterType: 'IS', value: [1] } }
  for (const total of ['known', 'capped', 'exact']) {
    t.match(await filter({ filters: urgent, total }), { total: 1, nextCursor: null }, `of one page: ${total}`)
    t.match(await filter({ filters: { ...urgent, ...unassigned }, total, page: 2 }), { issues: [] }, 'beyond it')
  }
  t.equal((await filter({ filters: { ...urgent, text: { filterType: 'INCLUDES', value: 'no such' } } })).total, 0)
})

t.test('a request that says only how to count gets a page', async t => {
  const page = await server.ok<Page>('/v1/issues/filter', { body: { total: 'none' } })
  t.equal(page.issues.length, 50)
})

t.test('the pages after a cursor tell the total of the first one', async t => {
  for (const total of ['exact', 'capped'] as const) {
    const { nextCursor: cursor, ...first } = await filter({ filters: unassigned, total })
    const filed = await server.ok<{ id: string }>('/v1/issues', { body: { teamId: 'ENG', title: 'Filed meanwhile' } })
    const second = await filter({ filters: unassigned, total, cursor })
    t.equal(second.total, first.total)
    t.equal(second.totalIsExact, first.totalIsExact)
    await server.ok(`/v1/issues/${filed.id}`, { method: 'DELETE' })
  }
})

t.test('an exact total is counted where the listing knows only a capped one', async t => {
  const { nextCursor: cursor } = await filter({ filters: unassigned, total: 'capped' })
  t.equal((await filter({ filters: unassigned, cursor })).total, ISSUES)
})

t.test('a listing that began without a total is counted when it is asked for one', async t => {
  const { nextCursor: cursor } = await filter({ filters: unassigned, total: 'none' })
  t.equal((await filter({ filters: unassigned, cursor })).total, ISSUES)
})

t.test('a cursor with a total that is no number is refused', async t => {
  const { nextCursor } = await filter({ filters: unassigned })
  const cursor = nextCursor!.replace(/~[^~]*$/, '~A?')
  t.equal((await server.call('/v1/issues/filter', { body: { filters: unassigned, cursor } })).statusCode, 400)
})

const skip = (await runsOnCitus()) && 'the plans of Citus are not counted'
t.test('the plan of the first page of a state is reused, however many issues there are', { skip }, async t => {
  const [state] = await server.ok<Array<{ id: string }>>('/v1/ENG/workflows')
  const body = { filters: { state: { filterType: 'IS', value: [state!.id] } } }
  for (let n = 0; n < 10; n++) await filter(body)
  const { rows } = await sql<{ planned: number }>`
    select generic_plans::integer as planned from pg_prepared_statements
    where statement like '%issue_tally%'`.execute(asShortRead(server.database.db))
  t.ok(rows.some(({ planned }) => planned > 0))
})
