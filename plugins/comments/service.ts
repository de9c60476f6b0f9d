import { isId, newId } from '../../core/api/database/queries.ts'
import { notFound } from '../../core/api/errors.ts'
import { assertScope, readScope, writeScope } from '../../core/api/scopes.ts'
import type { Ctx } from './context.ts'
import type { CommentsServices } from './contract.ts'
import { findBody, findThread } from './queries/comments.ts'
import { textOf } from './comment.ts'
import { listAskedWith, takeAnswers } from './queries/questions.ts'
import { addComment } from './write/write.ts'

export const commentServices = (ctx: Ctx): CommentsServices => ({
  async find(caller, db, id) {
    assertScope(caller, readScope)
    const comment = isId(id) ? await findThread(db, caller.workspaceId, id) : undefined
    if (!comment) throw notFound('comment', id)
    return comment
  },
  async add(caller, trx, issueId, bodyMarkdown) {
    assertScope(caller, writeScope)
    const id = newId()
    await addComment(ctx, trx, caller, { id, issueId, parentId: null, ...(await textOf({ bodyMarkdown })) })
    return id
  },
  async body(caller, db, id, { containing }) {
    assertScope(caller, readScope)
    return findBody(db, caller.workspaceId, id, containing)
  },
  async takeAnswers(caller, { begins }) {
    assertScope(caller, readScope)
    const { workspaceId, accountId, session = '' } = caller
    const { unmanagedDb } = ctx.use.database
    return takeAnswers(unmanagedDb, { workspaceId, accountId, session, begins, at: ctx.now() })
  },
  async questionsAskedWith(caller, db, tokenIds) {
    assertScope(caller, readScope)
    return listAskedWith(db, caller.workspaceId, tokenIds)
  }
})
