import { sql, Transaction, type CompiledQuery, type Kysely } from 'kysely'
import type { Distribution, Executing, InWorkspace } from '../adapter.ts'
import { isStatementError } from '../statements/short-reads.ts'

/*
 * On Citus, the coordinator and the worker both plan a statement each time, which for a large one takes ten times as
 * long as running it. So a function is called on the worker instead, which prepares the statement there, on the shard's
 * own tables, and the session keeps its plan. There, a statement may also write to several tables: Citus itself would
 * pass the rows of its parts through the coordinator.
 */

/** The workers, without the coordinator: see workers.ts. */
interface DirectWorkers {
  /** The worker of a workspace; undefined: use the coordinator. */
  of(workspaceId: string): { readonly reads: Executing; readonly writes: Executing } | undefined
  /** Called when the worker of a workspace has failed. */
  forget(workspaceId: string): void
}

/** Statements of each kind that a session keeps prepared: a large one takes about a megabyte. */
const MAX_PREPARED = 64
/** Maximum characters of a prepared statement: a longer one writes many rows, hardly ever the same number again. */
const MAX_KEPT_LENGTH = 20_000

/**
 * The shard's tables that the statement names, so that it does not depend on others. None of them if the shard is on
 * another node: then the statement uses the distributed tables, through Citus.
 */
const OWN_TABLES = `
  select c.relname as name, shard_name(s.logicalrelid, s.shardid) as own
  from pg_dist_shard s
  join pg_dist_partition p on p.logicalrelid = s.logicalrelid
  join pg_class c on c.oid = s.logicalrelid
  where p.colocationid = (select w.colocationid from pg_dist_partition w where w.logicalrelid = 'workspace'::regclass)
    and s.shardminvalue = (select w.shardminvalue from pg_dist_shard w where w.shardid = shard)
    and statement ~ ('\\m' || c.relname || '\\M')
    and exists (
      select from pg_dist_placement l where l.shardid = s.shardid
        and l.groupid = (select groupid from pg_dist_local_group))`

/** A function that runs a statement on the worker of a workspace. */
interface WorkerFunction {
  kind: 'read' | 'write'
  /** PL/pgSQL that sets `prepared` from `statement`, for the shard's tables. */
  prepare: string
}

const read: WorkerFunction = {
  kind: 'read',
  // The shard's tables get the names of the statement as common table expressions.
  prepare: `
  select 'with ' || string_agg(format('%I as not materialized (select * from %s)', t.name, t.own), ', ')
  into prepared from (${OWN_TABLES}) as t;
  prepared := coalesce(prepared, '') || ' select * from (' || statement || ') as read';`
}

const NOT_ALIASES =
  'where|on|set|values|select|left|right|full|inner|cross|join|order|group|having|for|limit|offset|returning|using|' +
  'union|except|intersect|default|overriding'
const write: WorkerFunction = {
  kind: 'write',
  // Only a table itself can be written, or its rows be locked. So after FROM, JOIN, INTO and UPDATE its name is
  // replaced by the shard's, first where it has an alias, and then with its own name as the alias.
  prepare: `
  prepared := statement;
  for one in ${OWN_TABLES} loop
    prepared := regexp_replace(prepared,
      '\\m(from|join|into|update)\\s+"?' || one.name || '"?\\s+(?="?(?!(?:${NOT_ALIASES})\\M)[a-z_])',
      '\\1 ' || one.own || ' ', 'g');
    prepared := regexp_replace(prepared,
      '\\m(from|join|into|update)\\s+"?' || one.name || '"?(?![\\w"])', '\\1 ' || one.own || ' as ' || one.name, 'g');
  end loop;`
}

const nameOf = ({ kind }: WorkerFunction) => `${kind}_in_workspace`

const bodyOf = ({ kind, prepare }: WorkerFunction) => `
declare
  shard bigint := get_shard_id_for_distribution_column('workspace', workspace_id);
  name text := '${kind}_' || shard || '_' || md5(statement);
  call text := 'execute ' || name || '(' || (
    select string_agg(quote_nullable(value), ', ' order by n) from unnest(parameters) with ordinality as p (value, n)
  ) || ')';
  prepared text;
  one record;
begin
  begin
    return query execute call;
    return;
  exception when syntax_error then
    -- What is not prepared in this session "does not return tuples".
  end;
  for one in
    select p.name from pg_prepared_statements p where starts_with(p.name, '${kind}_')
    order by p.prepare_time desc offset ${MAX_PREPARED - 1}
  loop
    execute 'deallocate ' || quote_ident(one.name);
  end loop;
  ${prepare}
  execute 'prepare ' || name || ' as ' || prepared;
  return query execute call;
  if length(statement) > ${MAX_KEPT_LENGTH} then
    execute 'deallocate ' || name;
  end if;
end`

/** Creates or replaces the functions. Raw: they are for Citus, whose catalogue has no types. */
export async function makeWorkerFunctions<DB>(db: Kysely<DB>): Promise<void> {
  for (const definition of [read, write]) await makeWorkerFunction(db, definition)
}

async function makeWorkerFunction<DB>(db: Kysely<DB>, made: WorkerFunction): Promise<void> {
  const name = nameOf(made)
  const body = bodyOf(made)
  const { rows } = await sql`
    select from pg_proc p join pg_catalog.pg_dist_object o on o.classid = 'pg_proc'::regclass and o.objid = p.oid
    where p.proname = ${name} and p.prosrc = ${body} and o.force_delegation`.execute(db)
  if (rows.length > 0) return
  await sql`
    create or replace function ${sql.id(name)} (workspace_id uuid, statement text, parameters text[])
    returns setof record language plpgsql as ${sql.lit(body)}`.execute(db)
  // Forced, so that it is delegated inside a transaction, too, which can then call it for one workspace only.
  await sql`
    select create_distributed_function(
      ${`${name}(uuid, text, text[])`}, 'workspace_id', colocate_with => 'workspace', force_delegation => true)
  `.execute(db)
}

/**
 * Runs statements in functions of the workers.
 * @param workers those that reads, or writes that commit by themselves, are sent to without the coordinator
 */
export function makeDistribution({ reads, writes }: { reads?: DirectWorkers; writes?: DirectWorkers }): Distribution {
  return {
    read: (db, query, where) =>
      runDirectly(reads, 'reads', where.workspaceId, via => runInFunction(read, via ?? db, query, where)),
    write: (db, query, where) => runInFunction(write, db, query, where),
    commit(db, query, where) {
      const workers = db instanceof Transaction ? undefined : writes
      return runDirectly(workers, 'writes', where.workspaceId, via => runInFunction(write, via ?? db, query, where))
    }
  }
}

/** Runs on the workspace's worker or, if that is impossible, through the coordinator. */
async function runDirectly<R>(
  workers: DirectWorkers | undefined,
  kind: 'reads' | 'writes',
  workspaceId: string,
  run: (via: Executing | undefined) => Promise<R[]>
): Promise<R[]> {
  const worker = workers?.of(workspaceId)
  if (worker === undefined) return run(undefined)
  try {
    return await run(worker[kind])
  } catch (error) {
    if (isStatementError(error)) throw error
    workers!.forget(workspaceId)
    return run(undefined)
  }
}

async function runInFunction<R>(
  run: WorkerFunction,
  db: Executing,
  query: CompiledQuery<R>,
  where: InWorkspace
): Promise<R[]> {
  const { rows } = await db.executeQuery<R>(onWorker(run, query, where))
  return rows
}

/** Wraps a query into a call of the function. */
function onWorker<R>(
  run: WorkerFunction,
  query: CompiledQuery<R>,
  { workspaceId, columns }: InWorkspace
): CompiledQuery<R> {
  const types = Object.entries(columns).map(([column, type]) => `"${column}" ${type}`)
  const values = query.parameters.map(value => (Array.isArray(value) ? arrayText(value) : value))
  return {
    ...query,
    sql: `select * from ${nameOf(run)}($1::uuid, $2::text, $3::text[]) as answer (${types.join(', ')})`,
    parameters: [workspaceId, query.sql, values]
  }
}

/** An array in PostgreSQL's text form: the driver would nest it into the array of the parameters. */
const arrayText = (values: readonly unknown[]): string =>
  `{${values.map(value => (value === null ? 'NULL' : `"${String(value).replaceAll(/["\\]/g, '\\$&')}"`)).join(',')}}`
