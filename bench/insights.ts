import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { sql, type Transaction } from 'kysely'
import { newToken } from '../core/auth/tokens.ts'
import { makeDatabase } from '../core/db/database.ts'
import { emptyDatabase } from '../test/runner/empty-database.ts'
import { startProcess } from '../test/runner/process.ts'
import { makeClient } from './client.ts'

/*
 * npm run bench:insights -- --database URL [--issues 100000] [--runs 3]: the response time of insights over a board
 * that was filled for two years: four of five issues are done after a few days of work, one of 25 of these came back,
 * and one of a hundred is in progress.
 */
const { values: options } = parseArgs({
  options: {
    database: { type: 'string' },
    issues: { type: 'string', default: '100000' },
    runs: { type: 'string', default: '3' }
  }
})
if (options.database === undefined) throw new Error('Name a PostgreSQL server: --database URL')
const ISSUES = Number(options.issues)
const RUNS = Number(options.runs)
const DAYS = 730
const DAY_MS = 86_400_000

const dayBefore = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)
const QUERIES = ['week', 'assignee', 'agent', 'label'].flatMap(by =>
  [27, 83, 364].map(days => `by=${by}&from=${dayBefore(days)}`)
)

async function addIssues<DB>(trx: Transaction<DB>): Promise<void> {
  const statements = [
    sql`create temp table first as
      select w.id as workspace, t.id as team, a.id as person, array(select id from account order by id) as people
      from workspace w join team t on t.workspace_id = w.id
      join account a on a.workspace_id = w.id and a.kind = 'PERSON' limit 1`,
    sql`create temp table state as select name, id from workflow_state`,
    sql`create temp table plan as
      select n, gen_random_uuid() as id, n % 1000 as lot,
        now() - ${sql.lit(DAYS)} * interval '1 day' * (1 - n / ${sql.lit(ISSUES)}::float8) as born
      from generate_series(1, ${sql.lit(ISSUES)}) n`,
    sql`create temp table step as
      select id, n, 1 as nth, born + (lot % 40) * interval '6 hours' as at, 'Todo' as former, 'In Progress' as next
        from plan where lot < 810
      union all select id, n, 2, born + (lot % 40) * interval '6 hours' + (n % 9 + 1) * interval '10 hours',
        'In Progress', 'In Review' from plan where lot < 800
      union all select id, n, 3, born + (lot % 40) * interval '6 hours' + (n % 9 + 4) * interval '12 hours',
        'In Review', 'Done' from plan where lot < 800
      union all select id, n, 4, born + interval '20 days', 'Done', 'In Progress' from plan where lot < 32
      union all select id, n, 5, born + interval '22 days', 'In Progress', 'Done' from plan where lot < 32`,
    sql`delete from step where at > now()`,
    sql`create temp table last as select distinct on (id) id, next, at from step order by id, nth desc`,
    sql`analyze plan, step, last`,
    // Triggers would update the same counters for each issue, which takes minutes; insights do not read them.
    sql`alter table issue disable trigger user`,
    sql`insert into issue (workspace_id, id, team_id, number, title, description_markdown, described, state_id,
        assignee_id, sort_order, created_by_id, updated_by_id, created_at, updated_at, completed_at)
      select workspace, plan.id, team, n, 'Page ' || n || ' of the list is empty', repeat(md5(n::text), 50), true,
        state.id,
        people[1 + n % cardinality(people)], n, people[1 + n / 7 % cardinality(people)], person, born,
        coalesce(last.at, born), case when last.next = 'Done' then last.at end
      from plan cross join first left join last on last.id = plan.id
      join state on state.name = coalesce(last.next, 'Todo') order by n`,
    sql`insert into issue_change (workspace_id, id, issue_id, at, actor_id, change, from_name, to_name, from_id, to_id)
      select workspace, gen_random_uuid(), step.id, at, person, 'state', former, next, f.id, t.id
      from step cross join first join state f on f.name = former join state t on t.name = next order by at`,
    sql`insert into issue_change (workspace_id, id, issue_id, at, actor_id, change, to_name)
      select workspace, gen_random_uuid(), plan.id, born, person, change, 'High'
      from plan cross join first cross join unnest(array['priority', 'label', 'estimate']) change order by born`,
    sql`alter table issue_label disable trigger user`,
    sql`insert into issue_label (workspace_id, issue_id, label_id)
      select workspace, plan.id, label.id from plan cross join first
      join (select id, row_number() over (order by name) as k from label) label on n % 3 = label.k - 1`,
    sql`alter table issue enable trigger user`,
    sql`alter table issue_label enable trigger user`
  ]
  for (const statement of statements) await statement.execute(trx)
}

/** Has the consumer of events read all issues again, as a change of their first state does. @returns the seconds */
async function fillSteps(): Promise<number> {
  const start = performance.now()
  const states = await send<Array<{ id: string; name: string }>>(server, '/v1/ENG/workflows')
  await send(server, `/v1/ENG/workflows/${states.find(({ name }) => name === 'Todo')!.id}`, { name: 'To begin' })
  const isBehind = /^tracker_event_consumer_lag_events\{consumer="insights\/steps"\} [1-9]/m
  do await sleep(1_000)
  while (isBehind.test(await (await fetch(`${server.url}/metrics`)).text()))
  return (performance.now() - start) / 1000
}

const token = newToken()
const send = makeClient(token)
const database = await emptyDatabase(options.database)
if (!('DATABASE_URL' in database.env)) throw new Error('Insights are measured on PostgreSQL: --database URL')
const server = await startProcess({ ...database.env, TRACKER_ADMIN_TOKEN: token })
try {
  for (let n = 1; n <= 4; n++) {
    await send(server, '/v1/users/agents', { name: `Agent ${n}`, scopes: ['read', 'write'] })
  }
  const { db, close } = makeDatabase({ url: database.env.DATABASE_URL, poolSize: 1 })
  await db.connection().execute(async connection => {
    await sql`set statement_timeout = 0`.execute(connection)
    await connection.transaction().execute(addIssues)
    await sql`vacuum (analyze)`.execute(connection)
    console.log(`filled in ${(await fillSteps()).toFixed(0)} s`)
    await sql`vacuum (analyze)`.execute(connection)
  })
  await close()
  console.log(`${ISSUES} issues in ${DAYS} days: median of ${RUNS} runs, milliseconds`)
  for (const query of QUERIES) {
    await send(server, `/v1/insights?${query}`)
    const times: number[] = []
    for (let run = 0; run < RUNS; run++) {
      const start = performance.now()
      await send(server, `/v1/insights?${query}`)
      times.push(performance.now() - start)
    }
    const median = times.toSorted((a, b) => a - b)[Math.floor(RUNS / 2)]!
    console.log(`${query.padEnd(34)}${median.toFixed(0).padStart(7)}   load ${loadavg()[0]!.toFixed(1)}`)
  }
} finally {
  await server.end('SIGTERM')
  await database.remove()
}
