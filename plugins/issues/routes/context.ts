import { Type } from 'typebox'
import { fieldOf } from '../../../core/api/confinement.ts'
import { readAhead, sendJson } from '../../../core/api/http.ts'
import type { App } from '../../../core/api/plugin.ts'
import { answers, Closed } from '../../../core/api/schemas.ts'
import { ContextChanges, UnchangedContext } from '../context-schemas.ts'
import { one, tags, type RouteContext } from './answers.ts'

/** The range of `maxTokens`: the fields alone need some hundred, and counting more would take long. */
const MIN_TOKENS = 500
const MAX_TOKENS = 20_000

const query = Closed({
  since: Type.Optional(
    Type.String({
      description:
        'The `version` of the context that the client has: the answer has only what has changed since, as `delta: ' +
        'true`, or is `{unchanged: true, version}`. The whole context when the server does not know the version.'
    })
  ),
  maxTokens: Type.Optional(
    Type.Integer({
      minimum: MIN_TOKENS,
      maximum: MAX_TOKENS,
      description:
        'Most tokens of the answer, as o200k_base counts. The oldest comments and changes are left out first, then ' +
        'items of other lists, then the end of the description; `omitted` says how many. The fields stay.'
    })
  )
})

export function contextRoute(app: App, { ctx: { db }, contexts, schemas }: RouteContext): void {
  const context = readAhead(db, (ahead, { workspaceId }, { params }) =>
    contexts.read(ahead, workspaceId, fieldOf(params, 'issueId') ?? '')
  )
  app.get(
    '/v1/issues/:issueId/context',
    {
      config: { readAhead: context.begin },
      schema: {
        tags,
        summary: 'Everything about an issue, in one answer, or what has changed since',
        description:
          'It has the newest 500 comments, 4 MiB of them at most, and of each other list 500 items and 256 KiB; ' +
          '`omitted` says how many are missing. GET /v1/issue_comments has all comments.',
        params: one,
        querystring: query,
        response: answers(200, Type.Union([schemas.Context, ContextChanges, UnchangedContext]))
      }
    },
    async (request, reply) => {
      const { principal, query } = request
      return sendJson(reply, await contexts.answer(principal.workspaceId, await context.result(request), query))
    }
  )
}
