import { tokenize } from '../../../lib/words/tokens.ts'

/** Of the tokens in the index. A pool of an older version is indexed again in the background. */
export const TOKENS_VERSION = 2

/** As version 1 folded: it left `ł` and the like, took the marks off kana and Hangul syllables apart. */
const formerFold = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()

/** The tokens of version 1 in place of those of today, for a search until a pool has been indexed again. */
export function formerTokens(text: string): Set<string> {
  const textsOf = (folded?: typeof formerFold) => new Set(tokenize(text, folded).map(token => token.text))
  return textsOf(formerFold).difference(textsOf())
}
