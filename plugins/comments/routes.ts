import { Type } from 'typebox'
import { confinementRules } from '../../core/api/confinement.ts'
import type { Principal } from '../../core/api/contract.ts'
import type { TransactionHandle } from '../../core/api/database/types.ts'
import { assertUnchanged, forbidden } from '../../core/api/errors.ts'
import { arrayPieces, sendJson, streamJson } from '../../core/api/http.ts'
import type { App } from '../../core/api/plugin.ts'
import { answers, Closed, Deleted } from '../../core/api/schemas.ts'
import { addCommentRoute } from './add-route.ts'
import { readComment, sendWritten } from './write/answer.ts'
import { textOf } from './comment.ts'
import { handleChange } from './write/changes.ts'
import { commentRules } from './confinement.ts'
import { commentDeleted, commentUpdated } from './contract.ts'
import { textOfIssue } from '../issues/contract.ts'
import { sectionsOf, type Ctx } from './context.ts'
import { findLocked } from './write/lock.ts'
import { findThread, listComments, removeComment, textOfComment, updateComment } from './queries/comments.ts'
import { withdrawQuestions } from './questions/questions.ts'
import { questionRoutes } from './questions/routes.ts'
import { CommentChanges, commentSchemas, headers, ofComment as params, ofIssue, Page, tags } from './schemas.ts'

export function commentRoutes(app: App, ctx: Ctx): void {
  confinementRules(app, commentRules(ctx))
  addCommentRoute(app, ctx)
  questionRoutes(app, ctx)
  readRoutes(app, ctx)
  changeRoutes(app, ctx)
}

function readRoutes(app: App, ctx: Ctx): void {
  const {
    db,
    use: { issues }
  } = ctx
  const sections = sectionsOf(ctx)
  const { Comment } = commentSchemas(sections)

  app.get(
    '/v1/issue_comments',
    {
      schema: {
        tags,
        summary: 'The comments of an issue, oldest first: all, or `limit` of them',
        querystring: Closed({ ...ofIssue.properties, ...Page }),
        response: answers(200, Type.Array(Comment))
      }
    },
    async (request, reply) => {
      const { principal, query } = request
      const issue = await issues.find(principal, db, query.issueId)
      return streamJson(request, reply, arrayPieces(listComments(db, principal.workspaceId, issue.id, sections, query)))
    }
  )

  app.get(
    '/v1/issue_comments/:id',
    { schema: { tags, summary: 'A comment', params, response: answers(200, Comment) } },
    async ({ principal, params }, reply) => sendJson(reply, await readComment(ctx, principal, params.id, true))
  )
}

function changeRoutes(app: App, ctx: Ctx): void {
  const { now, transaction } = ctx
  const { WrittenComment } = commentSchemas(sectionsOf(ctx))

  app.post(
    '/v1/issue_comments/:id',
    {
      schema: {
        tags,
        summary: 'Change a comment',
        description: 'Only its author or an administrator may.',
        params,
        headers,
        body: CommentChanges,
        response: answers(200, WrittenComment)
      }
    },
    async (request, reply) => {
      const { principal, params, body } = request
      const { workspaceId } = principal
      const text = await textOf(body)
      await transaction(async trx => {
        const { issueId } = await lockOwn(ctx, trx, principal, params.id)
        if (body.previous) assertUnchanged(body.previous, await textOfComment(trx, workspaceId, params.id))
        await updateComment(trx, workspaceId, params.id, text, now())
        await handleChange(ctx, principal, trx, { kind: 'updated', comments: [{ id: params.id, issueId }] })
        await ctx.textsWritten(trx, principal, [textOfIssue(issueId, text.bodyMarkdown)])
        const data = { changes: [{ field: 'body' }] }
        await ctx.emit(trx, commentUpdated, principal, [{ subjectId: params.id, issueId, data }])
      })
      return sendWritten(ctx, request, reply, params.id)
    }
  )

  app.delete(
    '/v1/issue_comments/:id',
    {
      schema: {
        tags,
        summary: 'Remove a comment and the replies to it',
        description: 'Its author, an administrator or an agent with the scope `delete` may.',
        params,
        response: answers(200, Deleted)
      }
    },
    async ({ principal, params }) => {
      await removeThread(ctx, principal, params.id)
      return { id: params.id, deleted: true as const }
    }
  )
}

/** Removes a comment and its replies. @throws 403, 404 */
async function removeThread(ctx: Ctx, principal: Principal, id: string): Promise<void> {
  const { workspaceId } = principal
  await ctx.transaction(async trx => {
    // Only agents get the scope, and deliberately; the route has checked it.
    const { issueId } =
      principal.kind === 'AGENT' ? await lock(ctx, trx, principal, id) : await lockOwn(ctx, trx, principal, id)
    const removed = await removeComment(trx, workspaceId, id, ctx.now())
    const comments = removed.map(({ id }) => ({ id, issueId }))
    await withdrawQuestions(
      ctx,
      trx,
      principal,
      removed.map(({ id }) => id)
    )
    await handleChange(ctx, principal, trx, { kind: 'deleted', comments })
    await ctx.emit(
      trx,
      commentDeleted,
      principal,
      comments.map(({ id }) => ({ subjectId: id, issueId, data: {} }))
    )
  })
}

/** The comment, with its issue locked until the transaction ends. @throws 404 */
const lock = (ctx: Ctx, trx: TransactionHandle, principal: Principal, id: string) =>
  findLocked(ctx, trx, principal, id, () => findThread(trx, principal.workspaceId, id))

/** The same, for a comment that the caller may change. @throws 403, 404 */
async function lockOwn(ctx: Ctx, trx: TransactionHandle, principal: Principal, id: string) {
  const { accountId, role } = principal
  const comment = await lock(ctx, trx, principal, id)
  if (comment.authorId !== accountId && role !== 'ADMIN') {
    throw forbidden('Only its author or an administrator may change a comment: reply to it instead.')
  }
  return comment
}
