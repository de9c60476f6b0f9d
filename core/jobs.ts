import type { FastifyBaseLogger } from 'fastify'
import { sql, type Kysely, type Transaction } from 'kysely'
import { fromKysely, PgBoss, type Job as BossJob } from 'pg-boss'
import type { Database } from './db/database.ts'
import { newId } from './id.ts'
import type { EnqueueOptions, WorkOptions } from './plugin.ts'

type Handler = (payloads: object[], signal: AbortSignal) => Promise<void>
interface Worker { queue: string, keyed: boolean, options: WorkOptions, handler: Handler }

/** Completed jobs are of use only to whoever looks into a problem. */
const KEEP_COMPLETED_SECONDS = 3600
const STOP_WITHIN = 5_000
/** A database that finds nothing. */
const nothing = { executeSql: async () => ({ rows: [] }) }

export interface Jobs {
  addWorker (worker: Worker): void
  addSchedule (queue: string, cron: string): void
  enqueue<DB> (db: Kysely<DB>, queue: string, payloads: readonly object[], options?: EnqueueOptions): Promise<void>
  /** To be called after the commit of a transaction that enqueued: its jobs start now, not at the next poll. */
  committed<DB> (trx: Transaction<DB>): void
  start (): Promise<void>
  stop (): Promise<void>
  /** `down` with a reason when the queue does not answer. */
  health (): { state: 'up' | 'off' | 'down', message?: string }
  /** Waiting and active jobs; what is delayed does not count. */
  pending (): Promise<number>
}

/**
 * Background work on pg-boss: a queue in the same database, so that work is enqueued by the transaction
 * that makes it necessary, and nothing else has to run.
 */
export function makeJobs ({ db, kind }: Database, log: FastifyBaseLogger, working: boolean): Jobs {
  const plain = db.withoutPlugins()
  const boss = new PgBoss({ db: fromKysely(plain), backend: kind === 'embedded' ? 'pglite' : 'postgres', monitorIntervalSeconds: 30 })
  const workers: Worker[] = []
  const schedules: Array<{ queue: string, cron: string }> = []
  const workerIds = new Map<string, string[]>()
  const enqueuedBy = new WeakMap<object, Set<string>>()
  let state: { state: 'up' | 'off' | 'down', message?: string } = { state: 'down', message: 'not started' }
  boss.on('error', error => log.error({ err: error }, 'background jobs'))

  const queueOptions = ({ keyed, options }: Worker) => ({
    policy: keyed ? 'short' : 'standard',
    retryLimit: options.retries ?? 5,
    retryDelay: 1,
    retryBackoff: true,
    retryDelayMax: 300,
    expireInSeconds: options.expireSeconds ?? 900,
    deleteAfterSeconds: KEEP_COMPLETED_SECONDS,
    ...options.heartbeatSeconds !== undefined && { heartbeatSeconds: options.heartbeatSeconds }
  })

  async function work ({ queue, options, handler }: Worker): Promise<void> {
    const { batch = 1, concurrency = 1, pollSeconds = 1 } = options
    const ids: string[] = []
    for (let n = 0; n < concurrency; n++) {
      ids.push(await boss.work<object>(queue, { batchSize: batch, pollingIntervalSeconds: pollSeconds, burstWhenBatchFull: batch > 1 }, async (jobs: BossJob<object>[]) => {
        try {
          await handler(jobs.map(j => j.data), AbortSignal.any(jobs.map(j => j.signal)))
        } catch (error) {
          log.error({ err: error, queue, jobs: jobs.length }, 'a job failed')
          throw error
        }
      }))
    }
    workerIds.set(queue, ids)
  }

  const wake = (queue: string) => workerIds.get(queue)?.forEach(id => boss.notifyWorker(id))

  return {
    addWorker (worker) { workers.push(worker) },
    addSchedule (queue, cron) { schedules.push({ queue, cron }) },
    async enqueue (into, queue, payloads, { key, delaySeconds } = {}) {
      if (payloads.length === 0) return
      const connection = into.withoutPlugins()
      await boss.insert(queue, payloads.map(data => ({
        data,
        ...key !== undefined && { singletonKey: key },
        ...delaySeconds !== undefined && { startAfter: delaySeconds }
      })), { db: fromKysely(connection) })
      if (!into.isTransaction) return wake(queue)
      const queues = enqueuedBy.get(into) ?? new Set()
      enqueuedBy.set(into, queues.add(queue))
    },
    committed (trx) { enqueuedBy.get(trx)?.forEach(wake) },
    async start () {
      await boss.start()
      const existing = new Map((await boss.getQueues()).map(queue => [queue.name, queue]))
      for (const worker of workers) {
        const { policy, ...options } = queueOptions(worker)
        const queue = existing.get(worker.queue)
        if (queue && Object.entries(options).every(([option, value]) => queue[option as keyof typeof options] === value)) continue
        if (queue) await boss.updateQueue(worker.queue, options)
        else await boss.createQueue(worker.queue, { policy, ...options })
        // Now it is read into pg-boss's cache. The first transaction that enqueues must not be what does that:
        // with the one connection of the embedded database it would wait for itself.
        await boss.findJobs(worker.queue, { id: newId(), db: nothing })
      }
      for (const { queue, cron } of schedules) await boss.schedule(queue, cron, {})
      if (working) for (const worker of workers) await work(worker)
      state = { state: working ? 'up' : 'off' }
    },
    async stop () {
      state = { state: 'down', message: 'stopped' }
      await boss.stop({ graceful: true, timeout: STOP_WITHIN })
    },
    health: () => state,
    async pending () {
      const { rows } = await sql<{ n: number }>`select count(*) as n from pgboss.job where state < 'completed' and start_after <= now() and name not like '\\_\\_pgboss%'`.execute(plain)
      return rows[0]?.n ?? 0
    }
  }
}
