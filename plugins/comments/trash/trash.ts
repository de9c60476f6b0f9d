import type { Caller, Principal } from '../../../core/api/contract.ts'
import type { Id, TransactionHandle } from '../../../core/api/database/types.ts'
import { conflict, notFound } from '../../../core/api/errors.ts'
import type { TrashKind } from '../../trash/contract.ts'
import type { Ctx, Trx } from '../context.ts'
import { commentDeleted, commentUpdated } from '../contract.ts'
import { removeComment } from '../queries/comments.ts'
import { withdrawQuestions } from '../questions/questions.ts'
import { handleChange } from '../write/changes.ts'
import { assertOwn, findLocked, lockComment, lockOwn } from '../write/lock.ts'
import { findTrashed, listTrash, lockForPurge, purgeRows, restoreThread, type PurgeSelection } from './queries.ts'

export const commentTrash = (ctx: Ctx): TrashKind => ({
  name: 'issue_comments',
  title: 'Comment',
  list: listTrash,
  purge: (caller, before, limit) => ctx.transaction(trx => purgeComments(ctx, trx, caller, { before, limit }))
})

/** @throws 403, 404 */
export async function deleteThread(ctx: Ctx, trx: Trx, principal: Principal, id: Id): Promise<void> {
  const { workspaceId, accountId, kind } = principal
  // Only agents get the scope, and deliberately; the route has checked it.
  const { issueId } = await (kind === 'AGENT' ? lockComment : lockOwn)(ctx, trx, principal, id)
  const removed = await removeComment(trx, workspaceId, id, ctx.now(), accountId)
  const ids = removed.map(comment => comment.id)
  await withdrawQuestions(ctx, trx, principal, ids)
  await handleChange(ctx, principal, trx, { kind: 'deleted', comments: ids.map(id => ({ id, issueId })) })
  await ctx.emit(
    trx,
    commentDeleted,
    principal,
    ids.map(id => ({ subjectId: id, parentId: issueId, data: {} }))
  )
}

/** Its questions stay withdrawn. @throws 403, 404, 409 */
export async function restoreComment(ctx: Ctx, trx: Trx, principal: Principal, id: Id): Promise<void> {
  const { workspaceId, kind } = principal
  const comment = await lockTrashed(ctx, trx, principal, id)
  if (kind !== 'AGENT') assertOwn(principal, comment)
  if (comment.parentDeletedAt !== null) {
    throw conflict('The comment that this one replies to is deleted, too: restore that one first.')
  }
  const restored = await restoreThread(trx, workspaceId, id, comment.deletedAt!)
  if (!restored.some(one => one.id === id)) throw notFound('deleted comment', id)
  const comments = restored.map(({ id }) => ({ id, issueId: comment.issueId }))
  await handleChange(ctx, principal, trx, { kind: 'restored', comments })
  const data = { changes: [{ field: 'restored' }] }
  await ctx.emit(
    trx,
    commentUpdated,
    principal,
    comments.map(({ id, issueId }) => ({ subjectId: id, parentId: issueId, data }))
  )
}

const lockTrashed = (ctx: Ctx, trx: TransactionHandle, principal: Principal, id: Id) =>
  findLocked(ctx, trx, principal, id, () => findTrashed(trx, principal.workspaceId, id), 'deleted comment')

/** @returns their number */
export async function purgeComments(ctx: Ctx, trx: Trx, caller: Caller, selection: PurgeSelection): Promise<number> {
  const { workspaceId } = caller
  const comments = await lockForPurge(trx, workspaceId, selection)
  if (comments.length === 0) return 0
  await handleChange(ctx, caller, trx, { kind: 'purged', comments })
  await purgeRows(
    trx,
    workspaceId,
    comments.map(({ id }) => id),
    ctx.now()
  )
  return comments.length
}
