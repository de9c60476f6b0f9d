import { sql } from 'kysely'
import type { Id } from '../../../core/api/database/types.ts'
import { notFound } from '../../../core/api/errors.ts'
import type { ReferenceField } from '../../issues/contract.ts'
import type { StateCategory } from '../../workspace/contract.ts'
import type { Db } from '../context.ts'
import type { Meaning } from '../queries/fusion.ts'
import { commentsText, issueFacets } from '../queries/indexing.ts'
import { holdersOfPhrases, MAX_PHRASE_CANDIDATES } from '../queries/phrases.ts'
import { readTimeline } from '../queries/timeline.ts'
import { firstSufficient, MAX_QUERY_LENGTH, type Query } from '../word-index/index.ts'
import { readCandidates } from './candidates.ts'
import { withCloseness } from './closeness.ts'
import type { Question } from './features.ts'
import { rankCandidates, type Ranked } from './model.ts'
import type { Weights } from './weights.ts'

export type { Ranked } from './model.ts'
export { FREE_TEXT, SIMILAR, WORDS_ONLY, type Weights } from './weights.ts'

const MAX_CANDIDATES = 200

/** Maximum characters of the comments that describe an issue: the first ones. */
const MAX_COMMENTS_LENGTH = 2_000

export interface AskingIssue {
  title: string
  description: string
  descriptionBytes: number
  createdAt: Date
  facets: string[]
}

interface FiledIssue extends AskingIssue {
  comments: string
}

interface Ranking {
  weights: Weights
  title: string
  /** The issue whose properties are compared; undefined for a free text. */
  asking?: AskingIssue
  except?: Id
  phrases: readonly string[]
  limit: number
  maxCandidates?: number
  categories: StateCategory[]
  meaning: Meaning | undefined
}

/** The compared data of an issue. @throws 404 */
export async function readAskingIssue(
  db: Db,
  workspaceId: Id,
  id: Id,
  references: readonly ReferenceField[]
): Promise<FiledIssue> {
  const issue = await db
    .selectFrom('issue as i')
    .select(eb => [
      'i.title',
      sql<string>`left(i.description_markdown, ${MAX_QUERY_LENGTH})`.as('description'),
      sql<number>`octet_length(i.description_markdown)`.as('descriptionBytes'),
      'i.createdAt',
      issueFacets(workspaceId, references).as('facets'),
      commentsText(eb, workspaceId, MAX_COMMENTS_LENGTH).as('comments')
    ])
    .where('i.workspaceId', '=', workspaceId)
    .where('i.id', '=', id)
    .executeTakeFirst()
  if (!issue) throw notFound('issue', id)
  return issue
}

/** In one statement for each plan that is needed. */
export async function rank(db: Db, workspaceId: Id, query: Query, ranking: Ranking): Promise<Ranked[]> {
  const { weights, title, asking, except, phrases, limit, categories, meaning } = ranking
  if (query.weights.size === 0 && !meaning) return []
  const timeline = await readTimeline(db, workspaceId, query.documents)
  const { maxCandidates = phrases.length > 0 ? MAX_PHRASE_CANDIDATES : MAX_CANDIDATES } = ranking
  const shortlist = await firstSufficient(Math.min(limit, maxCandidates), query.plans, plan =>
    readCandidates(
      db,
      workspaceId,
      query,
      {
        plan,
        limit: maxCandidates,
        title,
        except,
        categories,
        near: meaning?.near.map(({ id }) => id) ?? [],
        throughDuplicates: weights.duplicates !== undefined
      },
      timeline
    )
  )
  const question: Question = {
    rarity: query.rarity,
    titleTerms: query.titleTerms,
    rareTerms: query.rareTerms,
    facetRarity: query.facetRarity,
    ...(asking && { issue: { ...asking, position: timeline.positionAt(asking.createdAt) } })
  }
  const candidates = meaning ? await withCloseness(shortlist, meaning) : shortlist
  const ranked = rankCandidates(question, candidates, meaning ? { ...weights, features: weights.withMeaning } : weights)
  if (phrases.length === 0) return ranked.slice(0, limit)
  const ids = ranked.slice(0, MAX_PHRASE_CANDIDATES).map(({ id }) => id)
  const holders = await holdersOfPhrases(db, workspaceId, ids, phrases)
  return ranked.filter(({ id }) => holders.has(id)).slice(0, limit)
}
