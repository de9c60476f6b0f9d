import { sql, type Kysely, type Transaction } from 'kysely'
import { makeDatabase, type DatabaseOptions } from '../core/db/database.ts'
import { storedText } from '../lib/rich-text/conversion/stored.ts'
import { parse } from '../lib/rich-text/index.ts'

/** The ids and keys that the requests of a benchmark use. */
export interface Board {
  issueIds: string[]
  startedStateId: string
  labelId: string
}

/** Texts of the usual sizes, with the constructs that people use. */
const TEXTS = Array.from({ length: 20 }, (_, n) =>
  storedText(
    parse(
      [
        (
          `The request for \`/v1/things/${n}\` fails **after** a restart, ` +
          'but only when the list is longer than one page. '
        ).repeat(1 + (n % 4)),
        '## Steps\n\n1. Start the server\n2. Ask for the second page\n3. Look at the log\n',
        `\`\`\`js\nconst page = await list({ page: 2, perPage: ${n} })\n\`\`\`\n`,
        '## Acceptance criteria\n\n- [x] it fails in a test\n- [ ] the test passes\n' +
          '- [ ] the [docs](https://example.com/docs) say so\n'
      ].join('\n\n')
    )
  )
)
const NOTES = Array.from({ length: 20 }, (_, n) =>
  storedText(
    parse(`Looked at case ${n}: the cursor is *one row* short.\n\n- found in \`page.ts\`\n- not in the index\n`)
  )
)

const ISSUES_SAMPLED = 500

/** Issues of one transaction: more would keep more of the log and of the database's memory at once. */
const BATCH_ISSUES = 50_000

/**
 * Fills the first team of an empty, migrated database with `size` issues and what belongs to them: two labels, two
 * comments and four changes each, a relation on every second (of every tenth one that blocks it), a link and a parent
 * on every fifth.
 */
export async function loadBoard(options: Pick<DatabaseOptions, 'url' | 'dataDir'>, size: number): Promise<Board> {
  const database = makeDatabase({ ...options, poolSize: 2 })
  try {
    return await database.db.connection().execute(async db => {
      // A batch of a large board takes longer than a request may.
      await sql`set statement_timeout = 0`.execute(db)
      await defineRows(db)
      for (let first = 1; first <= size; first += BATCH_ISSUES) {
        await db.transaction().execute(async trx => {
          await addIssues(trx, first, Math.min(size, first + BATCH_ISSUES - 1))
          await addToIssues(trx)
        })
      }
      await sql`vacuum (analyze)`.execute(db)
      return await sample(db)
    })
  } finally {
    await database.close()
  }
}

/** Functions and tables for this connection. Ids follow from numbers and, as the application's, from the time. */
async function defineRows<DB>(db: Kysely<DB>): Promise<void> {
  const statements = `
    create function pg_temp.time_of (n bigint) returns timestamptz immutable language sql as $$
      select timestamptz '2026-01-01' + n * interval '1 second' $$;
    create function pg_temp.id_of (kind text, n bigint) returns uuid immutable language sql as $$
      select (
        lpad(to_hex((extract(epoch from pg_temp.time_of(n)) * 1000)::bigint), 12, '0')
        || '7' || substr(md5(kind || n), 1, 3) || '8' || substr(md5(kind || n), 4, 15))::uuid $$;
    create temp table first as
      select w.id as workspace, t.id as team, a.id as person, k.id as token
      from workspace w
      join team t on t.workspace_id = w.id
      join account a on a.workspace_id = w.id
      join token k on k.workspace_id = w.id
      limit 1;
    create temp table state as
      select s.*, count(*) over () as most,
        row_number() over (order by category = 'COMPLETED', category = 'STARTED', position) - 1 as n
      from workflow_state s;
    create temp table labelled as
      select id, row_number() over (order by name) - 1 as n, count(*) over () as most from label;
    create temp table n (n integer);`
  await sql.raw(statements).execute(db)
}

const oneOf = (texts: ReadonlyArray<string | null>) => sql`(${texts}::text[])[1 + n.n % ${sql.lit(texts.length)}]`

async function addIssues<DB>(trx: Transaction<DB>, first: number, last: number): Promise<void> {
  await sql`truncate n`.execute(trx)
  await sql`insert into n select generate_series(${first}::int, ${last}::int)`.execute(trx)
  await sql`analyze n`.execute(trx)
  await sql`
    insert into issue (
      workspace_id, id, team_id, number, title, description, description_markdown,
      described, criteria_met, criteria_total, state_id, assignee_id, assigned_at, priority, sort_order, parent_id,
      created_by_id, updated_by_id, created_at, updated_at, completed_at, rev)
    select workspace, pg_temp.id_of('issue', n.n), team, n.n, 'Page ' || n.n || ' of the list is empty after a restart',
      ${oneOf(TEXTS.map(text => text.json))}::json, ${oneOf(TEXTS.map(text => text.markdown))},
      true, 1, 3, state.id, case when n.n % 3 = 0 then person end,
      case when n.n % 3 = 0 then pg_temp.time_of(n.n) end, n.n % 5, n.n,
      case when n.n % 5 = 0 then pg_temp.id_of('issue', n.n - 1) end,
      person, person, pg_temp.time_of(n.n), pg_temp.time_of(n.n + 600),
      case when state.category = 'COMPLETED' then pg_temp.time_of(n.n + 600) end, 5
    from n, first, state where state.n = n.n % state.most`.execute(trx)
  await sql`
    insert into issue_counter (workspace_id, team_id, last)
    select workspace, team, ${last}::int from first
    on conflict (workspace_id, team_id) do update set last = excluded.last`.execute(trx)
}

async function addToIssues<DB>(trx: Transaction<DB>): Promise<void> {
  await sql`
    insert into issue_label (workspace_id, issue_id, label_id)
    select workspace, pg_temp.id_of('issue', n.n), labelled.id
    from n, first, labelled where labelled.n <> n.n % labelled.most`.execute(trx)
  await sql`
    insert into comment (workspace_id, id, issue_id, parent_id, author_id, body, body_markdown, created_at, updated_at)
    select workspace, pg_temp.id_of('comment' || nth, n.n), pg_temp.id_of('issue', n.n), null, person,
      ${oneOf(NOTES.map(text => text.json))}::json, ${oneOf(NOTES.map(text => text.markdown))},
      pg_temp.time_of(n.n + nth * 60), pg_temp.time_of(n.n + nth * 60)
    from n, first, generate_series(1, 2) nth`.execute(trx)
  await sql`
    insert into issue_change (workspace_id, id, issue_id, at, actor_id, token_id, change, from_name, to_name)
    select workspace, pg_temp.id_of('change' || nth, n.n), pg_temp.id_of('issue', n.n),
      pg_temp.time_of(n.n + nth * 60), person, token,
      (array['state', 'priority', 'label', 'assignee'])[nth], null,
      (array['In Progress', 'High', 'Bug', 'Administrator'])[nth]
    from n, first, generate_series(1, 4) nth`.execute(trx)
  await sql`
    insert into issue_relation (workspace_id, id, issue_id, related_issue_id, type, created_by_id, created_at)
    select workspace, pg_temp.id_of('relation', n.n), pg_temp.id_of('issue', n.n), pg_temp.id_of('issue', n.n - 1),
      case when n.n % 10 = 0 then 'BLOCKS' else 'RELATED' end, person, pg_temp.time_of(n.n + 60)
    from n, first where n.n % 2 = 0`.execute(trx)
  await sql`
    insert into issue_link (workspace_id, id, issue_id, url, title, created_at)
    select workspace, pg_temp.id_of('link', n.n), pg_temp.id_of('issue', n.n), 'https://example.com/' || n.n,
      'Pull request ' || n.n, pg_temp.time_of(n.n + 60)
    from n, first where n.n % 5 = 0`.execute(trx)
}

async function sample<DB>(db: Kysely<DB>): Promise<Board> {
  const issues = await sql<{ id: string }>`
    select id from issue order by md5(id::text) limit ${ISSUES_SAMPLED}`.execute(db)
  const names = await sql<Omit<Board, 'issueIds'>>`
    select (select id from workflow_state where name = 'In Progress') as "startedStateId",
      (select id from labelled where n = 0) as "labelId"`.execute(db)
  return { issueIds: issues.rows.map(({ id }) => id), ...names.rows[0]! }
}
