import type { Principal } from '../../../core/api/contract.ts'
import type { Id, TransactionHandle } from '../../../core/api/database/types.ts'
import { forbidden, notFound } from '../../../core/api/errors.ts'
import type { Ctx } from '../context.ts'
import { findThread } from '../queries/comments.ts'

/** `find` runs again with the lock: the comment may have changed before it was granted. @throws 404 */
export async function findLocked<T extends { issueId: Id }>(
  { use: { issues } }: Ctx,
  trx: TransactionHandle,
  principal: Principal,
  id: Id,
  find: () => Promise<T | undefined>,
  what = 'comment'
): Promise<T> {
  const before = await find()
  if (!before) throw notFound(what, id)
  await issues.lock(principal, trx, [before.issueId])
  const comment = await find()
  if (!comment) throw notFound(what, id)
  return comment
}

/** The comment, with its issue locked until the transaction ends. @throws 404 */
export const lockComment = (ctx: Ctx, trx: TransactionHandle, principal: Principal, id: Id) =>
  findLocked(ctx, trx, principal, id, () => findThread(trx, principal.workspaceId, id))

/** @throws 403, 404 */
export async function lockOwn(ctx: Ctx, trx: TransactionHandle, principal: Principal, id: Id) {
  const comment = await lockComment(ctx, trx, principal, id)
  assertOwn(principal, comment)
  return comment
}

/** @throws 403 */
export function assertOwn({ accountId, role }: Principal, { authorId }: { authorId: Id }): void {
  if (authorId !== accountId && role !== 'ADMIN') {
    throw forbidden('Only its author or an administrator may change a comment: reply to it instead.')
  }
}
