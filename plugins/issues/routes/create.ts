import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { sendJson, wantsRepresentation } from '../../../core/http-answers.ts'
import type { App } from '../../../core/plugin.ts'
import { readAhead } from '../../../core/read-ahead.ts'
import { answers, Closed } from '../../../core/schemas.ts'
import type { FiledText, SimilarFinder, SimilarIssue } from '../contract.ts'
import { createIssues } from '../create.ts'
import { resolveDrafts } from '../drafts.ts'
import type { Draft } from '../schemas.ts'
import { answerIssue, headers, isNamed, tags, withSimilar, writeQuery, type RouteContext } from './answers.ts'

/** Milliseconds that who files an issue waits at most for what is close to it: some 20 on a board of 20,000 issues. */
const MAX_SIMILAR_MS = 2_000

/** The answer of a finder that fails or takes too long is missing: an issue is filed in any case. */
async function findSimilar(
  finders: readonly SimilarFinder[],
  { principal, log }: FastifyRequest,
  filed: FiledText
): Promise<SimilarIssue[]> {
  const stop = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<[]>(resolve => {
    timer = setTimeout(() => {
      stop.abort()
      resolve([])
    }, MAX_SIMILAR_MS).unref()
  })
  try {
    const found = Promise.all(finders.map(find => find(principal, filed, stop.signal)))
    return (await Promise.race([found, late])).flat()
  } catch (error) {
    stop.abort()
    log.warn({ err: error }, 'Similar issues could not be found for a new one.')
    return []
  } finally {
    clearTimeout(timer)
  }
}

export function createRoutes(app: App, routes: RouteContext, finders: readonly SimilarFinder[]): void {
  const { ctx, fields, schemas } = routes
  // The schema follows from the fields; its type is known only in parts.
  const draft = readAhead(ctx.shortReads, (reads, caller, { body }) =>
    resolveDrafts(reads, caller, fields, [body as Draft], () => '')
  )
  app.post(
    '/v1/issues',
    {
      config: { readAhead: draft.begin, readAheadNeedsBody: true },
      schema: {
        tags,
        summary: 'File an issue',
        description:
          'With its sub-issues, links, relation and blockers, all or none. Without a team it is filed in that of its ' +
          'parent, or in the only one that there is. `similar` in the answer names issues that may be the same one.',
        headers,
        querystring: writeQuery,
        body: schemas.NewIssue,
        response: answers(201, schemas.Written)
      }
    },
    async (request, reply) => {
      const raw = !isNamed(request) && wantsRepresentation(request, reply)
      const [issue] = await createIssues(ctx, fields, request.principal, await draft.result(request), {
        raw,
        ...(finders.length > 0 && { findSimilar: filed => findSimilar(finders, request, filed) })
      })
      const { id, json, similar } = issue!
      reply.code(201)
      if (isNamed(request)) return answerIssue(routes, request, reply, id, { similar })
      return sendJson(reply, withSimilar(json, similar))
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
      const drafts = await resolveDrafts(ctx.shortReads, principal, fields, issues)
      const made = await createIssues(ctx, fields, principal, drafts, { raw })
      return sendJson(reply.code(201), `{"issues":[${made.map(({ json }) => json).join(',')}]}`)
    }
  )
}
