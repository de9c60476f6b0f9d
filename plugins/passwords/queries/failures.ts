import { sql } from 'kysely'
import { databaseTime, removeRows } from '../../../core/api/database/queries.ts'
import type { Db, Trx } from '../context.ts'

/* Attempts to sign in, counted by subject: the hash of an account, a network, or both. */

/**
 * The counts of subjects, created if missing, and locked until the transaction ends; with the time of the database's
 * clock, so that replicas agree.
 * @param moved `movedTime()`
 */
export async function lock(trx: Trx, subjects: readonly Buffer[], moved: Date | null) {
  await trx
    .insertInto('signInFailure')
    .values(
      [...subjects]
        .sort((a, b) => Buffer.compare(a, b))
        .map(subject => ({ subject, failures: 0, lastAt: databaseTime(moved) }))
    )
    .onConflict(conflict => conflict.doNothing())
    .execute()
  return trx
    .selectFrom('signInFailure')
    .select(['subject', 'failures', 'lastAt', 'nextAt', databaseTime(moved).as('time')])
    .where('subject', 'in', [...subjects])
    .orderBy('subject')
    .forUpdate()
    .execute()
}

export const save = (trx: Trx, subject: Buffer, counted: { failures: number; lastAt: Date; nextAt: Date | null }) =>
  trx.updateTable('signInFailure').set(counted).where('subject', '=', subject).execute()

export const remove = (trx: Trx, subject: Buffer) =>
  trx.deleteFrom('signInFailure').where('subject', '=', subject).execute()

export const takeBackOne = (trx: Trx, subject: Buffer) =>
  trx
    .updateTable('signInFailure')
    .set(eb => ({ failures: eb.fn<number>('greatest', [eb('failures', '-', 1), eb.lit(0)]) }))
    .where('subject', '=', subject)
    .execute()

export const removeOld = (db: Db, before: Date) =>
  removeRows(db, 'sign_in_failure', ['subject'], sql`old.last_at < ${before}`)
