import { notFound } from '../../core/api/errors.ts'
import { sendJson, wantsRepresentation } from '../../core/api/http.ts'
import { newId } from '../../core/api/database/queries.ts'
import type { App } from '../../core/api/plugin.ts'
import { answers } from '../../core/api/schemas.ts'
import type { Principal } from '../../core/api/contract.ts'
import type { Id } from '../../core/api/database/types.ts'
import type { Advanced } from '../issues/contract.ts'
import { readComment } from './write/answer.ts'
import { sectionsOf, type Ctx, type Trx } from './context.ts'
import { findThread } from './queries/comments.ts'
import { answerByReply, ask, readQuestionOptions } from './questions/questions.ts'
import { textOf } from './comment.ts'
import { commentSchemas, headers, newCommentSchema, ofIssue, tags } from './schemas.ts'
import { addComment } from './write/write.ts'

export function addCommentRoute(app: App, ctx: Ctx): void {
  const { issues } = ctx.use
  app.post(
    '/v1/issue_comments',
    {
      schema: {
        tags,
        summary: 'Comment on an issue',
        description:
          'With a state the issue moves to it in the same transaction, and with `met` criteria are ticked: post the ' +
          'resolution and close it, both or neither; the answer has the criteria still unmet. An issue that is ' +
          'closed already is not closed again: 409, and nothing is added. With `duplicateOf` it is closed as a ' +
          'duplicate. With `question` the issue waits for an ' +
          'answer; a reply of an addressee is the answer.',
        querystring: ofIssue,
        headers,
        body: newCommentSchema(ctx.use),
        response: answers(201, commentSchemas(sectionsOf(ctx)).AddedComment)
      }
    },
    async (request, reply) => {
      const { principal, query, body } = request
      const { bodyMarkdown: _, body: __, parentId = null, question, ...change } = body
      const text = await textOf(body)
      const issue = await issues.find(principal, ctx.db, query.issueId)
      const options = question && (await readQuestionOptions(ctx, principal, question))
      const comment = { id: newId(), issueId: issue.id }
      const add = async (trx: Trx) => {
        await issues.lock(principal, trx, [issue.id])
        const thread = parentId === null ? null : await threadOf(trx, principal, issue, parentId)
        await addComment(ctx, trx, principal, { ...comment, parentId: thread, ...text })
        if (options) await ask(ctx, trx, principal, comment, options)
        else if (parentId !== null && thread !== null) {
          await answerByReply(ctx, trx, principal, { ...comment, parentId: thread, repliesTo: parentId })
        }
      }
      let advanced: Advanced | undefined
      if (Object.keys(change).length === 0) await ctx.transaction(add)
      else advanced = await issues.advance(principal, issue.id, change, add)
      const raw = wantsRepresentation(request, reply)
      const json = await readComment(ctx, principal, comment.id, raw)
      return sendJson(reply.code(201), advanced ? `${json.slice(0, -1)},${advancedJson(advanced)}` : json)
    }
  )
}

function advancedJson({ key, state, unmet, holder }: Advanced): string {
  const answer = { issue: { key, state }, ...(unmet.length > 0 && { unmet }), ...(holder && { holder }) }
  return JSON.stringify(answer).slice(1)
}

/** The first comment of the thread; threads are one level deep. @throws 404 */
async function threadOf(trx: Trx, { workspaceId }: Principal, issue: { id: Id; key: string }, parentId: Id) {
  const parent = await findThread(trx, workspaceId, parentId)
  if (parent?.issueId !== issue.id) throw notFound(`comment of ${issue.key}`, parentId)
  return parent.parentId ?? parentId
}
