import { Type } from 'typebox'
import { sendJson, wantsRepresentation } from '../../../core/http-answers.ts'
import type { App } from '../../../core/plugin.ts'
import { answers, Closed } from '../../../core/schemas.ts'
import { createIssues } from '../create.ts'
import type { Draft } from '../schemas.ts'
import { answerIssue, headers, isNamed, tags, writeQuery, type RouteContext } from './answers.ts'

export function createRoutes(app: App, routes: RouteContext): void {
  const { ctx, fields, schemas } = routes
  app.post(
    '/v1/issues',
    {
      schema: {
        tags,
        summary: 'File an issue',
        description:
          'With its sub-issues, links, relation and blockers, all or none. Without a team it is filed in that of its ' +
          'parent, or in the only one that there is.',
        headers,
        querystring: writeQuery,
        body: schemas.NewIssue,
        response: answers(201, schemas.Written)
      }
    },
    async (request, reply) => {
      const { principal, body } = request
      const raw = !isNamed(request) && wantsRepresentation(request, reply)
      // The schema follows from the fields; its type is known only in parts.
      const [issue] = await createIssues(ctx, fields, principal, [body as Draft], raw, () => '')
      reply.code(201)
      return isNamed(request) ? answerIssue(routes, request, reply, issue!.id) : sendJson(reply, issue!.json)
    }
  )

  app.post(
    '/v1/issues/bulk',
    {
      schema: {
        tags,
        summary: 'File up to 100 issues, all or none',
        headers,
        body: schemas.NewIssues,
        response: answers(201, Closed({ issues: Type.Array(schemas.Written) }))
      }
    },
    async (request, reply) => {
      const { principal, body } = request
      const { issues } = body as { issues: Draft[] }
      const raw = wantsRepresentation(request, reply)
      const made = await createIssues(ctx, fields, principal, issues, raw)
      return sendJson(reply.code(201), `{"issues":[${made.map(({ json }) => json).join(',')}]}`)
    }
  )
}
