import { LRUCache } from 'lru-cache'
import { newStemmer } from 'snowball-stemmers'
import { eng } from 'stopword/src/stopwords_eng.js'
import { fold } from './fold.ts'
import { SPACED_CLASS, UNSPACED_CLASS } from './scripts.ts'

/** A word of a text, ready for comparison. Identifiers are kept whole, in addition to their parts. */
export interface Token {
  text: string
  identifier: boolean
}

/** Maximum characters that are read: the rest of a log or dump only adds noise. */
export const MAX_CHARACTERS = 200_000
export const MAX_TOKEN_LENGTH = 100

const stemmer = newStemmer('english')
const stopWords = new Set(eng.map(fold))

// Disjoint classes: no input makes these backtrack.
const SEPARATOR_CLASS = '[._:\\/\\\\#\\-$]'
const EMOJI = '(?:\\p{Emoji_Presentation}|[\\p{Extended_Pictographic}--[©®™]])\\p{M}*\\p{Emoji_Modifier}?'
/** Letters of a script without spaces; a word or identifier with its currency or percent sign; an emoji. */
const CHUNK = new RegExp(
  `(?<unspaced>${UNSPACED_CLASS}+)|` +
    `\\p{Sc}?(?<name>${SPACED_CLASS}+(?:${SEPARATOR_CLASS}+${SPACED_CLASS}+)*)` +
    `(?:(?<=\\p{N})[%‰](?![\\p{L}\\p{N}]))?|` +
    `(?<emoji>\\p{Regional_Indicator}{2}|${EMOJI}(?:\\u200d${EMOJI})*)`,
  'gv'
)
const SEPARATORS = new RegExp(`${SEPARATOR_CLASS}+`, 'v')
// eslint-disable-next-line regexp/no-super-linear-move -- two capitals match, whatever follows them
const PIECES = /\p{Lu}+(?![\p{Ll}])|\p{Lu}?\p{Ll}+|\p{Lo}[\p{Lo}\p{M}]*|\p{N}+/gu
const HEX = /^(?:0x)?(?=[a-f]*\d)[0-9a-f]{6,}$/
const ENGLISH = /^[a-z']+$/
const SKIN_TONE = /\p{Emoji_Modifier}/gu

/** A character that can be a word by itself; a single kana or letter of Thai has no meaning. */
const CHARACTER = '[\\p{Script=Han}\\p{Script=Hangul}]'
const CHARACTERS = new RegExp(`(?<=${UNSPACED_CLASS})${CHARACTER}|${CHARACTER}(?=${UNSPACED_CLASS})`, 'gv')
const ANY_CHARACTER = new RegExp(CHARACTER, 'v')

const stems = new LRUCache<string, string>({ max: 50_000, memoMethod: word => stemmer.stem(word) })
/** The English stem; a word with other than Latin letters stays as it is. */
export const stem = (word: string): string => (ENGLISH.test(word) ? stems.memo(word) : word)

/**
 * The tokens of a text, in order and with repetitions: English stems, without stop words; identifiers, paths, error
 * codes, prices and percentages as a whole and in parts; pairs of characters in scripts without spaces; emojis without
 * their skin tone.
 */
export function tokenize(text: string, folded = fold): Token[] {
  const tokens: Token[] = []
  for (const { 0: chunk, groups = {} } of text.slice(0, MAX_CHARACTERS).normalize('NFC').matchAll(CHUNK)) {
    const { unspaced, name, emoji } = groups
    if (unspaced !== undefined) addPairs(tokens, folded(unspaced))
    else if (emoji !== undefined) add(tokens, folded(emoji).replaceAll(SKIN_TONE, ''), false)
    else if (name !== undefined) {
      const parts = name.split(SEPARATORS)
      if (parts.length > 1 || chunk !== name) add(tokens, folded(chunk), true)
      for (const part of parts) addPart(tokens, part, folded)
    }
  }
  return tokens
}

/** Additional tokens for indexing: the single characters that may be words. A query has them only if it has no pair. */
export function characterTokens(text: string): Token[] {
  const read = text.slice(0, MAX_CHARACTERS)
  if (!ANY_CHARACTER.test(read)) return []
  return (fold(read).match(CHARACTERS) ?? []).map(character => ({ text: character, identifier: false }))
}

export const textTokens = (text: string): Token[] => [...tokenize(text), ...characterTokens(text)]

function addPart(tokens: Token[], part: string, folded: (text: string) => string): void {
  const word = folded(part)
  if (HEX.test(word)) return add(tokens, word, true)
  const pieces = part.match(PIECES) ?? []
  // `iOS` and `tvOS3` are words; `createTableView` and `KERN10` are made of words.
  const compound = pieces.length > 1 && pieces.every(piece => piece.length > 1)
  if (!compound) return add(tokens, stem(word), false, word)
  add(tokens, word, true)
  for (const piece of pieces) add(tokens, stem(folded(piece)), false, folded(piece))
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
