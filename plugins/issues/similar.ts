import { setTimeout as sleep } from 'node:timers/promises'
import type { Principal } from '../../core/api/contract.ts'
import { runOutsideRequests } from '../../core/api/database/queries.ts'
import type { Id } from '../../core/api/database/types.ts'
import { singleton } from '../../core/api/plugin.ts'
import type { Ctx } from './context.ts'
import { similarFinders, type FiledText, type FoundSimilar, type SimilarIssue } from './contract.ts'

const MAX_SEARCH_MS = 2_000
/** How long the answer to a new issue waits for the search, once the issue is stored. */
const MAX_WAIT_MS = 5

export interface SimilarSearch {
  /** The hits in time; later ones are stored for the context of the issue, once `committed` is fulfilled. */
  resultFor(issueId: Id, committed: Promise<unknown>): Promise<readonly SimilarIssue[]>
}

/** Searches run outside the request's transaction; failures do not affect the new issue. */
export const similarSearches = singleton(
  'similarSearches',
  (ctx: Ctx) => {
    const finders = ctx.contributions(similarFinders).map(({ item }) => item)
    const pending = new Set<Promise<unknown>>()
    const track = (work: Promise<unknown>) => {
      const done: Promise<unknown> = work
        .catch((error: unknown) => ctx.log.warn({ err: error }, 'Similar issues could not be found for a new one.'))
        .finally(() => pending.delete(done))
      pending.add(done)
    }
    return {
      begin(principal: Principal, filed: FiledText): SimilarSearch | undefined {
        if (finders.length === 0) return undefined
        const signal = AbortSignal.timeout(MAX_SEARCH_MS)
        const hits = runOutsideRequests(() => Promise.all(finders.map(find => find(principal, filed, signal))))
        track(hits)
        return {
          async resultFor(issueId, committed) {
            const inTime = await Promise.race([hits.catch(() => []), sleep(MAX_WAIT_MS)])
            if (inTime === undefined) track(keepLate(hits, issueId, committed))
            return inTime?.flatMap(({ issues }) => issues) ?? []
          }
        }
      },
      async stop(): Promise<void> {
        await Promise.all(pending)
      }
    }
  },
  searches => searches.stop()
)

async function keepLate(hits: Promise<FoundSimilar[]>, issueId: Id, committed: Promise<unknown>): Promise<void> {
  const late = await hits.catch(() => [])
  await committed
  await runOutsideRequests(() => Promise.all(late.map(({ issues, keep }) => issues.length > 0 && keep(issueId))))
}
