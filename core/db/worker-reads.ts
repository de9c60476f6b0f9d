import { PostgresAdapter, sql, type CompiledQuery, type Kysely } from 'kysely'

/*
 * On Citus, the coordinator and the worker both plan a statement each time that it is sent, which for a large one takes
 * ten times as long as running it. So a function is sent to the worker instead, which prepares the statement there, on
 * the shard's own tables: they are given to it under the names that it knows, and its plan is kept by the session.
 */

/** The adapter of all connections of a server: tells code that builds statements whether the tables are distributed. */
export class DatabaseAdapter extends PostgresAdapter {
  isDistributed = false
}

/** Whether the tables are distributed, so that a statement may have to be written differently. */
export function isDistributed<DB>(db: Pick<Kysely<DB>, 'getExecutor'>): boolean {
  const { adapter } = db.getExecutor()
  return adapter instanceof DatabaseAdapter && adapter.isDistributed
}

/** The types in SQL of a statement's columns, in their order. */
export type ColumnTypes = Readonly<Record<string, string>>

const NAME = 'read_in_workspace'
/** Statements that a session keeps prepared: a large one takes about a megabyte. */
const MAX_PREPARED = 64

const BODY = `
declare
  shard bigint := get_shard_id_for_distribution_column('workspace', workspace_id);
  name text := 'read_' || shard || '_' || md5(statement);
  call text := 'execute ' || name || '(' || (
    select string_agg(quote_nullable(value), ', ' order by n) from unnest(parameters) with ordinality as p (value, n)
  ) || ')';
  tables text;
  old text;
begin
  begin
    return query execute call;
    return;
  exception when syntax_error then
    -- What is not prepared in this session "does not return tuples".
  end;
  for old in
    select p.name from pg_prepared_statements p where p.name like 'read\\_%'
    order by p.prepare_time desc offset ${MAX_PREPARED - 1}
  loop
    execute 'deallocate ' || quote_ident(old);
  end loop;
  -- Those that the statement names, so that it does not depend on others. None of them where the shard is on another
  -- node: then it is read through that of all.
  select 'with ' || string_agg(
    format('%I as not materialized (select * from %s)', c.relname, shard_name(s.logicalrelid, s.shardid)), ', ')
  into tables
  from pg_dist_shard s
  join pg_dist_partition p on p.logicalrelid = s.logicalrelid
  join pg_class c on c.oid = s.logicalrelid
  where p.colocationid = (select w.colocationid from pg_dist_partition w where w.logicalrelid = 'workspace'::regclass)
    and s.shardminvalue = (select w.shardminvalue from pg_dist_shard w where w.shardid = shard)
    and statement ~ ('\\m' || c.relname || '\\M')
    and exists (
      select from pg_dist_placement l where l.shardid = s.shardid
        and l.groupid = (select groupid from pg_dist_local_group));
  execute 'prepare ' || name || ' as ' || coalesce(tables, '') || ' select * from (' || statement || ') as read';
  return query execute call;
end`

/** Creates the function, or replaces an older one. Raw: it is for Citus, whose catalogue has no types. */
export async function makeWorkerReads<DB>(db: Kysely<DB>): Promise<void> {
  const { rows } = await sql`
    select from pg_proc p join pg_catalog.pg_dist_object o on o.classid = 'pg_proc'::regclass and o.objid = p.oid
    where p.proname = ${NAME} and p.prosrc = ${BODY} and o.force_delegation`.execute(db)
  if (rows.length > 0) return
  await sql`
    create or replace function ${sql.id(NAME)} (workspace_id uuid, statement text, parameters text[])
    returns setof record language plpgsql as ${sql.lit(BODY)}`.execute(db)
  // Forced, so that it is delegated inside a transaction, too, which can then call it for one workspace only.
  await sql`
    select create_distributed_function(
      ${`${NAME}(uuid, text, text[])`}, 'workspace_id', colocate_with => 'workspace', force_delegation => true)
  `.execute(db)
}

/**
 * Runs a query that reads in one workspace only: on Citus, its worker keeps it prepared.
 * @param columns of its rows
 */
export async function readInWorkspace<DB, R>(
  db: Pick<Kysely<DB>, 'executeQuery' | 'getExecutor'>,
  query: CompiledQuery<R>,
  { workspaceId, columns }: { workspaceId: string; columns: ColumnTypes }
): Promise<R[]> {
  const { rows } = await db.executeQuery<R>(isDistributed(db) ? onWorker(query, workspaceId, columns) : query)
  return rows
}

/** Wraps a query into a call of the function. */
function onWorker<R>(query: CompiledQuery<R>, workspaceId: string, columns: ColumnTypes): CompiledQuery<R> {
  const types = Object.entries(columns).map(([name, type]) => `"${name}" ${type}`)
  const values = query.parameters.map(value => (Array.isArray(value) ? arrayText(value) : value))
  return {
    ...query,
    sql: `select * from ${NAME}($1::uuid, $2::text, $3::text[]) as read (${types.join(', ')})`,
    parameters: [workspaceId, query.sql, values]
  }
}

/** An array as PostgreSQL's text form of it: the driver would nest it into the array of the parameters. */
const arrayText = (values: readonly unknown[]): string =>
  `{${values.map(value => (value === null ? 'NULL' : `"${String(value).replaceAll(/["\\]/g, '\\$&')}"`)).join(',')}}`
