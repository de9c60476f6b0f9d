import type { Neighbours } from '../../embeddings/contract.ts'
import type { Candidate } from './model.ts'

/** Keeps nearly equal distances from making a difference. */
const MIN_DEVIATION = 0.01

/**
 * The candidates with their distances in meaning from the question, relative to all: models agree less in distances
 * than in their order. A missing vector counts as the mean.
 */
export async function withCloseness(candidates: readonly Candidate[], meaning: Neighbours): Promise<Candidate[]> {
  const rows = await meaning.distancesOf(candidates.map(({ id }) => id))
  const distances = new Map(rows.map(({ id, distance }) => [id, distance]))
  const compared = candidates.flatMap(({ id, text }) => (text && distances.get(id)) ?? [])
  const mean = compared.reduce((sum, distance) => sum + distance, 0) / compared.length
  const variance = compared.reduce((sum, distance) => sum + (distance - mean) ** 2, 0) / compared.length
  const deviation = Math.max(Math.sqrt(variance), MIN_DEVIATION)
  return candidates.map(candidate => {
    const distance = distances.get(candidate.id) ?? null
    const closeness = distance === null ? 0 : (mean - distance) / deviation
    return { ...candidate, distance, text: candidate.text && { ...candidate.text, closeness } }
  })
}
