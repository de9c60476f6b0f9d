import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import type { SolvedIssue } from '../../search/contract.ts'
import type { KnownContext } from '../contract.ts'
import type { Candidate } from '../queries/entries.ts'

const TIES = ['issue', 'parent', 'project', 'team', 'label', 'words'] as const

export const tokensOf = (value: object): number => countTokens(JSON.stringify(value), { disallowedSpecial: new Set() })

/** Maximum share of the budget for resolutions of other issues: recorded facts come first. */
const SOLVED_SHARE = 0.4
/** After this number of items that do not fit, no further ones are tried. */
const MAX_MISSES = 10

/**
 * Fills the budget, best first. Items that do not fit are counted; a shorter one after them may still fit. The whole
 * answer stays within `budget` tokens.
 */
export function packContext(
  candidates: readonly Candidate[],
  solved: readonly SolvedIssue[],
  budget: number
): KnownContext {
  const packed: KnownContext = {
    entries: [],
    solved: [],
    omitted: { entries: candidates.length, solved: solved.length }
  }
  let remaining = budget - tokensOf(packed)
  const fill = <T extends object>(items: readonly T[], into: T[], room: number): void => {
    let misses = 0
    for (const item of items) {
      const cost = tokensOf(item) + 1
      if (cost > room) {
        if (++misses === MAX_MISSES) return
        continue
      }
      into.push(item)
      room -= cost
      remaining -= cost
    }
  }
  fill(solved, packed.solved, Math.floor(remaining * SOLVED_SHARE))
  fill(candidates.map(candidateToJson), packed.entries, remaining)
  count()
  // Joined texts may have other tokens than their parts, so the limit is checked for the whole answer.
  while (tokensOf(packed) > budget && (packed.solved.pop() ?? packed.entries.pop()) !== undefined) count()
  return packed

  function count(): void {
    packed.omitted = {
      entries: candidates.length - packed.entries.length,
      solved: solved.length - packed.solved.length
    }
  }
}

const candidateToJson = (candidate: Candidate): KnownContext['entries'][number] => ({
  id: candidate.id,
  kind: candidate.kind,
  content: candidate.content,
  ...(candidate.tags.length > 0 && { tags: candidate.tags }),
  ...(candidate.status === 'DISPUTED' && { status: candidate.status }),
  ...(candidate.doubt && { doubt: candidate.doubt }),
  ...(candidate.helped > 0 && { helped: candidate.helped }),
  ...(candidate.wrong > 0 && { wrong: candidate.wrong }),
  because: TIES.filter(tie => candidate[tie])
})
