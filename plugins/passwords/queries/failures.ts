import type { Db, Trx } from '../context.ts'

/*
 * Failed attempts to sign in. A subject is the hash of an account's e-mail address, or of a network address.
 */

/** The failures of subjects, which are made when there are none, locked until the transaction ends. */
export async function lock(trx: Trx, subjects: readonly Buffer[], at: Date) {
  await trx
    .insertInto('signInFailure')
    .values(subjects.map(subject => ({ subject, failures: 0, lastAt: at })))
    .onConflict(conflict => conflict.doNothing())
    .execute()
  return trx
    .selectFrom('signInFailure')
    .selectAll()
    .where('subject', 'in', [...subjects])
    .orderBy('subject')
    .forUpdate()
    .execute()
}

/** Counts one failure more; those whose last one was before `forgottenBefore` begin at 1. */
export const count = (trx: Trx, subjects: readonly Buffer[], at: Date, forgottenBefore: Date) =>
  trx
    .updateTable('signInFailure')
    .set(eb => ({
      failures: eb
        .case()
        .when('lastAt', '<', forgottenBefore)
        .then(1)
        .else(eb('failures', '+', 1))
        .end(),
      lastAt: at
    }))
    .where('subject', 'in', [...subjects])
    .execute()

export const remove = (db: Db, subject: Buffer) =>
  db.deleteFrom('signInFailure').where('subject', '=', subject).execute()

export const takeBackOne = (db: Db, subject: Buffer) =>
  db
    .updateTable('signInFailure')
    .set(eb => ({ failures: eb.fn<number>('greatest', [eb('failures', '-', 1), eb.lit(0)]) }))
    .where('subject', '=', subject)
    .execute()

export const removeOld = (db: Db, before: Date) => db.deleteFrom('signInFailure').where('lastAt', '<', before).execute()
