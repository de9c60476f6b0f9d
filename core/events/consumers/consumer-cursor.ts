import type { FastifyBaseLogger } from 'fastify'
import { sql, type Kysely, type UpdateQueryBuilder, type UpdateResult } from 'kysely'
import type { CoreTables } from '../../api/database/types.ts'
import { PARTITION } from '../read.ts'

/** Milliseconds after which a new position is stored if the consumer had nothing to do for the events before it. */
const STORE_PASSED_MS = 1_000

export interface CursorOptions {
  db: Kysely<CoreTables>
  processId: string
  leaseSeconds: number
}

export const renewalMsOf = ({ leaseSeconds }: CursorOptions): number => (leaseSeconds * 1000) / 3

type Update = UpdateQueryBuilder<CoreTables, 'eventConsumer', 'eventConsumer', UpdateResult>

export class LeaseLost extends Error {}

interface Acquired {
  position: number
  needsRebuild: boolean
  removedTo: number
  /** Processes that ended while they ran the consumer at this position. */
  crashes: number
  /** Events that were being handled when the last of them ended; 0: unknown. */
  handling: number
}

export class ConsumerCursor {
  /** The position up to which events are handled; undefined while another process holds the lease. */
  position: number | undefined
  /** Processes that ended while they ran the consumer; reset to 0 once their events are handled. */
  crashes = 0
  readonly renewalMs: number
  readonly #name: string
  readonly #options: CursorOptions
  #stored: number | undefined
  /** By `performance.now()`: the safe end of the lease, and the last store of the position. */
  #leasedUntil = -Infinity
  #storedAt = -Infinity

  constructor(name: string, options: CursorOptions) {
    this.#name = name
    this.#options = options
    this.renewalMs = renewalMsOf(options)
  }

  get isLeased(): boolean {
    return this.position !== undefined && performance.now() < this.#leasedUntil
  }

  /** True if the stored position is old: other processes compute the lag from it. */
  get mustStore(): boolean {
    return this.position !== this.#stored && performance.now() - this.#storedAt > STORE_PASSED_MS
  }

  async acquire(): Promise<Acquired | undefined> {
    const row = await this.renew()
    const hasCrashed = row !== undefined && row.crashes > this.crashes
    this.position = this.#stored = row?.position
    this.crashes = row?.crashes ?? 0
    if (row === undefined || row.handling === 0) return row
    await this.noteHandling(0)
    return { ...row, handling: hasCrashed ? row.handling : 0 }
  }

  /**
   * An unreleased lease means that its process has ended or hangs: counted as a crash, once on suspicion, and only if
   * it was handling events.
   * @returns undefined while another process holds it
   */
  async renew(): Promise<Acquired | undefined> {
    const { db, processId, leaseSeconds } = this.#options
    const sentAt = performance.now()
    // Raw: a lease by the database's clock.
    const { rows } = await sql<Acquired>`
      update event_consumer c set leased_by = ${processId}, leased_until = ${leaseEnd(leaseSeconds)},
        crashes = c.crashes + case when c.leased_by <> ${processId} and (c.crashes = 0 or c.handling > 0)
          then 1 else 0 end
      from event_partition p
      where c.name = ${this.#name} and c.partition = ${PARTITION} and p.partition = c.partition
        and (c.leased_by = ${processId} or c.leased_until < now())
      returning c.position, c.needs_rebuild, p.removed_to, c.crashes, c.handling`.execute(db)
    if (rows[0]) this.#noteLease(sentAt)
    return rows[0]
  }

  async store(reached: number, isRebuilt = false): Promise<void> {
    const sentAt = performance.now()
    await this.#update(row =>
      row.set({
        position: reached,
        attempts: 0,
        crashes: this.crashes,
        handling: 0,
        leasedUntil: leaseEnd(this.#options.leaseSeconds),
        ...(isRebuilt && { needsRebuild: false })
      })
    )
    this.position = this.#stored = reached
    this.#storedAt = sentAt
    this.#noteLease(sentAt)
  }

  /** Counts a failed attempt at the next event, in the database: another process may retry it. @throws LeaseLost */
  async countAttempt(): Promise<number> {
    return this.#update(row => row.set(eb => ({ attempts: eb('attempts', '+', 1) })))
  }

  /** Stores the number of events after the position, before they are handled; 0: none. @throws LeaseLost */
  async noteHandling(events: number): Promise<void> {
    await this.#update(row => row.set({ handling: events }))
  }

  async #update(set: (row: Update) => Update): Promise<number> {
    const { db, processId } = this.#options
    const row = await set(db.updateTable('eventConsumer'))
      .where('name', '=', this.#name)
      .where('partition', '=', PARTITION)
      .where('leasedBy', '=', processId)
      .returning('attempts')
      .executeTakeFirst()
    if (row === undefined) throw new LeaseLost()
    return row.attempts
  }

  isSettledAt(position: number): boolean {
    if (this.position === undefined) return true
    return this.isLeased && this.position >= position && this.position === this.#stored
  }

  /** In one statement. @returns the consumers on which no process holds a lease */
  static async renewAll(cursors: readonly ConsumerCursor[], options: CursorOptions): Promise<Set<string>> {
    const { db, processId, leaseSeconds } = options
    const leased = cursors.filter(cursor => cursor.isLeased)
    const names = leased.map(cursor => cursor.#name)
    const sentAt = performance.now()
    const rows = await db
      .with('renewed', cte =>
        cte
          .updateTable('eventConsumer')
          .set({ leasedUntil: leaseEnd(leaseSeconds) })
          .where('partition', '=', PARTITION)
          .where('leasedBy', '=', processId)
          .where(sql<boolean>`name = any(${names}::text[])`)
          .returning('name')
      )
      .selectFrom('eventConsumer as consumer')
      .leftJoin('renewed', 'renewed.name', 'consumer.name')
      .select(['consumer.name', 'renewed.name as renewed'])
      .where('consumer.partition', '=', PARTITION)
      .where(({ or, eb }) =>
        or([eb('renewed.name', 'is not', null), eb('consumer.leasedUntil', '<', sql<Date>`now()`)])
      )
      .execute()
    const renewed = new Set(rows.map(row => row.renewed))
    for (const cursor of leased) {
      if (renewed.has(cursor.#name)) cursor.#noteLease(sentAt)
      else cursor.forget()
    }
    return new Set(rows.flatMap(row => (row.renewed === null ? row.name : [])))
  }

  /** Forces a new acquisition and read of the position: the database may have lost recent commits. */
  forget(): void {
    this.#leasedUntil = -Infinity
  }

  #noteLease(sentAt: number): void {
    this.#leasedUntil = sentAt + this.#options.leaseSeconds * 1000 - this.renewalMs
  }
}

const leaseEnd = (seconds: number) => sql<Date>`now() + make_interval(secs => ${sql.lit(seconds)})`

export async function addCursors(
  db: Kysely<CoreTables>,
  consumers: ReadonlyArray<{ name: string; rebuild: unknown }>,
  end: number
): Promise<void> {
  if (consumers.length === 0) return
  await db
    .insertInto('eventConsumer')
    .values(
      consumers.map(({ name, rebuild }) => ({
        name,
        partition: PARTITION,
        position: end,
        needsRebuild: rebuild !== undefined,
        leasedBy: null,
        leasedUntil: sql<Date>`'-infinity'`
      }))
    )
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

export async function releaseLeases(db: Kysely<CoreTables>, processId: string, log: FastifyBaseLogger): Promise<void> {
  await db
    .updateTable('eventConsumer')
    .set({ leasedBy: null, leasedUntil: sql<Date>`'-infinity'`, handling: 0 })
    .where('leasedBy', '=', processId)
    .execute()
    .catch((error: unknown) => {
      log.warn({ err: error }, 'the leases of consumers could not be released: they will expire')
    })
}
