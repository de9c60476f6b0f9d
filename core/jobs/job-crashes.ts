import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { JobWithMetadata } from 'pg-boss'
import type { CoreTables } from '../api/database/types.ts'
import { makeTurns } from '../../lib/util/in-turn.ts'

const MAX_ENDS = 3
/** Milliseconds in which equal jobs are not run after that, such as the next ones of a schedule. */
const SET_ASIDE_MS = 3_600_000
/** Maximum milliseconds that one suspect delays the others. */
const MAX_TURN_MS = 60_000
/** pg-boss's reason for a job whose process has sent no heartbeat. */
const NO_HEARTBEAT = 'job heartbeat timeout'

/** A job was not run, because it, or an equal one, has crashed processes. */
export class SetAside extends Error {}

type SuspectableJob = Pick<JobWithMetadata<object>, 'name' | 'data' | 'output' | 'retryCount'>

/**
 * Lets a job crash or block its process three times at most. All jobs of a crashed process are suspects: they run in
 * turn, and each attempt is stored before it begins, by queue and payload, which the next job of a schedule shares.
 */
export class JobCrashes {
  readonly #db: Kysely<CoreTables>
  readonly #inTurn = makeTurns(MAX_TURN_MS)
  /** The ends of these periods, by `Date.now()`. */
  readonly #setAsideUntil = new Map<string, number>()
  readonly #running = new Set<string>()

  constructor(db: Kysely<CoreTables>) {
    this.#db = db
  }

  /** Reads the jobs that earlier processes have set aside; call it before the first job. */
  async start(): Promise<void> {
    await this.#db
      .deleteFrom('jobCrash')
      .where('at', '<', new Date(Date.now() - SET_ASIDE_MS))
      .execute()
    const rows = await this.#db.selectFrom('jobCrash').select(['job', 'at']).where('ends', '>=', MAX_ENDS).execute()
    for (const { job, at } of rows) this.#setAsideUntil.set(job, at.getTime() + SET_ASIDE_MS)
  }

  /** @throws SetAside; what `work` throws */
  async run(job: SuspectableJob, work: () => Promise<void>): Promise<void> {
    const name = nameOf(job)
    const until = this.#setAsideUntil.get(name) ?? 0
    if (until > Date.now()) {
      throw new SetAside(
        `One like it has ended ${MAX_ENDS} processes: none is run until ${new Date(until).toISOString()}.`
      )
    }
    const isSuspect = job.retryCount > 0 && JSON.stringify(job.output ?? null).includes(NO_HEARTBEAT)
    return isSuspect ? this.#inTurn(() => this.#runSuspect(name, work)) : work()
  }

  /** Removes the attempts under way: a clean stop is no crash. */
  async stop(): Promise<void> {
    if (this.#running.size === 0) return
    await this.#db
      .updateTable('jobCrash')
      .set(eb => ({ ends: eb('ends', '-', 1) }))
      .where('job', 'in', [...this.#running])
      .execute()
  }

  async #runSuspect(name: string, work: () => Promise<void>): Promise<void> {
    // The first crash made it a suspect.
    const ends = await this.#count(name)
    if (ends >= MAX_ENDS) {
      this.#setAsideUntil.set(name, Date.now() + SET_ASIDE_MS)
      throw new SetAside(`${ends} processes have ended, or hung, while it ran.`)
    }
    this.#running.add(name)
    try {
      await work()
    } finally {
      this.#running.delete(name)
      await this.#db.deleteFrom('jobCrash').where('job', '=', name).execute()
    }
  }

  /** Stores the attempt. @returns the number of processes that crashed while it ran */
  async #count(job: string): Promise<number> {
    const { ends } = await this.#db
      .insertInto('jobCrash')
      .values({ job, ends: 1, at: new Date() })
      .onConflict(conflict =>
        conflict.column('job').doUpdateSet(eb => ({ ends: eb('jobCrash.ends', '+', 1), at: new Date() }))
      )
      .returning('ends')
      .executeTakeFirstOrThrow()
    return ends
  }
}

const nameOf = ({ name, data }: SuspectableJob): string =>
  `${name} ${createHash('sha256').update(JSON.stringify(data)).digest('base64')}`
