import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { sql, type Kysely, type Transaction } from 'kysely'
import { fromKysely, PgBoss, type Job as BossJob } from 'pg-boss'
import type { Database } from './db/database.ts'
import { toApiError } from './errors.ts'
import { newId } from './id.ts'
import type { EnqueueOptions, WorkOptions } from './plugin.ts'

type Handler = (payloads: object[], signal: AbortSignal) => Promise<void>
interface Worker {
  queue: string
  keyed: boolean
  options: WorkOptions
  handler: Handler
}

/** Jobs that failed for good are of use to whoever looks into it. */
const KEEP_FAILED_SECONDS = 7 * 24 * 3600
const STOP_TIMEOUT_MS = 5_000
/** A worker that shows no sign of life for this long counts as dead; its jobs are tried again. */
const DEFAULT_HEARTBEAT_SECONDS = 20
/** Seconds between looks for jobs whose worker counts as dead. */
const SUPERVISE_SECONDS = 10
/** Milliseconds between attempts to record that a job failed while the database is away. */
const RECORD_AGAIN_MS = 1_000
/** A database that finds nothing. */
const nothing = { executeSql: async () => ({ rows: [] }) }

export interface Jobs {
  addWorker(worker: Worker): void
  addSchedule(queue: string, cron: string): void
  enqueue<DB>(db: Kysely<DB>, queue: string, payloads: readonly object[], options?: EnqueueOptions): Promise<void>
  /** To be called after the commit of a transaction that enqueued: its jobs start now, not at the next poll. */
  committed<DB>(trx: Transaction<DB>): void
  /** Brings the queue's tables up to date: its own, and the queues and schedules that were added. */
  prepare(): Promise<void>
  /** From now on jobs are worked off. */
  start(): Promise<void>
  /** From now on jobs wait for another process, or the next start; those that run go on. */
  stopFetching(): void
  stop(): Promise<void>
  /** `off`: this process does no background work. */
  health(): { state: 'up' | 'off' | 'down' }
  /** Waiting and active jobs; what is delayed does not count. */
  pending(): Promise<number>
}

/**
 * Background work on pg-boss: a queue in the same database, so that work is enqueued by the transaction
 * that makes it necessary, and nothing else has to run.
 */
export function makeJobs({ db, kind }: Database, log: FastifyBaseLogger, working: boolean): Jobs {
  const plain = db.withoutPlugins()
  const boss = new PgBoss({
    db: fromKysely(plain),
    backend: kind === 'embedded' ? 'pglite' : 'postgres',
    monitorIntervalSeconds: SUPERVISE_SECONDS,
    superviseIntervalSeconds: SUPERVISE_SECONDS
  })
  const workers: Worker[] = []
  const schedules: Array<{ queue: string; cron: string }> = []
  const workerIds = new Map<string, string[]>()
  const enqueuedBy = new WeakMap<object, Set<string>>()
  let state: ReturnType<Jobs['health']> = { state: 'down' }
  let stopping = false
  let workersEnd: Promise<unknown> | undefined
  boss.on('error', error => {
    // That the database is read-only is said once, by whoever makes it so; the jobs wait.
    if (toApiError(error)?.code !== 'STORAGE_FULL') log.error({ err: error }, 'background jobs')
  })

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

  /**
   * Records a failure, so that the jobs are tried again. When the database is away, which may be why they failed,
   * it is recorded as soon as it is back: pg-boss tries once, and would leave the jobs active until they expire.
   */
  async function recordFailure(queue: string, jobs: BossJob<object>[], error: Error): Promise<void> {
    for (;;) {
      try {
        await boss.fail(
          queue,
          jobs.map(job => job.id),
          error
        )
        return
      } catch (notRecorded) {
        if (stopping || jobs.some(job => job.signal.aborted)) throw notRecorded
        await sleep(RECORD_AGAIN_MS)
      }
    }
  }

  async function work({ queue, options, handler }: Worker): Promise<void> {
    const { batch = 1, concurrency = 1, pollSeconds = 1 } = options
    const ids: string[] = []
    // No job is in a group, but the statement for groups finds the fetched jobs by their keys, whatever the statistics
    // say; the one without compares each of them with each waiting job: a second for 1,000 of 3,600.
    const fetching = {
      batchSize: batch,
      groupConcurrency: 1,
      pollingIntervalSeconds: pollSeconds,
      burstWhenBatchFull: batch > 1
    }
    for (let n = 0; n < concurrency; n++) {
      ids.push(
        await boss.work<object>(queue, fetching, async (jobs: BossJob<object>[]) => {
          try {
            await handler(
              jobs.map(j => j.data),
              AbortSignal.any(jobs.map(j => j.signal))
            )
            // Kept, they would make fetching the next ones slower by the minute.
            await boss.deleteJob(
              queue,
              jobs.map(j => j.id)
            )
          } catch (error) {
            log.error({ err: error, queue, jobs: jobs.length }, 'a job failed')
            await recordFailure(queue, jobs, error as Error)
          }
        })
      )
    }
    workerIds.set(queue, ids)
  }

  const wake = (queue: string) => workerIds.get(queue)?.forEach(id => boss.notifyWorker(id))

  return {
    addWorker(worker) {
      workers.push(worker)
    },
    addSchedule(queue, cron) {
      schedules.push({ queue, cron })
    },
    async enqueue(into, queue, payloads, { key, delaySeconds } = {}) {
      if (payloads.length === 0) return
      const jobs = payloads.map(data => ({
        data,
        ...(key !== undefined && { singletonKey: key }),
        ...(delaySeconds !== undefined && { startAfter: delaySeconds })
      }))
      await boss.insert(queue, jobs, { db: fromKysely(into.withoutPlugins()) })
      if (!into.isTransaction) return wake(queue)
      enqueuedBy.set(into, (enqueuedBy.get(into) ?? new Set()).add(queue))
    },
    committed(trx) {
      enqueuedBy.get(trx)?.forEach(wake)
    },
    async prepare() {
      await boss.start()
      const existing = new Map((await boss.getQueues()).map(queue => [queue.name, queue]))
      // Earlier versions had a queue for each event and listener; consumers of the log make good what was in them.
      for (const name of existing.keys().filter(name => name.includes('/'))) await boss.deleteQueue(name)
      for (const worker of workers) {
        const { policy, ...options } = queueOptions(worker)
        const queue = existing.get(worker.queue)
        if (
          queue &&
          Object.entries(options).every(([option, value]) => queue[option as keyof typeof options] === value)
        ) {
          continue
        }
        if (queue) await boss.updateQueue(worker.queue, options)
        else await boss.createQueue(worker.queue, { policy, ...options })
        // Now it is read into pg-boss's cache. The first transaction that enqueues must not be what does that:
        // with the one connection of the embedded database it would wait for itself.
        await boss.findJobs(worker.queue, { id: newId(), db: nothing })
      }
      for (const { queue, cron } of schedules) await boss.schedule(queue, cron, {})
    },
    async start() {
      if (working) for (const worker of workers) await work(worker)
      state = { state: working ? 'up' : 'off' }
    },
    stopFetching() {
      // Not by `boss.stop`, which looks only every 500 ms whether the workers have ended.
      workersEnd ??= Promise.all(workers.map(({ queue }) => boss.offWork(queue, { wait: true })))
    },
    async stop() {
      stopping = true
      state = { state: 'down' }
      this.stopFetching()
      const timer = new AbortController()
      await Promise.race([workersEnd, sleep(STOP_TIMEOUT_MS, undefined, { signal: timer.signal }).catch(() => {})])
      timer.abort()
      await boss.stop({ graceful: false })
    },
    health: () => state,
    async pending() {
      // Raw, because the table is the library's.
      const { rows } = await sql<{ n: number }>`
        select count(*) as n from pgboss.job
        where state < 'completed' and start_after <= now() and name not like '\\_\\_pgboss%'`.execute(plain)
      return rows[0]?.n ?? 0
    }
  }
}
