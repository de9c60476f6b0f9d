import { Type } from 'typebox'
import { isId } from '../../core/db/sql.ts'
import { wantOwnWorkspace } from '../../core/auth.ts'
import { ApiError, invalid } from '../../core/errors.ts'
import type { App } from '../../core/plugin.ts'
import { answers } from '../../core/schemas.ts'
import { issueReferences } from '../issues/contract.ts'
import { STATE_CATEGORIES, type StateCategory } from '../workspace/contract.ts'
import type { Ctx } from './index.ts'
import { issuePool } from './issue-index.ts'
import { DEFAULT_THRESHOLD, meaningOf } from './meaning.ts'
import { askingIssue, completeHits, rank, statesIn, type Ranked } from './queries.ts'
import { Hit, SearchQuery, SimilarQuery } from './schemas.ts'
import { textIndex } from './text-index.ts'
import { phrasesOf } from './tokens.ts'

const tags = ['search']
const KEY = /^\s*([\p{L}\p{N}_]{1,32}-\d{1,9})\s*$/u
const MOST_PHRASES = 5
/** Characters of a free text that are compared with titles. */
const LONGEST_TITLE = 300

export function searchRoutes(app: App, ctx: Ctx): void {
  const {
    db,
    use: { issues }
  } = ctx
  const references = ctx.contributions(issueReferences)
  const response = answers(200, Type.Array(Hit))

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
    async ({ principal, query: asked }) => {
      const { workspaceId, limit, threshold, categories } = read(principal.workspaceId, asked)
      const text = asked.query
      const meaning = await meaningOf(ctx, issuePool(workspaceId), { text }, threshold)
      const [named, query] = [
        await issueNamed(workspaceId, text),
        await textIndex.query(
          db,
          issuePool(workspaceId),
          { title: text },
          { prefix: true, phrases: true, within: await statesIn(db, workspaceId, categories) }
        )
      ]
      const phrases = phrasesOf(text).slice(0, MOST_PHRASES)
      const ranked = await rank(db, workspaceId, query, {
        title: text.slice(0, LONGEST_TITLE),
        limit,
        categories,
        phrases,
        meaning
      })
      const first: Ranked[] =
        named === undefined ? [] : [{ id: named, score: Math.max(1, ...ranked.map(r => r.score)) }]
      return completeHits(
        db,
        workspaceId,
        [...first, ...ranked.filter(r => r.id !== named)].slice(0, limit),
        query,
        categories,
        meaning
      )
    }
  )

  app.get(
    '/v1/search/similar_issues',
    {
      schema: { tags, summary: 'Issues like this one, and how they were resolved', querystring: SimilarQuery, response }
    },
    async ({ principal, query: asked }) => {
      const { workspaceId, limit, threshold, categories } = read(principal.workspaceId, asked)
      const { id } = await issues.find(db, workspaceId, asked.issueId)
      const issue = await askingIssue(db, workspaceId, id, references)
      const meaning = await meaningOf(
        ctx,
        issuePool(workspaceId),
        { id, text: `${issue.title}\n\n${issue.description}` },
        threshold
      )
      const query = await textIndex.query(db, issuePool(workspaceId), issue, {
        other: true,
        within: await statesIn(db, workspaceId, categories)
      })
      const { priors = true, collapse = true } = ctx.config
      const ranked = await rank(db, workspaceId, query, {
        title: issue.title,
        of: { id, createdAt: issue.createdAt, priors, collapse },
        limit,
        categories,
        phrases: [],
        meaning
      })
      return completeHits(db, workspaceId, ranked, query, categories, meaning)
    }
  )

  /** The issue that the whole query names by its key or id. */
  async function issueNamed(workspaceId: string, text: string): Promise<string | undefined> {
    const ref = KEY.exec(text)?.[1] ?? (isId(text.trim()) ? text.trim() : undefined)
    if (ref === undefined) return undefined
    try {
      return (await issues.find(db, workspaceId, ref)).id
    } catch (error) {
      if (error instanceof ApiError && error.statusCode === 404) return undefined
      throw error
    }
  }
}

function read(
  workspaceId: string,
  asked: { workspaceId?: string; limit?: string; threshold?: string; stateCategory?: string }
): { workspaceId: string; limit: number; threshold: number; categories: StateCategory[] } {
  wantOwnWorkspace({ workspaceId }, asked.workspaceId)
  return {
    workspaceId,
    limit: limitOf(asked.limit),
    threshold: thresholdOf(asked.threshold),
    categories: categoriesOf(asked.stateCategory)
  }
}

function limitOf(text: string | undefined): number {
  const limit = Math.trunc(Number(text || NaN))
  return limit >= 1 ? Math.min(limit, 100) : 10
}

function thresholdOf(text: string | undefined): number {
  const threshold = Number(text?.trim() || NaN)
  return Number.isFinite(threshold) ? threshold : DEFAULT_THRESHOLD
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
