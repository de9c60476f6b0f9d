import type { RawBuilder } from 'kysely'
import { Type } from 'typebox'
import { contract, point, type Caller, type Principal } from '../../core/api/contract.ts'
import type { Id, Timestamp } from '../../core/api/database/types.ts'
import { Closed } from '../../core/api/schemas.ts'
import { assertAdmin } from '../../core/api/scopes.ts'

export interface TrashTables {
  /** In a workspace that is older than the trash: what was deleted before is kept from then on. */
  trashStart: { workspaceId: Id; at: Timestamp }
}
export const trash = contract<object, TrashTables>()('trash')

/** A kind of records that can be restored after their deletion. */
export interface TrashKind {
  /** As in the path of its routes, such as `issues`: `POST /v1/issues/:id/restore` restores one. */
  readonly name: string
  /** One of them, for people: `Issue`. */
  readonly title: string
  /**
   * Lists what the reader may restore. Columns: `id`, `key` (text; null: it has none), `title` (text), `deleted_at`,
   * `deleted_by_id` (null: unknown).
   */
  list(reader: Principal): RawBuilder<unknown>
  /**
   * Removes up to `limit` records for good that were deleted before a time, in one transaction.
   * @returns their number
   */
  purge(caller: Caller, before: Date, limit: number): Promise<number>
}
export const trashKinds = point<TrashKind>()(trash, 'kinds')

export const Permanently = Closed({
  permanently: Type.Boolean({
    default: false,
    description: 'Remove it for good, also from the trash: only administrators may.'
  })
})

interface Deletion<Trx> {
  /** When it is neither there nor in the trash. */
  missing(): Error
  /** @returns whether it was there @throws 403 */
  remove(trx: Trx): Promise<boolean>
  /** @returns the number of removed records */
  purge(trx: Trx): Promise<number>
}
/** Administrators may remove it for good, with `permanently`. @throws 403 */
export async function deleteRecord<Trx>(
  { transaction }: { transaction(work: (trx: Trx) => Promise<void>): Promise<void> },
  principal: Principal,
  { id, permanently }: { id: Id; permanently: boolean },
  { missing, remove, purge }: Deletion<Trx>
): Promise<{ id: Id; deleted: true }> {
  if (permanently) assertAdmin(principal)
  await transaction(async trx => {
    const isRemoved = await remove(trx)
    const isGone = permanently ? (await purge(trx)) > 0 : isRemoved
    if (!isGone) throw missing()
  })
  return { id, deleted: true }
}
