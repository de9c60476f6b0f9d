import type { SimilarFinder } from '../issues/contract.ts'
import { readScope } from '../../core/scopes.ts'
import type { Ctx } from './context.ts'
import { withSettings } from './hits.ts'
import { issuePool } from './queries/indexing.ts'
import { nameIssues } from './queries/names.ts'
import { rank, SIMILAR, WORDS_ONLY, type AskingIssue } from './ranking/index.ts'
import { MAX_QUERY_LENGTH, wordIndex } from './word-index/index.ts'

const MAX_SIMILAR = 3
/**
 * What is close enough to be named: at least so likely, and with so great a share of the greatest possible match. Of
 * 69 known duplicates whose original was there before and among the best, this names 37; three of five new issues get
 * something named, and these 1.6 each (measured on 22,000 issues).
 */
const MIN_SCORE = 0.1
const MIN_MATCH_SHARE = 0.2
/** Searches at once on behalf of new issues: when many are filed at once, most are not compared. */
const MAX_CONCURRENT = 2

/** Finds what is close to an issue that is being filed, by words alone: a model would take too long. */
export function makeSimilarFinder(ctx: Ctx): SimilarFinder {
  const { db, settings, use } = ctx
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
    const query = await wordIndex.query(db, issuePool(workspaceId), asking)
    signal.throwIfAborted()
    const ranked = await rank(db, workspaceId, query, {
      weights: withSettings(ctx, (settings.priors ?? true) ? SIMILAR : WORDS_ONLY),
      title,
      ...((settings.priors ?? true) && { asking }),
      phrases: [],
      limit: MAX_SIMILAR,
      categories: [],
      meaning: undefined
    })
    const close = ranked.filter(({ score, match }) => score >= MIN_SCORE && match >= MIN_MATCH_SHARE * query.maxScore)
    signal.throwIfAborted()
    return await nameIssues(db, workspaceId, close)
  }

  return async (caller, filed, signal) => {
    if (running >= MAX_CONCURRENT || !caller.scopes.includes(readScope.name)) return []
    running++
    try {
      return await find(caller, filed, signal)
    } finally {
      running--
    }
  }
}
