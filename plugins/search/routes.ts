import { Type } from 'typebox'
import { assertOwnWorkspace } from '../../core/api/accounts.ts'
import { confinementRules } from '../../core/api/confinement.ts'
import type { Caller } from '../../core/api/contract.ts'
import { invalid } from '../../core/api/errors.ts'
import { arrayPieces, streamJson } from '../../core/api/http.ts'
import type { App } from '../../core/api/plugin.ts'
import { answers } from '../../core/api/schemas.ts'
import { STATE_CATEGORIES, type StateCategory } from '../workspace/contract.ts'
import type { Ctx } from './context.ts'
import { findIssues, findSimilar, type HitFilter } from './hits.ts'
import { DEFAULT_THRESHOLD } from './meaning.ts'
import { withDescriptions } from './queries/hits.ts'
import { Hit, SearchQuery, SimilarQuery } from './schemas.ts'

const tags = ['search']

const RULES = Object.fromEntries(
  ['search', 'search/similar_issues'].map(path => [
    `GET /v1/${path}`,
    { allows: 'all issues, because how others were solved is needed for the work' }
  ])
)

export function searchRoutes(app: App, ctx: Ctx): void {
  confinementRules(app, RULES)
  const {
    db,
    use: { issues }
  } = ctx
  const response = answers(200, Type.Array(Hit))

  // Before validation: an invalid or repeated number counts as absent.
  app.addHook('onRequest', async ({ query }) => {
    const sent = query as Record<string, unknown>
    for (const name of ['limit', 'threshold']) if (!isNumberText(sent[name])) delete sent[name]
  })

  app.get(
    '/v1/search',
    {
      schema: {
        tags,
        summary: 'Search issues by their titles, descriptions and comments',
        querystring: SearchQuery,
        response
      }
    },
    async (request, reply) => {
      const { principal, query } = request
      const hits = await findIssues(ctx, principal, query.query, filterOf(principal, query))
      return streamJson(request, reply, arrayPieces(withDescriptions(db, principal.workspaceId, hits)))
    }
  )

  app.get(
    '/v1/search/similar_issues',
    {
      schema: { tags, summary: 'Issues like this one, and how they were resolved', querystring: SimilarQuery, response }
    },
    async (request, reply) => {
      const { principal, query } = request
      const { id } = await issues.find(principal, db, query.issueId)
      const hits = await findSimilar(ctx, principal, id, filterOf(principal, query))
      return streamJson(request, reply, arrayPieces(withDescriptions(db, principal.workspaceId, hits)))
    }
  )
}

function filterOf(
  caller: Caller,
  query: { workspaceId?: string; limit?: string; threshold?: string; stateCategory?: string }
): HitFilter {
  assertOwnWorkspace(caller, query.workspaceId)
  return {
    limit: limitOf(query.limit),
    threshold: query.threshold === undefined ? DEFAULT_THRESHOLD : Number(query.threshold),
    categories: categoriesOf(query.stateCategory)
  }
}

const isNumberText = (value: unknown) =>
  typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value))

function limitOf(text = ''): number {
  const limit = Math.trunc(Number(text))
  return limit >= 1 ? Math.min(limit, 100) : 10
}

function categoriesOf(text = ''): StateCategory[] {
  return text
    .split(',')
    .map(name => name.trim().toUpperCase())
    .filter(name => name !== '')
    .map(name => {
      const category = STATE_CATEGORIES.find(known => known === name)
      if (category === undefined) {
        throw invalid(`stateCategory: there is no '${name}'; there are ${STATE_CATEGORIES.join(', ')}.`, {
          field: 'stateCategory'
        })
      }
      return category
    })
}
