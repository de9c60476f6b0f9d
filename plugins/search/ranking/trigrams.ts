import { fold } from '../../../lib/words/fold.ts'

const WORDS = /[\p{L}\p{N}]+/gu
/** Maximum characters of a text: a thousand long titles take about 25 ms of the event loop. */
const MAX_LENGTH = 300

/**
 * The trigrams of a text's folded words, each word after two spaces and before one, as in PostgreSQL's pg_trgm.
 * Comparing 200 titles there takes a quarter of the time of the statement that reads them.
 */
export function trigramsOf(text: string): Set<string> {
  const trigrams = new Set<string>()
  for (const word of fold(text.slice(0, MAX_LENGTH)).match(WORDS) ?? []) {
    const padded = `  ${word} `
    for (let n = 0; n + 3 <= padded.length; n++) trigrams.add(padded.slice(n, n + 3))
  }
  return trigrams
}

/** The Jaccard similarity of two sets, from 0 to 1. */
export function similarity(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let shared = 0
  for (const trigram of other) if (one.has(trigram)) shared++
  return shared / Math.max(1, one.size + other.size - shared)
}
