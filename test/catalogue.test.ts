import { sql } from 'kysely'
import t from 'tap'
import { coreTables } from '../core/db/citus/placement.ts'
import { installed } from '../plugins/index.ts'
import { testServer, type TestServer } from './runner/harness.ts'

let server: TestServer
t.before(async () => {
  server = await testServer()
})
t.teardown(() => server.close())

interface Table {
  name: string
  tenant: boolean
  key: string[]
}
interface ForeignKey {
  name: string
  table: string
  columns: string[]
  refTable: string
  refColumns: string[]
}

const columnNames = (table: string, numbers: string) => sql<string[]>`(
  select array_agg(a.attname::text order by k.n)
  from unnest(${sql.ref(numbers)}) with ordinality k (attnum, n)
  join pg_attribute a on a.attrelid = ${sql.ref(table)} and a.attnum = k.attnum)`

async function tables(): Promise<Table[]> {
  const { rows } = await sql<Table>`
    select c.relname as name,
      exists (
        select 1 from pg_attribute a
        where a.attrelid = c.oid and a.attname = 'workspace_id' and not a.attisdropped) as tenant,
      coalesce(${columnNames('c.oid', 'p.conkey')}, '{}') as key
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    left join pg_constraint p on p.conrelid = c.oid and p.contype = 'p'
    where n.nspname = 'public' and c.relkind in ('r', 'p') and c.relname not like 'migration\\_%'`.execute(
    server.database.db
  )
  return rows
}

async function foreignKeys(): Promise<ForeignKey[]> {
  const { rows } = await sql<ForeignKey>`
    select f.conname as name, c.relname as "table", r.relname as "ref_table",
      ${columnNames('f.conrelid', 'f.conkey')} as columns, ${columnNames('f.confrelid', 'f.confkey')} as ref_columns
    from pg_constraint f
    join pg_class c on c.oid = f.conrelid
    join pg_class r on r.oid = f.confrelid
    join pg_namespace n on n.oid = c.relnamespace
    where f.contype = 'f' and n.nspname = 'public'`.execute(server.database.db)
  return rows
}

t.test('every table of a workspace is keyed by it', async t => {
  const all = await tables()
  t.ok(all.length > 10)
  t.strictSame(
    all
      .filter(table => !table.tenant)
      .map(table => table.name)
      .sort(),
    // Clients, failed or pending sign-ins belong to no workspace; cursors of the log, and jobs, may concern all.
    [
      ...['event_consumer', 'event_partition', 'job_crash', 'oauth_client', 'oidc_attempt', 'oidc_choice'],
      ...['sign_in_failure', 'workspace']
    ],
    'and every other table belongs to one'
  )
  for (const { name, key } of all.filter(table => table.tenant)) {
    t.equal(key[0], 'workspace_id', `the primary key of ${name} begins with the workspace`)
  }
})

t.test('no foreign key leaves a workspace', async t => {
  const all = await foreignKeys()
  t.ok(all.length > 10)
  for (const { name, table, columns, refTable, refColumns } of all) {
    if (refTable === 'workspace') t.strictSame(columns, ['workspace_id'], name)
    else {
      t.equal(
        refColumns[columns.indexOf('workspace_id')],
        'workspace_id',
        `${name} of ${table} carries the workspace to ${refTable}`
      )
    }
  }
})

const snake = (name: string) => name.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

t.test('every table says where it lives on a distributed engine, once', async t => {
  const placed: Array<[string, string]> = Object.entries(coreTables)
  for (const load of Object.values(installed)) placed.push(...Object.entries((await load()).default.spec.tables ?? {}))
  const names = placed.map(([name]) => snake(name))
  t.strictSame(names.toSorted(), (await tables()).map(({ name }) => name).toSorted())
  const byWorkspace = placed.filter(([, placement]) => placement === 'workspace').map(([name]) => snake(name))
  for (const { name, tenant } of await tables()) {
    if (!byWorkspace.includes(name)) continue
    t.ok(tenant || name === 'workspace', `${name} has the workspace by which it is placed`)
  }
})

t.test('a foreign key points only to the core, to its own plugin or to one that is required', async t => {
  const owner = new Map<string, string>()
  const alone: Record<string, Set<string>> = {}
  for (const [name, load] of Object.entries(installed)) {
    const { dependencies, spec } = (await load()).default
    alone[name] = new Set(dependencies.requires.map(c => c.name))
    for (const table of Object.keys(spec.tables ?? {})) owner.set(snake(table), name)
  }
  for (const { name, table, refTable, columns } of await foreignKeys()) {
    const to = owner.get(refTable)
    // Columns that a plugin adds to another's table are its own, and named after their target.
    const from =
      columns.some(column => column === `${refTable}_id`) &&
      owner.get(table) !== to &&
      to !== undefined &&
      alone[to]?.has(owner.get(table) ?? '')
        ? to
        : owner.get(table)
    t.ok(
      to === undefined || to === from || alone[from ?? '']?.has(to),
      `${name}: ${table} (${from}) -> ${refTable} (${to})`
    )
  }
})

t.test('the database itself refuses a reference across workspaces', async t => {
  const other = await server.otherWorkspace()
  const { db } = server.database
  const issue = await server.ok<{ id: string }>('/v1/issues', { body: { teamId: 'ENG', title: 'here' } })
  const label = await server.ok<{ id: string }>('/v1/labels', { body: { name: 'here, too' } })
  await t.rejects(
    sql`
      insert into issue_label (workspace_id, issue_id, label_id)
      values (${other.id}, ${issue.id}, ${label.id})`.execute(db),
    { code: '23503' }
  )
})
