import { fold } from '../../../lib/words/fold.ts'
import { SPACED_CLASS, UNSPACED } from '../../../lib/words/scripts.ts'
import { MAX_TOKEN_LENGTH } from '../../../lib/words/tokens.ts'

const LAST_WORD = new RegExp(`(?<!${SPACED_CLASS})${SPACED_CLASS}+$`, 'v')

/** The quoted phrases of a query, as written: with two characters at least, or one that is a word. */
export const phrasesOf = (query: string): string[] =>
  [...query.matchAll(/"([^"]+)"/g)]
    .map(([, phrase]) => phrase!.trim())
    .filter(phrase => phrase.length > 1 || UNSPACED.test(phrase))

/** The folded beginning of the query's unfinished last word; undefined after a space or a quote. */
export function unfinishedWord(query: string): string | undefined {
  const word = LAST_WORD.exec(query.slice(-MAX_TOKEN_LENGTH))?.[0]
  if (word === undefined) return undefined
  const folded = fold(word)
  return folded.length >= 3 ? folded : undefined
}
