import { Type } from 'typebox'
import { assertOwnWorkspace } from '../../../core/auth.ts'
import { fieldOf } from '../../../core/confinement.ts'
import { arrayPieces, sendJson, streamJson } from '../../../core/http-answers.ts'
import type { App } from '../../../core/plugin.ts'
import { readAhead } from '../../../core/read-ahead.ts'
import { answers } from '../../../core/schemas.ts'
import { readScope } from '../../../core/scopes.ts'
import type { ReadyReason } from '../contract.ts'
import { readFilters } from '../queries/filter.ts'
import type { PageView } from '../queries/json.ts'
import { listPage, streamIssues, type Order, type TotalKind } from '../queries/list.ts'
import { Context, View } from '../schemas.ts'
import { one, tags, type RouteContext } from './answers.ts'

export function readRoutes(app: App, { ctx: { shortReads }, reads, schemas }: RouteContext): void {
  const context = readAhead(shortReads, (db, workspaceId, { params }) =>
    reads.context(db, workspaceId, fieldOf(params, 'issueId') ?? '')
  )
  app.get(
    '/v1/issues/:issueId/context',
    {
      config: { readAhead: context.begin },
      schema: {
        tags,
        summary: 'Everything about an issue, in one answer',
        description:
          'It has the newest 500 comments, 4 MiB of them at most, and of each other list 500 items and 256 KiB; ' +
          '`omitted` says how many are missing. GET /v1/issue_comments has all comments.',
        params: one,
        response: answers(200, Context)
      }
    },
    async (request, reply) => sendJson(reply, await context.result(request))
  )

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
    async ({ principal, params, query }, reply) => {
      const { json, rev } = await reads[query.view ?? 'full'](shortReads, principal.workspaceId, params.issueId)
      return sendJson(reply.header('etag', `"${rev}"`), json)
    }
  )
}

interface FilterBody {
  filters?: Record<string, unknown>
  page?: number
  perPage?: number
  orderBy?: Order
  view?: PageView
  cursor?: string
  total?: TotalKind
  workspaceId?: string
}

export function filterRoute(
  app: App,
  { ctx, fields, pageRows, schemas }: RouteContext,
  reasons: readonly ReadyReason[]
): void {
  app.post(
    '/v1/issues/filter',
    {
      config: { scope: readScope },
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
      const { principal } = request
      const { workspaceId } = principal
      // The schema has checked it; its filters are read by `readFilters`.
      const body = request.body as FilterBody
      const { filters = {}, page, perPage, orderBy, view, cursor, total } = body
      assertOwnWorkspace(principal, body.workspaceId)
      const selection = await readFilters(ctx.shortReads, filters, {
        caller: principal,
        at: ctx.now(),
        fields,
        reasons
      })
      if (page ?? perPage ?? orderBy ?? view ?? cursor ?? total) {
        const wanted = {
          ...selection,
          page: page ?? 1,
          perPage: perPage ?? 50,
          orderBy: orderBy ?? 'updatedAt',
          filters,
          view: view ?? 'list',
          cursor,
          total: total ?? 'exact'
        }
        return streamJson(request, reply, listPage(ctx, workspaceId, pageRows, ctx.now(), wanted))
      }
      return streamJson(request, reply, arrayPieces(streamIssues(ctx.db, workspaceId, pageRows, selection.conditions)))
    }
  )
}
