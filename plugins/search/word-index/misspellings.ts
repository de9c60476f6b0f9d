/** Words of a query that are looked up as near ones, when the pool has none of them. */
export const MAX_CORRECTED_WORDS = 4
/** What a word is taken for. */
const MAX_CORRECTIONS = 3
/** In shorter words a slip makes another word too often. */
const MIN_LENGTH = 4
/** Letters from which on two slips are allowed. */
const LONG_WORD = 8
const LETTERS = /^\p{L}+$/u

/** Whether a word may be misspelt; names with digits or dots are what they are. */
export const isCorrectable = (word: string): boolean => word.length >= MIN_LENGTH && LETTERS.test(word)

const maxSlips = (word: string): number => (word.length >= LONG_WORD ? 2 : 1)

/** What a misspelt word may still end in, as its stem is not cut off: the words of a pool are stems. */
const SUFFIX = /(?<=.{4})(?:ments?|ations?|ions?|ing|ers?|ed|es|s|ly|able|ity|ness)$/

/**
 * How words begin that a misspelt one may stand for: as it does, or with a slip in its second letter. Others are not
 * looked at, so that an index answers.
 */
export function beginningsOf(word: string): string[] {
  const [first = '', second = '', third = ''] = word
  return [...new Set([first + second, second + first, first + third])]
}

/** Of words of the pool those that a misspelt one is likeliest to stand for: with the fewest slips. */
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

/** Letters to add, leave out, replace or exchange with the next (optimal string alignment). */
export function editDistance(a: string, b: string): number {
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
