import type { FoundSimilar, SimilarFinder } from '../issues/contract.ts'
import { readScope } from '../../core/api/scopes.ts'
import type { Ctx } from './context.ts'
import { withSettings } from './hits.ts'
import { issuePool } from './queries/indexing.ts'
import { keepSimilar, nameIssues } from './queries/names.ts'
import { rank, SIMILAR, WORDS_ONLY, type AskingIssue } from './ranking/index.ts'
import { MAX_QUERY_LENGTH, wordIndex } from './word-index/index.ts'

const MAX_SIMILAR = 3
/**
 * Minimum probability, and minimum share of the greatest possible match, of a similar issue. Measured on 22,000 issues:
 * of 92 known duplicates with an earlier original, 33 get a hit, and 25 of these the original; of 300 random issues 31
 * % get a hit.
 */
const MIN_SCORE = 0.3
const MIN_MATCH_SHARE = 0.25
/** Maximum compared issues: with 200, no more of the 92 originals were among the best three. */
const MAX_CANDIDATES = 20
/** Concurrent searches for new issues: of many that are created at once, most are not compared. */
const MAX_CONCURRENT = 1

const NOTHING: FoundSimilar = { issues: [], keep: async () => {} }

/** Finds issues similar to a new one, by words alone: a model would take too long. */
export function makeSimilarFinder(ctx: Ctx): SimilarFinder {
  const { db, now, settings, transaction, use } = ctx
  const { priors = true } = settings
  const weights = withSettings(ctx, priors ? SIMILAR : WORDS_ONLY)
  let running = 0

  const find: SimilarFinder = async (caller, filed, signal) => {
    const { workspaceId } = caller
    const { title, descriptionMarkdown, createdAt, labelIds, values } = filed
    const references = use.issues.references(caller).map(({ column }) => values[column])
    const asking: AskingIssue = {
      title,
      description: descriptionMarkdown.slice(0, MAX_QUERY_LENGTH),
      descriptionBytes: Buffer.byteLength(descriptionMarkdown),
      createdAt,
      facets: [...labelIds, ...references.filter(id => typeof id === 'string')]
    }
    const query = await wordIndex.query(db, issuePool(workspaceId), asking, { isQuick: true })
    signal.throwIfAborted()
    const ranked = await rank(db, workspaceId, query, {
      weights,
      title,
      ...(priors && { asking }),
      phrases: [],
      limit: MAX_SIMILAR,
      maxCandidates: MAX_CANDIDATES,
      categories: [],
      meaning: undefined
    })
    const close = ranked.filter(({ score, match }) => score >= MIN_SCORE && match >= MIN_MATCH_SHARE * query.maxScore)
    if (close.length === 0) return NOTHING
    signal.throwIfAborted()
    const named = await nameIssues(db, workspaceId, close)
    return {
      issues: named.map(({ id: _, ...shown }) => shown),
      keep: issueId => transaction(trx => keepSimilar(trx, workspaceId, issueId, named, now()))
    }
  }

  return async (caller, filed, signal) => {
    if (running >= MAX_CONCURRENT || !caller.scopes.includes(readScope.name)) return NOTHING
    running++
    try {
      return await find(caller, filed, signal)
    } finally {
      running--
    }
  }
}
