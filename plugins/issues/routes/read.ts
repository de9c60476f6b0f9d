import { Type } from 'typebox'
import { filtersOfTerms, mergeFilters, type Filters } from '../../../lib/filter/filters.ts'
import { parseFilter } from '../../../lib/filter/grammar.ts'
import { assertOwnWorkspace } from '../../../core/api/accounts.ts'
import { invalid } from '../../../core/api/errors.ts'
import { arrayPieces, readAhead, sendJson, streamJson } from '../../../core/api/http.ts'
import type { App } from '../../../core/api/plugin.ts'
import { answers } from '../../../core/api/schemas.ts'
import { readScope } from '../../../core/api/scopes.ts'
import { savedFilters } from '../contract.ts'
import { listChanges } from '../activity/queries.ts'
import type { Order } from '../queries/filter/extensions.ts'
import type { PageView } from '../queries/read/json.ts'
import { isShortRead, readLongIssue, readPage, streamIssues, type TotalKind } from '../queries/filter/list.ts'
import { HistoryEntry } from '../context-schemas.ts'
import { View } from '../schemas.ts'
import { one, tags, type RouteContext } from './answers.ts'

const MAX_CHANGES = 500

export function historyRoute(app: App, { ctx: { db }, find }: RouteContext): void {
  app.get(
    '/v1/issues/:issueId/history',
    {
      schema: {
        tags,
        summary: `The last ${MAX_CHANGES} changes of an issue, oldest first`,
        description: 'Of every field, its title and description too; of a description only that it changed.',
        params: one,
        response: answers(200, Type.Array(HistoryEntry))
      }
    },
    async ({ principal, params }) => {
      const { id } = await find(principal, params.issueId)
      const changes = await listChanges(db, principal.workspaceId, id, { limit: MAX_CHANGES })
      return changes
        .reverse()
        .map(({ at, actor, change, from, to }) => ({ at: at.toISOString(), actor, change, from, to }))
    }
  )
}

export function readRoutes(app: App, { ctx: { db }, pageRows, reads, schemas }: RouteContext): void {
  app.get(
    '/v1/issues/:issueId',
    {
      schema: {
        tags,
        summary: 'An issue',
        description:
          'Its revision is also the ETag; send it back as If-Match with a change that must not overwrite another.',
        params: one,
        querystring: View,
        response: answers(200, Type.Union([schemas.Issue, schemas.IssueRow, schemas.NamedRow]))
      }
    },
    async (request, reply) => {
      const { workspaceId } = request.principal
      const { view = 'full' } = request.query
      const ref = request.params.issueId
      if (view !== 'full') {
        const { json, rev } = await reads[view](db, workspaceId, ref)
        return sendJson(reply.header('etag', `"${rev}"`), json)
      }
      const { id, json, rev } = await reads.fullUnlessLong(db, workspaceId, ref)
      reply.header('etag', `"${rev}"`)
      if (json !== null) return sendJson(reply, json)
      return streamJson(request, reply, readLongIssue(db, workspaceId, pageRows, id))
    }
  )
}

interface FilterBody {
  filters?: Filters
  query?: string
  page?: number
  perPage?: number
  orderBy?: Order
  view?: PageView
  cursor?: string
  total?: TotalKind
  workspaceId?: string
  viewId?: string
}

function typedFilters(query = ''): Filters {
  const { terms, mistakes } = parseFilter(query)
  if (mistakes.length === 0) return filtersOfTerms(terms)
  const messages = mistakes.map(({ from, message }) => `At character ${from + 1}: ${message}`)
  throw invalid(`body.query is no filter. ${messages.join(' ')}`, { field: 'query' })
}

/** Any of them asks for a page. */
const PAGED = ['page', 'perPage', 'orderBy', 'view', 'cursor', 'total', 'viewId'] as const

export function filterRoute(app: App, routes: RouteContext): void {
  const { ctx, pageRows, readFilters, readiness, schemas } = routes
  const [saved] = ctx.contributions(savedFilters)
  const board = readAhead(ctx.db, async (reads, caller, request) => {
    const body = request.body as FilterBody
    const { page = 1, perPage = 50, view = 'list', cursor, total = 'exact', viewId } = body
    const { workspaceId } = caller
    const kept = viewId === undefined ? undefined : await saved?.item(caller, reads, viewId)
    const orderBy = body.orderBy ?? kept?.orderBy ?? 'updatedAt'
    const isNext = orderBy === 'next'
    const typed = typedFilters(body.query)
    const filters = mergeFilters(kept?.filters ?? {}, body.filters ?? {}, typed, isNext ? { isReady: true } : {})
    const selection = await readFilters(reads, caller, filters)
    const { conditions } = selection
    if (PAGED.every(name => body[name] === undefined)) {
      return arrayPieces(streamIssues(ctx.db, workspaceId, pageRows, conditions))
    }
    const asker = { accountIds: [caller.accountId] }
    const at = ctx.use.database.time()
    const ready = isNext ? { workspaceId, conditions, asker, at, ...readiness } : undefined
    const pageRequest = { ...selection, page, perPage, orderBy, ready, filters, view, cursor, total }
    const read = (db: typeof reads) => readPage(db, workspaceId, pageRows, ctx.now(), pageRequest)
    return isShortRead(pageRequest) ? read(reads) : ctx.use.database.inTurn(() => read(ctx.db))
  })
  app.post(
    '/v1/issues/filter',
    {
      config: { scope: readScope, readAhead: board.begin, readAheadNeedsBody: true },
      schema: {
        tags,
        summary: 'The board: filtered, ordered, in pages',
        description:
          'With any of `page`, `perPage`, `orderBy`, `view`, `cursor`, `total`: a page. With none of them: an array ' +
          'of all matching issues, streamed.',
        body: schemas.Filter,
        response: answers(200, schemas.Filtered)
      }
    },
    async (request, reply) => {
      assertOwnWorkspace(request.principal, (request.body as FilterBody).workspaceId)
      return streamJson(request, reply, await board.result(request))
    }
  )
}
