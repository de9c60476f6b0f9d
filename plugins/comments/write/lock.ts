import type { Principal } from '../../../core/api/contract.ts'
import type { Id, TransactionHandle } from '../../../core/api/database/types.ts'
import { notFound } from '../../../core/api/errors.ts'
import type { Ctx } from '../context.ts'

/**
 * The result of `find` for a comment, with its issue locked until the transaction ends. `find` runs twice: to find the
 * issue, and again because the comment may have changed before the lock was granted.
 * @throws 404
 */
export async function findLocked<T extends { issueId: Id }>(
  { use: { issues } }: Ctx,
  trx: TransactionHandle,
  principal: Principal,
  id: Id,
  find: () => Promise<T | undefined>
): Promise<T> {
  const before = await find()
  if (!before) throw notFound('comment', id)
  await issues.lock(principal, trx, [before.issueId])
  const comment = await find()
  if (!comment) throw notFound('comment', id)
  return comment
}
