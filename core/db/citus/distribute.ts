import { sql, type Kysely } from 'kysely'
import { hasCitus } from '../distributed.ts'
import type { Placement } from './placement.ts'

export type TablePlacements = ReadonlyMap<string, Placement>

export interface DistributeOptions {
  placements: TablePlacements
  /** Unchanged when the workspaces are distributed already. */
  shards: number
  onDistributed(table: string): void
}

interface Distributed {
  added: number
  distributed: number
  local: number
}

const WORKSPACE = 'workspace'
/** Without it, Citus refuses tables with triggers. */
const TRIGGERS = 'citus.enable_unsafe_triggers'

// All SQL here is raw: functions of Citus, and the catalogue.

export async function assertDistributable<DB>(db: Kysely<DB>): Promise<void> {
  if (!(await hasCitus(db))) {
    throw new Error(
      'This database has no Citus: install it on this server, the coordinator, and on the workers, and run ' +
        '"create extension citus" in this database on each of them.'
    )
  }
  const { rows: workers } = await sql`
    select from pg_dist_node where noderole = 'primary' and isactive and shouldhaveshards and groupid <> 0`.execute(db)
  if (workers.length === 0) {
    throw new Error('This Citus coordinator has no workers: add each with "select citus_add_node(\'HOST\', PORT)".')
  }
  const { rows: nodes } = await sql<{ success: boolean; result: string }>`
    select success, result from run_command_on_all_nodes(${`show ${TRIGGERS}`})`.execute(db)
  const failed = nodes.find(({ success }) => !success)
  if (failed) throw new Error(`A node of the cluster cannot be asked: ${failed.result}`)
  if (nodes.some(({ result }) => result !== 'on')) {
    throw new Error(
      `The setting ${TRIGGERS} is off on some node: run "alter system set ${TRIGGERS} = on" and ` +
        '"select pg_reload_conf()" on the coordinator and on each worker. Its triggers change only the rows of the ' +
        'same workspace, which are on the same node.'
    )
  }
}

/** @throws Error that names others: their foreign keys may refer to distributed tables */
export async function assertAllDeclared<DB>(db: Kysely<DB>, placements: TablePlacements): Promise<void> {
  const tables = await readTables(db)
  const unknown = tables.filter(({ name }) => !placements.has(name)).map(({ name }) => name)
  if (unknown.length > 0) {
    throw new Error(
      `No plugin that is on says where these tables live: ${unknown.join(', ')}. Turn on the plugins that have made ` +
        'them; afterwards they can be turned off again.'
    )
  }
}

/** Each in a transaction, in the order of foreign keys: after an interruption, run it again. */
export async function distributeTables<DB>(
  db: Kysely<DB>,
  { placements, shards, onDistributed }: DistributeOptions
): Promise<Distributed> {
  const tables = (await readTables(db)).filter(({ name }) => placements.has(name))
  const distributable = sortByReferences(tables).filter(({ name }) => placements.get(name) !== 'local')
  const added = distributable.filter(table => !table.isDistributed)
  await distributeFunctions(db)
  for (const { name } of added) {
    await db.transaction().execute(async trx => {
      await sql`set local statement_timeout = 0`.execute(trx)
      await distributeTable(trx, name, placements.get(name)!, shards)
    })
    onDistributed(name)
  }
  return { added: added.length, distributed: distributable.length, local: tables.length - distributable.length }
}

interface Table {
  name: string
  isDistributed: boolean
  references: string[]
}

/** Reads no tables of migrations, which stay on the coordinator. */
async function readTables<DB>(db: Kysely<DB>): Promise<Table[]> {
  const { rows } = await sql<Table>`
    select c.relname as name,
      exists (select from pg_dist_partition p where p.logicalrelid = c.oid) as "isDistributed",
      array(
        select distinct r.relname::text from pg_constraint f join pg_class r on r.oid = f.confrelid
        where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as references
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = current_schema() and c.relkind = 'r' and c.relname not like 'migration\\_%'
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    order by c.relname`.execute(db.withoutPlugins())
  return rows
}

/** Sorts each after those that it refers to, the workspaces first. */
function sortByReferences(tables: readonly Table[]): Table[] {
  const byName = new Map(tables.map(table => [table.name, table]))
  const ordered = new Set<Table>()
  function add(name: string): void {
    const table = byName.get(name)
    if (table === undefined || ordered.has(table)) return
    for (const reference of table.references) add(reference)
    ordered.add(table)
  }
  for (const name of [WORKSPACE, ...byName.keys()]) add(name)
  return [...ordered]
}

export async function distributeTable<DB>(
  trx: Kysely<DB>,
  table: string,
  placement: Placement,
  shards: number
): Promise<void> {
  // Copied rows are not new: triggers must not count them again.
  const { rows: triggers } = await sql<{ name: string; definition: string }>`
    select tgname as name, pg_get_triggerdef(oid) as definition from pg_trigger
    where tgrelid = ${table}::regclass and not tgisinternal`.execute(trx)
  for (const { name } of triggers) await sql`drop trigger ${sql.id(name)} on ${sql.table(table)}`.execute(trx)
  await place(trx, table, placement, shards)
  for (const { definition } of triggers) await sql.raw(definition).execute(trx)
}

async function place<DB>(trx: Kysely<DB>, table: string, placement: Placement, shards: number): Promise<void> {
  if (placement === 'reference') await sql`select create_reference_table(${table}::regclass)`.execute(trx)
  else if (table === WORKSPACE) {
    await sql`
      select create_distributed_table(${table}::regclass, 'id', shard_count => ${shards}::int, colocate_with => 'none')
    `.execute(trx)
  } else {
    await sql`
      select create_distributed_table(${table}::regclass, 'workspace_id', colocate_with => ${WORKSPACE})`.execute(trx)
  }
}

/** Triggers call them on the workers: Citus does not find them by itself. */
async function distributeFunctions<DB>(db: Kysely<DB>): Promise<void> {
  await sql`
    select create_distributed_function(p.oid::regprocedure) from pg_proc p
    where p.pronamespace = current_schema()::regnamespace
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
      and not exists (select from pg_catalog.pg_dist_object o where o.classid = 'pg_proc'::regclass and o.objid = p.oid)
  `.execute(db)
}

/** They are still in the coordinator's files, invisible to statements. */
export async function removeLocalRows<DB>(db: Kysely<DB>): Promise<void> {
  const tables = sortByReferences(await readTables(db)).filter(table => table.isDistributed)
  for (const { name } of tables.toReversed()) {
    await sql`select truncate_local_data_after_distributing_table(${name}::regclass)`.execute(db)
  }
}
