import { sql, type Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'
import { readDatabaseUrl } from '../database-url.ts'
import type { CoreTables, Id } from '../../api/database/types.ts'
import { runOutsideRequests } from '../transactions/request-transaction.ts'
import { readInWorkspace } from '../statements/statement.ts'

/*
 * On Citus, every node takes statements, and the worker with the rows of a workspace answers a short read in half the
 * time that it takes through the coordinator. So such reads are sent to the workers themselves, and so are single
 * committed writes that need nothing of the coordinator.
 * The coordinator remains the fallback: until a worker is known, when it cannot be reached from here, and after it has
 * failed. A workspace that has moved is still found through its former worker, which is a node of the cluster.
 */

export interface WorkerConnections {
  readonly reads: Kysely<CoreTables>
  readonly writes: Kysely<CoreTables>
  inFlight(): number
  close(): Promise<unknown>
}

export interface WorkersOptions {
  /** The coordinator's URL: those of the workers differ in the host and the port. */
  url: string
  /** The coordinator, for short reads. */
  coordinator: Kysely<CoreTables>
  connect(url: string): WorkerConnections
  /** Called once for each unusable worker, with its host and port. */
  onUnreachable(worker: string, error: unknown): void
  /** Milliseconds after which the worker of a workspace, and its address, are looked up again. */
  lookUpEveryMs?: number
}

/** Maximum workspaces whose worker is cached. */
const MAX_CACHED = 10_000
const LOOK_UP_EVERY_MS = 60_000

export interface Workers {
  /** The worker of a workspace; undefined: use the coordinator. */
  of(workspaceId: Id): WorkerConnections | undefined
  /** Called when the worker of a workspace has failed. */
  forget(workspaceId: Id): void
  inFlight(): number
  close(): Promise<void>
}

interface Worker {
  readonly connections: WorkerConnections
  /** When it was last verified to be the coordinator's node; undefined: not yet, or not since it failed. */
  verifiedAt: number | undefined
  /** True if `onUnreachable` was called. */
  isTold: boolean
}

const newWorker = (connections: WorkerConnections): Worker => ({ connections, verifiedAt: undefined, isTold: false })

interface Place {
  worker: Worker | undefined
  readonly lookedUpAt: number
}

export function makeWorkers({
  url,
  coordinator,
  connect,
  onUnreachable,
  lookUpEveryMs = LOOK_UP_EVERY_MS
}: WorkersOptions): Workers {
  const places = new LRUCache<Id, Place>({ max: MAX_CACHED })
  const workers = new Map<string, Worker>()
  const lookingUp = new Set<Promise<void>>()

  async function lookUp(workspaceId: Id, place: Place): Promise<void> {
    const node = await readNode(coordinator, workspaceId)
    const name = `${node.host}:${node.port}`
    const worker = workers.get(name) ?? newWorker(connect(urlOf(url, node)))
    workers.set(name, worker)
    place.worker = worker
    if (performance.now() - (worker.verifiedAt ?? -Infinity) <= lookUpEveryMs) return
    try {
      await assertSameNode(workspaceId, coordinator, worker.connections.reads)
      worker.verifiedAt = performance.now()
      worker.isTold = false
    } catch (error) {
      worker.verifiedAt = undefined
      if (!worker.isTold) onUnreachable(name, error)
      worker.isTold = true
    }
  }

  return {
    of(workspaceId) {
      let place = places.get(workspaceId)
      const now = performance.now()
      if (place === undefined || now - place.lookedUpAt > lookUpEveryMs) {
        const looked: Place = { worker: place?.worker, lookedUpAt: now }
        places.set(workspaceId, (place = looked))
        const running = runOutsideRequests(() => lookUp(workspaceId, looked))
          .catch(() => {}) // the coordinator is away, which its next statement tells
          .finally(() => lookingUp.delete(running))
        lookingUp.add(running)
      }
      return place.worker?.verifiedAt === undefined ? undefined : place.worker.connections
    },
    forget(workspaceId) {
      const worker = places.get(workspaceId)?.worker
      if (worker) worker.verifiedAt = undefined
    },
    inFlight: () => [...workers.values()].reduce((sum, { connections }) => sum + connections.inFlight(), 0),
    async close() {
      await Promise.all(lookingUp)
      await Promise.all([...workers.values()].map(({ connections }) => connections.close()))
    }
  }
}

interface Node {
  host: string
  port: number
}

// Raw, like all below: tables and functions of Citus, which have no types.
async function readNode(coordinator: Kysely<CoreTables>, workspaceId: Id): Promise<Node> {
  const { rows } = await sql<Node>`
    select n.nodename as host, n.nodeport as port
    from pg_dist_placement p join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
    where p.shardid = get_shard_id_for_distribution_column('workspace', ${workspaceId}::uuid)`.execute(coordinator)
  if (rows[0] === undefined) throw new Error(`No node has workspace ${workspaceId}`)
  return rows[0]
}

/**
 * A name such as `localhost` may mean different machines here and for the coordinator.
 * @throws Error when `worker` is not the node where the coordinator finds the workspace
 */
async function assertSameNode(workspaceId: Id, coordinator: Kysely<CoreTables>, worker: Kysely<CoreTables>) {
  const identify = async (db: Kysely<CoreTables>) => {
    const query = sql<{ node: string }>`
      select s.system_identifier || ' ' || g.groupid || ' ' || current_database() as node
      from pg_control_system() s cross join pg_dist_local_group g where ${workspaceId}::uuid is not null`.compile(db)
    const [row] = await readInWorkspace(db, query, { workspaceId, columns: { node: 'text' } })
    return row?.node
  }
  const [wanted, found] = [await identify(coordinator), await identify(worker)]
  if (found !== wanted) throw new Error('Another server answers there')
}

function urlOf(coordinator: string, { host, port }: Node): string {
  const url = readDatabaseUrl(coordinator)!
  url.searchParams.delete('host')
  url.searchParams.delete('port')
  return Object.assign(url, { hostname: host.includes(':') ? `[${host}]` : host, port: String(port) }).href
}
