import type { App } from '../../../core/api/plugin.ts'
import { answers, Closed } from '../../../core/api/schemas.ts'
import { sendWritten } from '../write/answer.ts'
import { sectionsOf, type Ctx } from '../context.ts'
import { Answer, commentSchemas, headers, ofComment as params, tags } from '../schemas.ts'
import { answer, withdraw } from './questions.ts'

export function questionRoutes(app: App, ctx: Ctx): void {
  const { WrittenComment } = commentSchemas(sectionsOf(ctx))

  app.post(
    '/v1/issue_comments/:id/answer',
    {
      schema: {
        tags,
        summary: 'Answer a question',
        description:
          'With a text or one of its options, as a reply: it is the answer to this request. Whoever was asked may, ' +
          'and any person. A reply of an addressee answers, too. A closed question: 409.',
        params,
        headers,
        body: Answer,
        response: answers(201, WrittenComment)
      }
    },
    async (request, reply) => {
      const id = await answer(ctx, request.principal, request.params.id, request.body)
      return sendWritten(ctx, request, reply.code(201), id)
    }
  )

  app.post(
    '/v1/issue_comments/:id/withdraw',
    {
      schema: {
        tags,
        summary: 'Withdraw a question',
        description: 'It waits for an answer no longer. Its author may, and any person. One that is closed: 409.',
        params,
        headers,
        body: Closed({}),
        response: answers(200, WrittenComment)
      }
    },
    async (request, reply) => {
      const { principal, params } = request
      await withdraw(ctx, principal, params.id)
      return sendWritten(ctx, request, reply, params.id)
    }
  )
}
