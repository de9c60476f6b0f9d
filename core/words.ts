import { newStemmer } from 'snowball-stemmers'
import { eng } from 'stopword'
import { memoize } from './memoize.ts'
import { UNSPACED } from './unspaced.ts'

/** A word of a text, ready to be compared. An identifier is kept whole, in addition to its parts. */
export interface Token {
  text: string
  identifier: boolean
}

/** Maximum characters of a text that are read: of logs and dumps, the rest only adds noise. */
export const MAX_CHARACTERS = 200_000
export const MAX_TOKEN_LENGTH = 100

const stemmer = newStemmer('english')
const stopWords = new Set(eng.map(fold))

// Disjoint classes: no input makes these backtrack.
const CHUNK = /[\p{L}\p{N}\p{M}$]+(?:[._:/\\#-]+[\p{L}\p{N}\p{M}$]+)*/gu
const SEPARATORS = /[._:/\\#-]+/
// eslint-disable-next-line regexp/no-super-linear-move -- two capitals match, whatever follows them
const PIECES = /\p{Lu}+(?![\p{Ll}])|\p{Lu}?\p{Ll}+|\p{Lo}+|\p{N}+/gu
const HEX = /^(?:0x)?(?=[a-f]*\d)[0-9a-f]{6,}$/
/** Whether a word is of a script that puts no space between words. */
export const isUnspaced = (word: string): boolean => UNSPACED.test(word)
const ENGLISH = /^[a-z']+$/

/** Lower case, without accents. */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
}

const englishStem = memoize(word => stemmer.stem(word))
/** The English stem; a word with other than Latin letters stays as it is. */
export const stem = (word: string): string => (ENGLISH.test(word) ? englishStem(word) : word)

/**
 * The tokens of a text, in order and with repetitions: English stems, without stop words; identifiers, paths and error
 * codes as a whole and in parts; pairs of characters in scripts that put no space between words.
 */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  for (const [chunk] of text.slice(0, MAX_CHARACTERS).matchAll(CHUNK)) {
    const parts = chunk.split(SEPARATORS)
    if (parts.length > 1) add(tokens, fold(chunk), true)
    for (const part of parts) addPart(tokens, part)
  }
  return tokens
}

function addPart(tokens: Token[], part: string): void {
  const word = fold(part)
  if (isUnspaced(part)) return addPairs(tokens, word)
  if (HEX.test(word)) return add(tokens, word, true)
  const pieces = part.match(PIECES) ?? []
  // `iOS` and `tvOS3` are words; `createTableView` and `KERN10` are made of words.
  const compound = pieces.length > 1 && pieces.every(piece => piece.length > 1)
  if (!compound) return add(tokens, stem(word), false, word)
  add(tokens, word, true)
  for (const piece of pieces) {
    const folded = fold(piece)
    add(tokens, stem(folded), false, folded)
  }
}

function addPairs(tokens: Token[], word: string): void {
  const characters = [...word]
  if (characters.length === 1) add(tokens, word, false)
  for (let i = 0; i + 1 < characters.length; i++) add(tokens, characters[i]! + characters[i + 1]!, false)
}

function add(tokens: Token[], text: string, identifier: boolean, word = text): void {
  if (text === '' || stopWords.has(word) || text.length > MAX_TOKEN_LENGTH) return
  tokens.push({ text, identifier })
}
