import type { Principal } from '../../core/api/contract.ts'
import type { Id } from '../../core/api/database/types.ts'
import { forbidden, notFound } from '../../core/api/errors.ts'
import type { Ctx, Trx } from './context.ts'
import { findEntry, lockEntry } from './queries/entries.ts'

/** @throws 404 */
export async function find({ db, now }: Ctx, { workspaceId }: Principal, id: Id) {
  const entry = await findEntry(db, workspaceId, id, now())
  if (!entry) throw notFound('knowledge entry', id)
  return entry
}

/** @throws 404 */
export async function lock(trx: Trx, workspaceId: Id, id: Id) {
  const entry = await lockEntry(trx, workspaceId, id)
  if (!entry) throw notFound('knowledge entry', id)
  return entry
}

/** @throws 403 */
export function mustBeOwn({ accountId, role }: Principal, { createdById }: { createdById: Id }): void {
  if (createdById !== accountId && role !== 'ADMIN') {
    throw forbidden(
      'Only its author or an administrator may change an entry’s content: dispute it with {"status": "DISPUTED"}, ' +
        'or supersede it.'
    )
  }
}
