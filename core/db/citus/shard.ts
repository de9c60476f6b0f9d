import { sql, type CompiledQuery, type Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { CoreTables, Id } from '../../api/database/types.ts'

/** Characters of the queries that are kept for a shard. */
const MAX_KEPT = 1_000_000

interface ShardTable {
  name: string
  own: string
}

export class Shard {
  readonly id: number
  readonly #tables: readonly ShardTable[]
  readonly #kept = new LRUCache<string, string>({ maxSize: MAX_KEPT, sizeCalculation: text => text.length })

  constructor(id: number, tables: readonly ShardTable[]) {
    this.id = id
    this.#tables = tables
  }

  /**
   * A query for the node of the shard, with the shard's own tables under the names that it has: Citus would plan it
   * twice, each time; this plan is kept. It fails where the shard was moved: its tables stay a while.
   */
  queryFor<R>(query: CompiledQuery<R>): CompiledQuery<R> {
    let text = this.#kept.get(query.sql)
    if (text === undefined) this.#kept.set(query.sql, (text = this.#textOf(query.sql)))
    return { ...query, sql: text }
  }

  #textOf(text: string): string {
    const words = new Set(text.match(/\w+/g))
    const own = this.#tables
      .filter(({ name }) => words.has(name))
      .map(({ name, own }) => `"${name}" as not materialized (select * from ${own})`)
    const head = own.length > 0 ? `with ${own.join(', ')} ` : ''
    return `${head}select * from (${text}) as read where ${isHere(this.id)}`
  }
}

const isHere = (shardId: number) => `(
  case when exists (
    select from pg_dist_placement p join pg_dist_local_group g on g.groupid = p.groupid where p.shardid = ${shardId})
  then '0' else 'the shard has moved' end)::integer = 0`

// Raw, like what follows: tables and functions of Citus.
export async function findShard(coordinator: Kysely<CoreTables>, workspaceId: Id) {
  const { rows } = await sql<{ shardId: number; host: string; port: number }>`
    select p.shardid as shard_id, n.nodename as host, n.nodeport as port
    from pg_dist_placement p join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
    where p.shardid = get_shard_id_for_distribution_column('workspace', ${workspaceId}::uuid)`.execute(coordinator)
  if (rows[0] === undefined) throw new Error(`No node has workspace ${workspaceId}`)
  return rows[0]
}

export async function readShard(coordinator: Kysely<CoreTables>, shardId: number): Promise<Shard> {
  const { rows } = await sql<{ name: string; own: string }>`
    select c.relname as name, shard_name(s.logicalrelid, s.shardid) as own
    from pg_dist_shard first
    join pg_dist_partition t on t.logicalrelid = first.logicalrelid
    join pg_dist_partition p on p.colocationid = t.colocationid
    join pg_dist_shard s on s.logicalrelid = p.logicalrelid and s.shardminvalue = first.shardminvalue
    join pg_class c on c.oid = s.logicalrelid
    where first.shardid = ${shardId}::bigint`.execute(coordinator)
  return new Shard(shardId, rows)
}
