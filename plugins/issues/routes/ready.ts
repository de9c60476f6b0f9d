import { Type, type TProperties, type TSchema } from 'typebox'
import type { Principal } from '../../../core/api/contract.ts'
import { sendJson } from '../../../core/api/http.ts'
import type { App } from '../../../core/api/plugin.ts'
import { Markdown } from '../../../core/api/text.ts'
import { answers, Closed, Ref } from '../../../core/api/schemas.ts'
import { noteWriters } from '../contract.ts'
import type { Field } from '../fields/field.ts'
import { teamRef } from '../fields/fields.ts'
import { pickUpNext } from '../pick-up/pick-up.ts'
import { releaseIssue } from '../pick-up/release.ts'
import { countReasons, listReady, type ReadyQuery } from '../queries/read/ready.ts'
import type { FieldValues } from '../schemas.ts'
import { filtersOf } from '../write/values.ts'
import { answerIssue, headers, one, tags, writeQuery, type RouteContext } from './answers.ts'

const selectionOf = (fields: readonly Field[], lists: TSchema): TProperties =>
  Object.fromEntries(
    fields
      .filter(({ argument }) => argument?.next !== undefined)
      .map(field => [field.key, Type.Optional(field.kind === 'links' ? lists : nameOf(field))])
  )
const nameOf = (field: Field): TSchema =>
  field.kind === 'reference' && typeof field.source !== 'string'
    ? Ref(`A ${field.source.what}’s name or UUID.`)
    : teamRef
const Names = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
  maxItems: 100,
  description: 'It has all of these: names or UUIDs.'
})
const NamesByCommas = Type.String({ minLength: 1, maxLength: 2000, description: 'Names, by commas.' })
const filters = Type.Optional(
  Type.Record(Type.String(), Type.Unknown(), { description: 'As of POST /v1/issues/filter.' })
)
const Reasons = Type.Record(Type.String(), Type.Integer(), {
  description: 'How many open issues each reason hinders, of 10,000 at most; one may be hindered by several.'
})

type Selected = FieldValues & { filters?: Record<string, unknown> }

/** In a query string, a list is names with commas between. */
const withLists = (fields: readonly Field[], values: FieldValues): FieldValues =>
  Object.fromEntries(
    Object.entries(values).map(([key, value]) => {
      const isList = fields.some(field => field.kind === 'links' && field.key === key)
      return [key, isList && typeof value === 'string' ? value.split(',').map(name => name.trim()) : value]
    })
  )

function readyQueries({ ctx, fields, readFilters, readiness }: RouteContext) {
  return async (principal: Principal, selected: Selected): Promise<ReadyQuery> => {
    const { filters, ...values } = selected
    const { workspaceId, accountId } = principal
    const at = ctx.use.database.time()
    const named = await readFilters(ctx.db, principal, filtersOf(fields, values))
    // Read separately: if both have the same key, both conditions hold.
    const filtered = await readFilters(ctx.db, principal, filters ?? {})
    const conditions = [...named.conditions, ...filtered.conditions]
    return { workspaceId, conditions, asker: { accountIds: [accountId] }, at, ...readiness }
  }
}

export function readyRoutes(app: App, routes: RouteContext): void {
  const { ctx, fields, contexts } = routes
  const readyQuery = readyQueries(routes)

  app.get(
    '/v1/issues/ready',
    {
      schema: {
        tags,
        summary: 'What can be begun now, and why the rest cannot',
        description: 'Urgent first and none last, then what blocks most others, then the oldest.',
        querystring: Closed({
          ...selectionOf(fields, NamesByCommas),
          limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 }))
        }),
        response: answers(200, Closed({ issues: Type.Array(routes.schemas.IssueRow), reasons: Reasons }))
      }
    },
    async ({ principal, query }, reply) => {
      const { limit = 50, ...selected } = query
      const ready = await readyQuery(principal, withLists(fields, selected))
      const [rows, counts] = await ctx.use.database.inTurn(async () => [
        await listReady(ctx.db, ready, limit, routes.pageRows),
        await countReasons(ctx.db, ready)
      ])
      return sendJson(reply, `{"issues":[${rows.join(',')}],"reasons":${JSON.stringify(counts)}}`)
    }
  )

  app.post(
    '/v1/issues/pick_up_next',
    {
      schema: {
        tags,
        summary: 'Take the best ready issue',
        description:
          'One that is UNSTARTED, or whose claim has lapsed: urgent first and none last, then what blocks most ' +
          'others, then the oldest. Callers at the same time get different issues. Answers its context; `issue: ' +
          'null` and the counted reasons when nothing is ready.',
        body: Closed({ ...selectionOf(fields, Names), filters }),
        response: answers(200, Type.Union([routes.schemas.Context, Closed({ issue: Type.Null(), reasons: Reasons })]))
      }
    },
    async ({ principal, body }, reply) => {
      const query = await readyQuery(principal, body)
      const [id, reasons] = await ctx.use.database.inTurn(async () => {
        const id = await ctx.transaction(trx => pickUpNext(routes, trx, principal, query))
        return [id, id === undefined ? await countReasons(ctx.db, query) : undefined]
      })
      if (id !== undefined) return sendJson(reply, (await contexts.read(ctx.db, principal.workspaceId, id)).json)
      return sendJson(reply, JSON.stringify({ issue: null, reasons }))
    }
  )
}

export function releaseRoute(app: App, routes: RouteContext): void {
  const [writer] = routes.ctx.contributions(noteWriters)
  app.post(
    '/v1/issues/:issueId/release',
    {
      schema: {
        tags,
        summary: 'Give an issue back',
        description:
          'It has no assignee then, and the state from before it was begun. An agent gives back what it has itself.',
        params: one,
        headers,
        querystring: writeQuery,
        body: Closed({ note: Type.Optional(Markdown) }),
        response: answers(200, routes.schemas.Written)
      }
    },
    async (request, reply) => {
      const { principal, params, body } = request
      const { id } = await routes.find(principal, params.issueId)
      await routes.ctx.transaction(trx => releaseIssue(routes, trx, principal, id, body.note, writer?.item))
      return answerIssue(routes, request, reply, id)
    }
  )
}
