export const MAX_CORRECTED_WORDS = 4
const MAX_CORRECTIONS = 3
/** Minimum letters of a corrected word: in shorter ones, a slip often makes another word. */
const MIN_LENGTH = 4
const LONG_WORD = 8
const LETTERS = /^\p{L}+$/u

/** True if a word may be misspelt; names with digits or dots are not corrected. */
export const isCorrectable = (word: string): boolean => word.length >= MIN_LENGTH && LETTERS.test(word)

const maxSlips = (word: string): number => (word.length >= LONG_WORD ? 2 : 1)

/** Suffixes that the stemmer does not recognise in a misspelt word: the pool has stems. */
const SUFFIX = /(?<=.{4})(?:ments?|ations?|ions?|ing|ers?|ed|es|s|ly|able|ity|ness)$/

/**
 * The possible beginnings of a misspelt word: its own, and those with a slip in the second letter. No others, so that
 * an index can find the words.
 */
export function beginningsOf(word: string): string[] {
  const [first = '', second = '', third = ''] = word
  return [...new Set([first + second, second + first, first + third])]
}

/** The most probable corrections: the words with the fewest slips. */
export function corrections<T extends { word: string }>(misspelt: string, known: readonly T[]): T[] {
  const cut = misspelt.replace(SUFFIX, '')
  const slips = known.map(entry => ({
    entry,
    distance: Math.min(editDistance(misspelt, entry.word), editDistance(cut, entry.word))
  }))
  const least = Math.min(...slips.map(({ distance }) => distance))
  if (least > maxSlips(misspelt)) return []
  return slips.flatMap(({ entry, distance }) => (distance === least ? [entry] : [])).slice(0, MAX_CORRECTIONS)
}

/** Insertions, deletions, replacements and transpositions (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let [before, last] = [[] as number[], Array.from({ length: b.length + 1 }, (_, n) => n)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = last[j - 1]! + Number(a[i - 1] !== b[j - 1])
      const isExchanged = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row.push(Math.min(replaced, last[j]! + 1, row[j - 1]! + 1, isExchanged ? before[j - 2]! + 1 : Infinity))
    }
    ;[before, last] = [last, row]
  }
  return last[b.length]!
}
