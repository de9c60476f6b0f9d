import { setTimeout as sleep } from 'node:timers/promises'
import { sql, type Kysely } from 'kysely'
import { Type } from 'typebox'
import { contract, type Caller } from '../../api/contract.ts'
import { transaction } from '../../db/database.ts'
import { afterCommit } from '../../db/transactions/request-transaction.ts'
import type { CoreTables, Id } from '../../api/database/types.ts'
import { newId } from '../../db/id.ts'
import { eventType } from '../contract.ts'
import type { EventLog } from '../log.ts'

export const changed = eventType(contract()('race'), 'thing.changed', {
  summary: 'A thing changed.',
  data: Type.Object({})
})

interface Writing {
  db: Kysely<CoreTables>
  logs: readonly EventLog[]
  workspaceId: Id
  writers: number
  /** Changes per writer. */
  each: number
  subjects: number
}

export async function makeTables(db: Kysely<CoreTables>): Promise<void> {
  await sql`create table race_thing (id uuid primary key, rev integer not null default 0)`.execute(db)
  await sql`create table race_other (n integer)`.execute(db)
  await sql`
    create table race_seen (
      n bigint generated always as identity, process integer, subject_id uuid, rev integer,
      at timestamptz default clock_timestamp())`.execute(db)
}

/**
 * Writers that change the same things concurrently. Some write elsewhere first, so that a transaction that began
 * earlier changes a thing later; some commit late; some roll back.
 * @returns the time of each commit, by `Date.now()`, keyed `subject rev`
 */
export async function write({ db, logs, workspaceId, writers, each, subjects }: Writing): Promise<Map<string, number>> {
  const things = Array.from({ length: subjects }, () => newId())
  await sql`insert into race_thing select unnest(${things}::uuid[])`.execute(db)
  const caller: Caller = { workspaceId, accountId: null, tokenId: null, scopes: [], origin: 'system' }
  const committed = new Map<string, number>()

  async function change(log: EventLog, seed: number): Promise<void> {
    const subjectId = things[(seed * 7) % subjects]!
    const committedRev = await transaction(db, async trx => {
      if (seed % 3 === 0) await sql`insert into race_other values (${seed})`.execute(trx)
      const { rows } = await sql<{ rev: number }>`
        update race_thing set rev = rev + 1 where id = ${subjectId} returning rev`.execute(trx)
      const { rev } = rows[0]!
      await log.append(trx, changed, caller, [{ subjectId, rev, data: {} }])
      if (seed % 10 === 0) await sleep(5)
      if (seed % 17 === 0) throw new RolledBack()
      return { trx, key: `${subjectId} ${rev}` }
    }).catch((error: unknown) => {
      if (error instanceof RolledBack) return undefined
      throw error
    })
    if (committedRev === undefined) return
    committed.set(committedRev.key, Date.now())
    afterCommit(committedRev.trx)
  }

  await Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      for (let n = 0; n < each; n++) await change(logs[writer % logs.length]!, writer * each + n)
    })
  )
  return committed
}

class RolledBack extends Error {}
