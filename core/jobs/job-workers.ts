import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { sql, type Kysely } from 'kysely'
import type { JobWithMetadata, PgBoss } from 'pg-boss'
import { Counter } from 'prom-client'
import type { CoreTables } from '../api/database/types.ts'
import { JobCrashes, SetAside } from './job-crashes.ts'
import type { WorkOptions } from '../api/plugin.ts'
import type { Trace } from '../api/contract.ts'

const STOP_TIMEOUT_MS = 5_000
/** Milliseconds between attempts to record a job's failure while the database is unavailable. */
const RECORD_AGAIN_MS = 1_000
/** Maximum milliseconds between polls for due jobs, and seconds between pg-boss's own polls of a queue. */
const POLL_INTERVAL_MS = 2_000
const BACKSTOP_SECONDS = 600

export interface Worker {
  queue: string
  keyed: boolean
  options: WorkOptions
  handler: (payloads: object[], signal: AbortSignal) => Promise<void>
}

export class JobWorkers {
  readonly #boss: PgBoss
  readonly #db: Kysely<CoreTables>
  readonly #log: FastifyBaseLogger
  readonly #onError: (error: unknown) => void
  readonly #trace: Trace | undefined
  readonly #crashes: JobCrashes
  readonly failed = new Counter({
    name: 'tracker_jobs_failed_total',
    help: 'Attempts of jobs that failed in this process',
    labelNames: ['queue'],
    registers: []
  })
  readonly #ids = new Map<string, string[]>()
  readonly #running = new Map<string, string>()
  readonly #stopping = new AbortController()
  #isEnding = false
  #polling: Promise<void> | undefined
  #end: Promise<unknown> | undefined

  constructor(
    boss: PgBoss,
    db: Kysely<CoreTables>,
    log: FastifyBaseLogger,
    onError: (error: unknown) => void,
    trace?: Trace
  ) {
    this.#boss = boss
    this.#db = db.withoutPlugins()
    this.#log = log
    this.#onError = onError
    this.#trace = trace
    this.#crashes = new JobCrashes(db)
  }

  async start(workers: readonly Worker[]): Promise<void> {
    await this.#crashes.start()
    for (const worker of workers) await this.#start(worker)
    if (workers.length > 0) this.#polling = this.#poll()
  }

  async #start(worker: Worker): Promise<void> {
    const { concurrency = 1, workspaceConcurrency = 1 } = worker.options
    // Without a limit no job is in a group, but pg-boss's statement for groups finds the fetched jobs by key. Its other
    // one compares each fetched job with each waiting one: a second for 1,000 of 3,600.
    const fetching = {
      includeMetadata: true as const,
      groupConcurrency: workspaceConcurrency,
      pollingIntervalSeconds: BACKSTOP_SECONDS
    }
    // A rate needs a value before the first failure.
    this.failed.inc({ queue: worker.queue }, 0)
    const ids: string[] = []
    for (let n = 0; n < concurrency; n++) {
      ids[n] = await this.#boss.work(worker.queue, fetching, async ([job]: JobWithMetadata<object>[]) => {
        await this.#do(worker, job!)
        // Otherwise pg-boss fetches the next single job only after the interval.
        this.#boss.notifyWorker(ids[n]!)
      })
    }
    this.#ids.set(worker.queue, ids)
  }

  wake(queue: string): void {
    for (const id of this.#ids.get(queue) ?? []) this.#boss.notifyWorker(id)
  }

  /** One statement for all queues, where pg-boss would send one for each worker. */
  async #poll(): Promise<void> {
    const { signal } = this.#stopping
    const queues = [...this.#ids.keys()]
    let waitMs = POLL_INTERVAL_MS
    while (!signal.aborted) {
      await sleep(waitMs, undefined, { signal }).catch(() => {})
      if (signal.aborted) return
      waitMs = POLL_INTERVAL_MS
      try {
        for (const { queue, dueInMs } of await listDue(this.#db, queues)) {
          if (dueInMs <= 0) this.wake(queue)
          else waitMs = Math.min(waitMs, dueInMs)
        }
      } catch (error) {
        this.#onError(error)
      }
    }
  }

  stopFetching(): void {
    this.#stopping.abort()
    // Not by `boss.stop`, which checks only every 500 ms whether the workers have ended.
    this.#end ??= Promise.all([
      this.#polling,
      ...this.#ids.keys().map(queue => this.#boss.offWork(queue, { wait: true }))
    ])
  }

  async stop(): Promise<void> {
    this.#isEnding = true
    this.stopFetching()
    const timer = new AbortController()
    await Promise.race([this.#end, sleep(STOP_TIMEOUT_MS, undefined, { signal: timer.signal }).catch(() => {})])
    timer.abort()
  }

  /** Another process can begin at once with the jobs that still run: pg-boss counts the stop as their failure. */
  async handBack(stopBoss: () => Promise<void>): Promise<void> {
    const [ids, queues] = [[...this.#running.keys()], [...new Set(this.#running.values())]]
    await this.#crashes.stop().catch(this.#onError)
    await stopBoss()
    if (ids.length === 0) return
    // Raw, because the table is the library's. A keyed job is retried later if another with its key waits.
    await sql`
      update pgboss.job j set state = 'created', started_on = null, start_after = now()
      where name = any(${queues}::text[]) and id = any(${ids}::uuid[]) and state = 'retry' and not exists (
        select from pgboss.job w
        where w.name = j.name and w.singleton_key = j.singleton_key and w.id <> j.id and w.state < 'active')`
      .execute(this.#db)
      .catch(this.#onError)
  }

  async #do({ queue, handler }: Worker, job: JobWithMetadata<object>): Promise<void> {
    this.#running.set(job.id, queue)
    try {
      const work = () => handler([job.data], job.signal)
      await this.#crashes.run(job, () => this.#trace?.(`job ${queue}`, work) ?? work())
      // Completed jobs in the table slow down fetching.
      await this.#boss.deleteJob(queue, job.id)
    } catch (error) {
      this.failed.inc({ queue })
      const isSetAside = error instanceof SetAside
      this.#log.error({ err: error, queue, job: job.data }, isSetAside ? 'a job is set aside' : 'a job failed')
      if (isSetAside) await this.#tryNoMore(job)
      await this.#recordFailure(queue, job, error as Error)
    } finally {
      this.#running.delete(job.id)
    }
  }

  async #tryNoMore({ name, id }: JobWithMetadata<object>): Promise<void> {
    // Raw, because the table is the library's.
    await sql`update pgboss.job set retry_limit = retry_count where name = ${name} and id = ${id}`.execute(this.#db)
  }

  /** pg-boss tries once, and would leave the jobs active until they expire. */
  async #recordFailure(queue: string, job: JobWithMetadata<object>, error: Error): Promise<void> {
    for (;;) {
      try {
        await this.#boss.fail(queue, job.id, error)
        return
      } catch (notRecorded) {
        if (this.#isEnding || job.signal.aborted) throw notRecorded
        await sleep(RECORD_AGAIN_MS)
      }
    }
  }
}

async function listDue(
  db: Kysely<CoreTables>,
  queues: readonly string[]
): Promise<Array<{ queue: string; dueInMs: number }>> {
  // Raw, because the table is the library's. Its index has the jobs that wait and are not blocked.
  const { rows } = await sql<{ queue: string; dueInMs: number }>`
    select queue, (1000 * extract(epoch from first.start_after - now()))::float8 as "dueInMs"
    from unnest(${queues}::text[]) as queue, lateral (
      select start_after from pgboss.job
      where name = queue and state < 'active' and not blocked order by start_after limit 1) as first`.execute(db)
  return rows
}
