import type { FastifyBaseLogger } from 'fastify'
import { sql, type Kysely } from 'kysely'
import { fromKysely, PgBoss } from 'pg-boss'
import type { Database } from '../db/database.ts'
import type { CoreTables } from '../api/database/types.ts'
import { toApiError } from '../api/errors.ts'
import { newId } from '../db/id.ts'
import { onCommit } from '../db/transactions/request-transaction.ts'
import { makeTurns } from '../../lib/util/in-turn.ts'
import { superviseJobs } from './job-supervision.ts'
import { JobWorkers, type Worker } from './job-workers.ts'
import type { EnqueueOptions } from '../api/plugin.ts'
import type { Trace } from '../api/contract.ts'

const KEEP_FAILED_SECONDS = 7 * 24 * 3600
/** A worker without a heartbeat for this long counts as dead; its jobs are retried. */
const DEFAULT_HEARTBEAT_SECONDS = 20
const CRON_SECONDS = 30
const MAX_FETCH_MS = 10_000
const nothing = { executeSql: async () => ({ rows: [] }) }

export type Jobs = ReturnType<typeof makeJobs>

/** The queue is in the same database: the transaction that needs the work enqueues it. */
export function makeJobs({ db, kind }: Database, log: FastifyBaseLogger, working: boolean, trace?: Trace) {
  const plain = db.withoutPlugins()
  const boss = new PgBoss({
    db: bossDatabase(plain),
    backend: kind === 'embedded' ? 'pglite' : 'postgres',
    supervise: false, // `superviseJobs` asks for it
    monitorIntervalSeconds: 1, // the minimum, so that no call of `supervise` is skipped
    cronWorkerIntervalSeconds: CRON_SECONDS
  })
  const workers: Worker[] = []
  const schedules: Schedule[] = []
  let state: 'up' | 'off' | 'down' = 'down'
  const logError = (error: unknown): void => {
    // A read-only database is logged once, by the disk-space check; the jobs wait.
    if (toApiError(error)?.code !== 'STORAGE_FULL') log.error({ err: error }, 'background jobs')
  }
  boss.on('error', logError)
  const running = new JobWorkers(boss, db, log, logError, trace)
  let stopSupervising: ReturnType<typeof superviseJobs> | undefined

  return {
    addWorker: (worker: Worker) => workers.push(worker),
    addSchedule: (queue: string, cron: string) => schedules.push({ queue, cron }),
    /** The jobs of a transaction start at its commit, not at the next poll. */
    async enqueue<DB>(into: Kysely<DB>, queue: string, payloads: readonly object[], options?: EnqueueOptions) {
      if (payloads.length === 0) return
      const isShared = workers.some(each => each.queue === queue && each.options.workspaceConcurrency !== undefined)
      const jobs = payloads.map(data => insertedJob(data, isShared, options))
      await boss.insert(queue, jobs, { db: fromKysely(into.withoutPlugins()) })
      const start = () => running.wake(queue)
      if (into.isTransaction) onCommit(into, start)
      else start()
    },
    async prepare() {
      await boss.start()
      await prepareQueues(boss, workers)
      // A command, or a server without work, may have other plugins than the servers that do the work.
      if (working) await replaceSchedules(boss, schedules)
    },
    async start() {
      if (working) {
        await running.start(workers)
        stopSupervising = superviseJobs(boss, plain, logError)
      }
      state = working ? 'up' : 'off'
    },
    /** Jobs then wait for another process or the next start. Running jobs go on. */
    stopFetching: () => running.stopFetching(),
    async stop() {
      state = 'down'
      await Promise.all([running.stop(), stopSupervising?.()])
      await running.handBack(() => boss.stop({ graceful: false }))
    },
    health: () => ({ state }),
    /** Waiting and active jobs, without delayed ones. */
    pending: () => countPending(plain),
    failed: running.failed
  }
}

const insertedJob = (data: object, isShared: boolean, { key, delaySeconds }: EnqueueOptions = {}) => ({
  data,
  ...(isShared && 'workspaceId' in data && { group: { id: String(data.workspaceId) } }),
  ...(key !== undefined && { singletonKey: key }),
  ...(delaySeconds !== undefined && { startAfter: delaySeconds })
})

/**
 * On Citus the queue's tables stay on the coordinator. Without the setting, it would send the statements that create
 * them, all in one text, to its workers. Other engines ignore the setting. Statements that fetch jobs run in turn: they
 * count a workspace's active jobs in their own snapshot. Each other process may exceed the limit by one job.
 */
function bossDatabase(plain: Kysely<CoreTables>): ReturnType<typeof fromKysely> {
  const db = fromKysely(plain)
  const inTurn = makeTurns(MAX_FETCH_MS)
  return {
    ...db,
    executeSql(text, values) {
      const execute = () =>
        db.executeSql(text.replace(/^\s*BEGIN;/, '$& SET LOCAL citus.enable_ddl_propagation = off;'), values)
      return text.includes('active_group_count_map') ? inTurn(execute) : execute()
    }
  }
}

async function prepareQueues(boss: PgBoss, workers: readonly Worker[]): Promise<void> {
  const existing = new Map((await boss.getQueues()).map(queue => [queue.name, queue]))
  // Release 0.1 had a queue for each event and listener.
  for (const name of existing.keys().filter(name => name.includes('/'))) await boss.deleteQueue(name)
  for (const worker of workers) {
    const { policy, ...options } = queueOptions(worker)
    const queue = existing.get(worker.queue)
    if (queue && Object.entries(options).every(([option, value]) => queue[option as keyof typeof options] === value)) {
      continue
    }
    if (queue) await boss.updateQueue(worker.queue, options)
    else await boss.createQueue(worker.queue, { policy, ...options })
    // Loads the queue into pg-boss's cache: a transaction that enqueues would deadlock on the embedded database's one
    // connection.
    await boss.findJobs(worker.queue, { id: newId(), db: nothing })
  }
}

interface Schedule {
  queue: string
  cron: string
}
/** Stores these schedules and removes all others: without a worker, the jobs of a disabled plugin would pile up. */
async function replaceSchedules(boss: PgBoss, schedules: readonly Schedule[]): Promise<void> {
  const existing = new Map((await boss.getSchedules()).map(({ name, cron }) => [name, cron]))
  for (const name of existing.keys()) {
    if (!schedules.some(({ queue }) => queue === name)) await boss.unschedule(name)
  }
  for (const { queue, cron } of schedules) {
    if (existing.get(queue) !== cron) await boss.schedule(queue, cron, {})
  }
}

const queueOptions = ({ keyed, options }: Worker) => ({
  policy: keyed ? 'short' : 'standard',
  retryLimit: options.retries ?? 5,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 300,
  expireInSeconds: options.expireSeconds ?? 900,
  deleteAfterSeconds: KEEP_FAILED_SECONDS,
  heartbeatSeconds: options.heartbeatSeconds ?? DEFAULT_HEARTBEAT_SECONDS
})

async function countPending(db: Kysely<CoreTables>): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from pgboss.job
    where state < 'completed' and start_after <= now() and name not like '\\_\\_pgboss%'`.execute(db)
  return rows[0]?.n ?? 0
}
