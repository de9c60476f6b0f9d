import type { Caller } from '../../core/api/contract.ts'
import { isId } from '../../core/api/database/queries.ts'
import type { Id } from '../../core/api/database/types.ts'
import { ApiError } from '../../core/api/errors.ts'
import { assertScope, readScope } from '../../core/api/scopes.ts'
import type { StateCategory } from '../workspace/contract.ts'
import type { Ctx } from './context.ts'
import type { SearchServices } from './contract.ts'
import { DEFAULT_THRESHOLD, meaningOf } from './meaning.ts'
import { facetsOfText, statesIn } from './queries/facets.ts'
import type { Scored } from './queries/fusion.ts'
import { completeHits, type FoundIssue } from './queries/hits.ts'
import { issuePool } from './queries/indexing.ts'
import { FREE_TEXT, rank, readAskingIssue, SIMILAR, WORDS_ONLY, type Weights } from './ranking/index.ts'
import { MAX_QUERY_LENGTH, phrasesOf, wordIndex } from './word-index/index.ts'

const KEY = /^\s*([\p{L}\p{N}_]{1,32}-\d{1,9})\s*$/u
const MAX_PHRASES = 5

export interface HitFilter {
  limit: number
  /** Maximum cosine distance of issues without common words. */
  threshold: number
  categories: StateCategory[]
}

/** An issue that the text names comes first. */
export async function findIssues(
  ctx: Ctx,
  caller: Caller,
  text: string,
  { limit, threshold, categories }: HitFilter
): Promise<FoundIssue[]> {
  const { db } = ctx
  const { workspaceId } = caller
  const pool = issuePool(workspaceId)
  const meaning = await meaningOf(ctx, pool, { text }, threshold)
  const named = await issueNamed(ctx, caller, text)
  const { labels, states } = await facetsOfText(db, workspaceId, text.slice(0, MAX_QUERY_LENGTH), categories)
  const query = await wordIndex.query(
    db,
    pool,
    { title: text, facets: labels },
    { completeLastWord: true, correctWords: true, requirePhrases: true, anyFacet: states }
  )
  const phrases = phrasesOf(text).slice(0, MAX_PHRASES)
  const ranked = await rank(db, workspaceId, query, {
    weights: withSettings(ctx, FREE_TEXT),
    title: text,
    phrases,
    limit,
    categories,
    meaning
  })
  const first: Scored[] = named === undefined ? [] : [{ id: named, score: Math.max(1, ...ranked.map(r => r.score)) }]
  const all = [...first, ...ranked.filter(r => r.id !== named)]
  return (await completeHits(db, workspaceId, all, query, categories)).slice(0, limit)
}

export async function findSimilar(
  ctx: Ctx,
  caller: Caller,
  id: Id,
  { limit, threshold, categories }: HitFilter
): Promise<FoundIssue[]> {
  const { db, settings, use } = ctx
  const { workspaceId } = caller
  const pool = issuePool(workspaceId)
  const issue = await readAskingIssue(db, workspaceId, id, use.issues.references(caller))
  const meaning = await meaningOf(ctx, pool, { id, text: `${issue.title}\n\n${issue.description}` }, threshold)
  const anyFacet = await statesIn(db, workspaceId, categories)
  // Comments describe the issue, too.
  const text = { ...issue, description: `${issue.description}\n${issue.comments}` }
  const query = await wordIndex.query(db, pool, text, { isInPool: true, anyFacet })
  const { priors = true } = settings
  const ranked = await rank(db, workspaceId, query, {
    weights: withSettings(ctx, priors ? SIMILAR : WORDS_ONLY),
    title: issue.title,
    ...(priors && { asking: issue }),
    except: id,
    limit,
    categories,
    phrases: [],
    meaning
  })
  return completeHits(db, workspaceId, ranked, query, categories)
}

/** Without the weights of known duplicates if the setting `collapse` is off. */
export const withSettings = ({ settings: { collapse = true } }: Ctx, { duplicates, ...weights }: Weights): Weights =>
  collapse && duplicates ? { ...weights, duplicates } : weights

export const makeSolved =
  (ctx: Ctx): SearchServices['solved'] =>
  async (caller, like, limit) => {
    assertScope(caller, readScope)
    const filter: HitFilter = { limit, threshold: DEFAULT_THRESHOLD, categories: ['COMPLETED'] }
    const hits =
      'text' in like
        ? await findIssues(ctx, caller, like.text, filter)
        : await findSimilar(ctx, caller, like.issueId, filter)
    return hits.flatMap(({ key, title, resolutionSnippet: resolution }) =>
      resolution ? [{ key, title, resolution }] : []
    )
  }

/** The issue whose key or id is the whole text. */
async function issueNamed({ db, use }: Ctx, caller: Caller, text: string): Promise<Id | undefined> {
  const ref = KEY.exec(text)?.[1] ?? (isId(text.trim()) ? text.trim() : undefined)
  if (ref === undefined) return undefined
  try {
    return (await use.issues.find(caller, db, ref)).id
  } catch (error) {
    if (error instanceof ApiError && error.statusCode === 404) return undefined
    throw error
  }
}
