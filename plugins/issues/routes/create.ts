import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { sendJson, wantsRepresentation } from '../../../core/api/http.ts'
import type { App } from '../../../core/api/plugin.ts'
import { answers, Closed } from '../../../core/api/schemas.ts'
import { createIssues } from '../write/create.ts'
import { filingOf, resolveDrafts } from '../write/drafts.ts'
import type { Draft } from '../schemas.ts'
import { answerIssue, headers, isNamed, tags, withFields, writeQuery, type RouteContext } from './answers.ts'

/** When the answer was sent or aborted: a request that is one transaction is committed before. */
const sent = (reply: FastifyReply) =>
  new Promise<void>(resolve => {
    const done = () => resolve()
    reply.then(done, done)
  })

export function createRoutes(app: App, routes: RouteContext): void {
  const { schemas } = routes
  const filing = filingOf(routes)
  app.post(
    '/v1/issues',
    {
      schema: {
        tags,
        summary: 'File an issue',
        description:
          'With its sub-issues, links, relation and blockers, all or none. Without a team it is filed in that of its ' +
          'parent, or in the only one that there is. `similar` names issues that may be the same one: in the answer ' +
          'when they are found at once, else in the context during the first day.',
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
      const draft = await resolveDrafts(filing, principal, [body as Draft], () => '')
      const [issue] = await createIssues(filing, principal, draft, { raw, committed: sent(reply) })
      const { id, json, similar } = issue!
      reply.code(201)
      if (isNamed(request)) return answerIssue(routes, request, reply, id, { similar })
      return sendJson(reply, similar.length > 0 ? withFields(json, { similar }) : json)
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
      const drafts = await resolveDrafts(filing, principal, issues)
      const created = await createIssues(filing, principal, drafts, { raw })
      return sendJson(reply.code(201), `{"issues":[${created.map(({ json }) => json).join(',')}]}`)
    }
  )
}
