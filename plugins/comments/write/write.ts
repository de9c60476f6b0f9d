import type { Actor } from '../../../core/api/contract.ts'
import type { Id } from '../../../core/api/database/types.ts'
import { textOfIssue } from '../../issues/contract.ts'
import { handleChange } from './changes.ts'
import type { Ctx, Trx } from '../context.ts'
import { commentCreated } from '../contract.ts'
import { insertComment } from '../queries/comments.ts'

export interface AddedComment {
  id: Id
  issueId: Id
}
interface NewComment extends AddedComment {
  /** The first comment of its thread; null: itself. */
  parentId: Id | null
  body: string
  bodyMarkdown: string
}

/** Adds a comment on an issue that the transaction has locked, and calls the other plugins' handlers. */
export async function addComment(ctx: Ctx, trx: Trx, caller: Actor, comment: NewComment): Promise<void> {
  const { workspaceId, accountId: authorId, tokenId } = caller
  const { id, issueId, parentId } = comment
  await insertComment(trx, workspaceId, { ...comment, authorId, tokenId, at: ctx.now() })
  await handleChange(ctx, caller, trx, { kind: 'created', comments: [{ id, issueId }] })
  await ctx.use.texts.written(caller, trx, [textOfIssue(issueId, comment.bodyMarkdown)])
  await ctx.emit(trx, commentCreated, caller, [{ subjectId: id, parentId: issueId, data: { parentId } }])
}
