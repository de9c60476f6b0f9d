import { Type, type Static } from 'typebox'
import type { Principal } from '../../../core/api/contract.ts'
import { invalid } from '../../../core/api/errors.ts'
import type { App } from '../../../core/api/plugin.ts'
import { answers } from '../../../core/api/schemas.ts'
import { POOL } from '../likeness/entry-index.ts'
import type { Ctx } from '../context.ts'
import { searchEntries } from '../queries/entries.ts'
import { withBodies } from '../rich.ts'
import { Context, ContextQuery, EntrySearch, Hit, tags } from '../schemas.ts'
import { servedBy, servings as servingsOf } from './servings.ts'

/** Maximum entries of a query; more where most may be filtered out. */
const MAX_FOUND = 200
const MAX_FOUND_FILTERED = 5_000

export function contextRoutes(app: App, ctx: Ctx): void {
  const servings = ctx.get(servingsOf)

  app.get(
    '/v1/knowledge',
    {
      schema: {
        tags,
        summary: 'Search the knowledge',
        description: 'Each entry in the answer counts as served.',
        querystring: EntrySearch,
        response: answers(200, Type.Array(Hit))
      }
    },
    async request => {
      const served = servedBy(request, request.query.record)
      const entries = await search(ctx, request.principal, request.query)
      await servings.record(
        request.principal,
        served,
        entries.map(entry => entry.id)
      )
      return withBodies(entries, request.query.rich)
    }
  )

  app.get(
    '/v1/knowledge/context',
    {
      schema: {
        tags,
        summary: 'Knowledge for a task',
        description:
          'Best first, the whole answer within `budget` tokens; each entry in it counts as served. An entry that ' +
          'nothing ties to the task shares at least two words with it (one, when the question is short), or its ' +
          'meaning.',
        querystring: ContextQuery,
        response: answers(200, Context)
      }
    },
    async request => {
      const { issueId, query, budget, record } = request.query
      if (issueId === undefined && !query?.trim()) {
        throw invalid('Send query.issueId, query.query, or both: what is the task?', { field: 'issueId' })
      }
      return ctx.own.context(
        request.principal,
        { issueRef: issueId, question: query, budget },
        servedBy(request, record)
      )
    }
  )
}

async function search(ctx: Ctx, principal: Principal, filter: Static<typeof EntrySearch>) {
  const { query, limit, tags: list = '', teamId, projectId, kind, standing } = filter
  const { db, now, use } = ctx
  const team = teamId === undefined ? undefined : await use.workspace.findTeam(principal, db, teamId)
  const required = list
    .split(',')
    .map(tag => tag.trim())
    .filter(Boolean)
  const isFiltered = [kind, standing, team, projectId, required[0]].some(value => value !== undefined)
  const maxFound = isFiltered ? MAX_FOUND_FILTERED : MAX_FOUND
  const hits = query?.trim()
    ? await use.search.textIndex.search(principal, db, POOL, { title: query }, maxFound)
    : undefined
  return searchEntries(db, principal.workspaceId, {
    hits,
    limit,
    tags: required,
    kind,
    teamId: team?.id,
    projectId,
    standing,
    now: now()
  })
}
