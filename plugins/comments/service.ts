import { newId } from '../../core/id.ts'
import { isId } from '../../core/db/sql.ts'
import { notFound } from '../../core/errors.ts'
import { assertScope, readScope, writeScope } from '../../core/scopes.ts'
import { handleChange } from './changes.ts'
import type { Ctx } from './context.ts'
import { commentCreated, type CommentsServices } from './contract.ts'
import { findThread, insertComment } from './queries.ts'
import { textOf } from './comment.ts'

/** What other plugins may ask of comments. */
export const commentServices = (ctx: Ctx): CommentsServices => ({
  async find(caller, db, id) {
    assertScope(caller, readScope)
    const comment = isId(id) ? await findThread(db, caller.workspaceId, id) : undefined
    if (!comment) throw notFound('comment', id)
    return comment
  },
  async add(caller, trx, issueId, bodyMarkdown) {
    assertScope(caller, writeScope)
    const { workspaceId, accountId, tokenId } = caller
    const id = newId()
    await insertComment(trx, workspaceId, {
      id,
      issueId,
      parentId: null,
      authorId: accountId,
      tokenId,
      ...(await textOf({ bodyMarkdown })),
      at: ctx.now()
    })
    await handleChange(ctx, caller, trx, { kind: 'created', comments: [{ id, issueId }] })
    await ctx.emit(trx, commentCreated, caller, [{ subjectId: id, issueId, data: { parentId: null } }])
    return id
  }
})
