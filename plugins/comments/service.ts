import { newId } from '../../core/id.ts'
import { assertScope, writeScope } from '../../core/scopes.ts'
import type { Ctx } from './context.ts'
import { commentCreated, type CommentsServices } from './contract.ts'
import { insertComment } from './queries.ts'
import { textOf } from './routes.ts'

/** What other plugins may ask of comments. */
export const commentServices = (ctx: Ctx): CommentsServices => ({
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
    await ctx.emit(trx, commentCreated, caller, [{ subjectId: id, issueId, data: { parentId: null } }])
    return id
  }
})
