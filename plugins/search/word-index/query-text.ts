import { fold, isUnspaced, MAX_TOKEN_LENGTH } from '../../../core/words.ts'

/** The quoted phrases of a query, as written. */
export const phrasesOf = (query: string): string[] =>
  [...query.matchAll(/"([^"]{2,})"/g)].map(([, phrase]) => phrase!.trim()).filter(phrase => phrase !== '')

/** The beginning of the word that a query ends in the middle of, folded; undefined after a space or a quote. */
export function unfinishedWord(query: string): string | undefined {
  const word = /(?<![\p{L}\p{N}\p{M}$])[\p{L}\p{N}\p{M}$]+$/u.exec(query.slice(-MAX_TOKEN_LENGTH))?.[0]
  if (word === undefined || isUnspaced(word)) return undefined
  const folded = fold(word)
  return folded.length >= 3 ? folded : undefined
}
