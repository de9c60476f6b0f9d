import { tokenize } from '../../../lib/words/tokens.ts'

/** The version of the index's tokens. A pool of an older version is indexed again in the background. */
export const TOKENS_VERSION = 2

/** Version 1 of folding: it kept `ł` and the like, removed the marks of kana and decomposed Hangul syllables. */
const formerFold = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()

/** The tokens of version 1, for searches until a pool has been indexed again. */
export function formerTokens(text: string): Set<string> {
  const textsOf = (folded?: typeof formerFold) => new Set(tokenize(text, folded).map(token => token.text))
  return textsOf(formerFold).difference(textsOf())
}
