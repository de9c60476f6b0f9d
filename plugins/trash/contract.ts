import type { RawBuilder } from 'kysely'
import { Type } from 'typebox'
import { contract, point, type Caller, type Principal } from '../../core/api/contract.ts'
import type { Id, Timestamp } from '../../core/api/database/types.ts'
import { Closed } from '../../core/api/schemas.ts'

export interface TrashTables {
  /** When the trash began in a workspace that was there before: what was deleted earlier is kept from then on. */
  trashStart: { workspaceId: Id; at: Timestamp }
}
export const trash = contract<object, TrashTables>()('trash')

/** A kind of records that can be restored after their deletion. */
export interface TrashKind {
  /** As in the path of its routes, such as `issues`: `POST /v1/issues/:id/restore` restores one. */
  readonly name: string
  /**
   * A query of the deleted records that the reader may restore. Columns: `id`, `key` (text; null: it has none), `title`
   * (text), `deleted_at`, `deleted_by_id` (null: unknown).
   */
  list(reader: Principal): RawBuilder<unknown>
  /**
   * Removes up to `limit` records for good that were deleted before a time, in one transaction.
   * @returns their number
   */
  purge(caller: Caller, before: Date, limit: number): Promise<number>
}
export const trashKinds = point<TrashKind>()(trash, 'kinds')

/** The query of routes that delete. */
export const Permanently = Closed({
  permanently: Type.Boolean({
    default: false,
    description: 'Remove it for good, also from the trash: only administrators may.'
  })
})
