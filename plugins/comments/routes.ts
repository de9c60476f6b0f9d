import { Type } from 'typebox'
import { confinementRules } from '../../core/api/confinement.ts'
import { assertUnchanged } from '../../core/api/errors.ts'
import { arrayPieces, sendJson, streamJson } from '../../core/api/http.ts'
import type { App } from '../../core/api/plugin.ts'
import { answers, Closed } from '../../core/api/schemas.ts'
import { addCommentRoute } from './add-route.ts'
import { readComment, sendWritten } from './write/answer.ts'
import { textOf } from './comment.ts'
import { handleChange, handleEdit } from './write/changes.ts'
import { commentRules } from './confinement.ts'
import { commentUpdated } from './contract.ts'
import { textOfIssue } from '../issues/contract.ts'
import { sectionsOf, type Ctx } from './context.ts'
import { lockOwn } from './write/lock.ts'
import { listComments, textOfComment, updateComment } from './queries/comments.ts'
import { questionRoutes } from './questions/routes.ts'
import { trashRoutes } from './trash/routes.ts'
import { CommentChanges, commentSchemas, headers, ofComment as params, ofIssue, Page, tags } from './schemas.ts'

export function commentRoutes(app: App, ctx: Ctx): void {
  confinementRules(app, commentRules(ctx))
  addCommentRoute(app, ctx)
  questionRoutes(app, ctx)
  readRoutes(app, ctx)
  changeRoutes(app, ctx)
  trashRoutes(app, ctx)
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
        await handleEdit(ctx, principal, trx, { id: params.id, issueId, bodyMarkdown: text.bodyMarkdown })
        await updateComment(trx, workspaceId, params.id, text, now())
        await handleChange(ctx, principal, trx, { kind: 'updated', comments: [{ id: params.id, issueId }] })
        await ctx.use.texts.written(principal, trx, [textOfIssue(issueId, text.bodyMarkdown)])
        const data = { changes: [{ field: 'body' }] }
        await ctx.emit(trx, commentUpdated, principal, [{ subjectId: params.id, parentId: issueId, data }])
      })
      return sendWritten(ctx, request, reply, params.id)
    }
  )
}
