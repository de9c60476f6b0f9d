import { sql, type CompiledQuery, type Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'
import { readDatabaseUrl } from '../database-url.ts'
import type { CoreTables, Id } from '../../api/database/types.ts'
import { isCanceled, isStatementError } from '../statements/short-reads.ts'
import { requestTransaction, runOutsideRequests } from '../transactions/request-transaction.ts'
import { findShard, readShard, type Shard } from './shard.ts'

/*
 * On Citus, the worker with the rows of a workspace answers a short read itself, from the tables of its shard; the
 * coordinator does until that worker is known, when it cannot be reached or has failed, and when the workspace has
 * moved.
 */

export interface WorkerConnections {
  readonly reads: Kysely<CoreTables>
  inFlight(): number
  close(): Promise<unknown>
}

export interface WorkersOptions {
  /** The coordinator's: those of the workers differ in host and port. */
  url: string
  coordinator: Kysely<CoreTables>
  connect(url: string): WorkerConnections
  /** @param worker host and port */
  onUnreachable(worker: string, error: unknown): void
  /** After which the worker of a workspace, and its address, are looked up again. */
  lookUpEveryMs?: number
}

const MAX_CACHED = 10_000
const LOOK_UP_EVERY_MS = 60_000

export type Workers = ReturnType<typeof makeWorkers>

interface Worker {
  readonly connections: WorkerConnections
  /** Verified to be the coordinator's node; undefined: not yet, or not since it failed. */
  verifiedAt: number | undefined
  isReported: boolean
}

interface Place {
  located: { readonly worker: Worker; readonly shard: Shard } | undefined
  readonly lookedUpAt: number
}

export function makeWorkers(options: WorkersOptions) {
  const { url, coordinator, connect, lookUpEveryMs = LOOK_UP_EVERY_MS } = options
  const places = new LRUCache<Id, Place>({ max: MAX_CACHED })
  const workers = new Map<string, Worker>()
  const shards = new Map<number, Shard>()
  const lookingUp = new Set<Promise<void>>()

  async function lookUp(workspaceId: Id, place: Place): Promise<void> {
    const { shardId, host, port } = await findShard(coordinator, workspaceId)
    const name = `${host}:${port}`
    const worker: Worker = workers.get(name) ?? {
      connections: connect(urlOf(url, { host, port })),
      verifiedAt: undefined,
      isReported: false
    }
    workers.set(name, worker)
    const shard = shards.get(shardId) ?? (await readShard(coordinator, shardId))
    shards.set(shardId, shard)
    place.located = { worker, shard }
    if (performance.now() - (worker.verifiedAt ?? -Infinity) > lookUpEveryMs) {
      await verify(worker, name, workspaceId, options)
    }
  }

  function placeOf(workspaceId: Id): Place {
    const place = places.get(workspaceId)
    const now = performance.now()
    if (place !== undefined && now - place.lookedUpAt <= lookUpEveryMs) return place
    const looked: Place = { located: place?.located, lookedUpAt: now }
    places.set(workspaceId, looked)
    const running = runOutsideRequests(() => lookUp(workspaceId, looked))
      .catch(() => {}) // the coordinator is away, which its next statement tells
      .finally(() => lookingUp.delete(running))
    lookingUp.add(running)
    return looked
  }

  return {
    async read<R>(workspaceId: Id, query: CompiledQuery<R>): Promise<R[] | undefined> {
      const { located } = placeOf(workspaceId)
      if (located?.worker.verifiedAt === undefined || requestTransaction()?.connection) return undefined
      try {
        const { rows } = await located.worker.connections.reads.executeQuery<R>(located.shard.queryFor(query))
        return rows
      } catch (error) {
        if (isCanceled(error)) throw error
        // If the statement is wrong, the coordinator says so, too.
        if (isStatementError(error)) places.delete(workspaceId)
        else located.worker.verifiedAt = undefined
        return undefined
      }
    },
    inFlight: () => [...workers.values()].reduce((sum, { connections }) => sum + connections.inFlight(), 0),
    async close() {
      await Promise.all(lookingUp)
      await Promise.all([...workers.values()].map(({ connections }) => connections.close()))
    }
  }
}

async function verify(
  worker: Worker,
  name: string,
  workspaceId: Id,
  { coordinator, onUnreachable }: WorkersOptions
): Promise<void> {
  try {
    await assertSameNode(workspaceId, coordinator, worker.connections.reads)
    worker.verifiedAt = performance.now()
    worker.isReported = false
  } catch (error) {
    worker.verifiedAt = undefined
    if (!worker.isReported) onUnreachable(name, error)
    worker.isReported = true
  }
}

/** A name such as `localhost` may mean another machine here than for the coordinator. */
async function assertSameNode(workspaceId: Id, coordinator: Kysely<CoreTables>, worker: Kysely<CoreTables>) {
  // Raw: functions, which Citus runs on the node that has the row.
  const query = sql<{ node: string }>`
    select (pg_control_system()).system_identifier || ' ' || extract(epoch from pg_postmaster_start_time()) || ' ' ||
      current_database() as node
    from workspace where id = ${workspaceId}`
  const [expected, actual] = [await query.execute(coordinator), await query.execute(worker)]
  if (expected.rows[0]?.node !== actual.rows[0]?.node) throw new Error('Another server answers there')
}

function urlOf(coordinator: string, { host, port }: { host: string; port: number }): string {
  const url = readDatabaseUrl(coordinator)!
  url.searchParams.delete('host')
  url.searchParams.delete('port')
  return Object.assign(url, { hostname: host.includes(':') ? `[${host}]` : host, port: String(port) }).href
}
