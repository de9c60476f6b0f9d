import { MATCH_OFFSET, type CandidateText } from './features.ts'

/** Hits with which each is compared: those for which most speaks. */
const MAX_COMPARED = 200
/** Two are half as close as can be when so many issues were filed in between. */
const HALF_CLOSE = 3_000

/**
 * How close in the order of creation the other hits of a free text are to each, from 0 to 1: what is about the same
 * thing is filed at about the same time. The others count by their words.
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
 * for does not count: quality is measured with titles of issues that are there, and is to be that of a text of which no
 * issue is there yet, with its date.
 */
const weightOf = ({ match, titleSimilarity }: CandidateText) =>
  titleSimilarity === 1 ? 0 : ((match + MATCH_OFFSET) * (1 + titleSimilarity)) ** 2
