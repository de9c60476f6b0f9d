import { MATCH_OFFSET, type CandidateText } from './features.ts'

/** Maximum hits that each is compared with: the most probable. */
const MAX_COMPARED = 200
/** With this many issues created in between, closeness is halved. */
const HALF_CLOSE = 3_000

/**
 * The closeness of a free text's other hits to each hit in the order of creation, from 0 to 1: related issues are
 * created at about the same time. The other hits count by their words.
 */
export function closeToOtherHits(hits: readonly CandidateText[]): number[] {
  const weighted = hits.map(hit => ({ weight: weightOf(hit), position: hit.position }))
  const compared = new Set([...weighted].sort((a, b) => b.weight - a.weight).slice(0, MAX_COMPARED))
  return weighted.map(hit => {
    let [close, total] = [0, 0]
    for (const other of compared) {
      if (other === hit) continue
      total += other.weight
      close += other.weight / (1 + Math.abs(hit.position - other.position) / HALF_CLOSE)
    }
    return total > 0 ? close / total : 0
  })
}

/**
 * About the root of the odds by words alone, so that more than the first hit counts. An issue whose title is searched
 * for does not count: quality is measured with titles of existing issues, but must hold for texts without one.
 */
const weightOf = ({ match, titleSimilarity }: CandidateText) =>
  titleSimilarity === 1 ? 0 : ((match + MATCH_OFFSET) * (1 + titleSimilarity)) ** 2
