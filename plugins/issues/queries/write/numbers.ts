import { sql } from 'kysely'
import type { Id } from '../../../../core/api/database/types.ts'
import type { Trx } from '../../context.ts'

export async function raiseNumber(trx: Trx, workspaceId: Id, teamId: Id, to: number): Promise<number> {
  const { last } = await trx
    .insertInto('issueCounter')
    .values({ workspaceId, teamId, last: to })
    .onConflict(c =>
      c.columns(['workspaceId', 'teamId']).doUpdateSet({ last: sql`greatest(issue_counter.last, excluded.last)` })
    )
    .returning('last')
    .executeTakeFirstOrThrow()
  return last
}

export async function takenAmong(
  trx: Trx,
  workspaceId: Id,
  teamId: Id,
  numbers: readonly number[]
): Promise<Set<number>> {
  if (numbers.length === 0) return new Set()
  const rows = await trx
    .selectFrom('issue')
    .select('number')
    .where('workspaceId', '=', workspaceId)
    .where('teamId', '=', teamId)
    .where('number', 'in', [...numbers])
    .unionAll(
      trx
        .selectFrom('issueKeyReservation')
        .select('number')
        .where('workspaceId', '=', workspaceId)
        .where('teamId', '=', teamId)
        .where('number', 'in', [...numbers])
    )
    .execute()
  return new Set(rows.map(({ number }) => number))
}

export const insertReservations = (
  trx: Trx,
  workspaceId: Id,
  reservations: ReadonlyArray<{ id: Id; teamId: Id; number: number }>
) =>
  trx
    .insertInto('issueKeyReservation')
    .values(reservations.map(reservation => ({ workspaceId, ...reservation })))
    .execute()

export const takeReservations = (trx: Trx, workspaceId: Id, ids: readonly Id[]) =>
  trx
    .deleteFrom('issueKeyReservation')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', sql<Id>`any(${ids}::uuid[])`)
    .returning(['id', 'teamId', 'number'])
    .execute()

/** Adds those that do not exist. @returns the added ones */
export const insertFormerKeys = (
  trx: Trx,
  workspaceId: Id,
  keys: ReadonlyArray<{ teamId: Id; number: number; issueId: Id }>
) =>
  trx
    .insertInto('issueFormerKey')
    .values(keys.map(key => ({ workspaceId, ...key })))
    .onConflict(c => c.doNothing())
    .returning(['issueId', 'teamId', 'number'])
    .execute()

export const insertOldKeys = (trx: Trx, workspaceId: Id, keys: ReadonlyArray<{ key: string; issueId: Id }>) =>
  trx
    .insertInto('issueOldKey')
    .values(keys.map(key => ({ workspaceId, ...key })))
    .onConflict(c => c.doNothing())
    .execute()
