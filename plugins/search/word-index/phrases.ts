import { fold } from '../../../lib/words/fold.ts'

/** An address after a link's text, and its title: brackets in it are balanced, once. */
const ADDRESS = /\]\((?:[^()\s]|\([^()\s]*\))*(?:\s+"[^"]*")?\)/g
const REFERENCE = /&(?:#(\d{1,6})|nbsp|amp|lt|gt|quot);/g
const NAMED = new Map([
  ['&nbsp;', ' '],
  ['&amp;', '&'],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"']
])
const TAG = /<\/?[a-z][^<>]*>/g
/** Marks of quotes, links, code, emphasis and escapes. */
const MARKS = /^[ \t]*>[> \t]*|!?\[|\]|[*`~]|\\(?=[\p{P}\p{S}\s])/gmu
/** Marks of emphasis, unless they are within a name. */
const UNDERLINES = /_+/g
const WORD_CHARACTER = /[\p{L}\p{N}]/u
const WORDS = /[\p{L}\p{M}\p{N}]+/gu
const INVISIBLE = /[\u00ad\u200b\u2060]/g

const withSingleSpaces = (text: string): string => text.replace(/\s+/g, ' ').trim()

const withoutMarks = (text: string): string =>
  text
    .replace(ADDRESS, '')
    .replace(TAG, '')
    .replace(MARKS, '')
    .replace(UNDERLINES, (run, at: number, all: string) =>
      [all[at - 1], all[at + run.length]].every(beside => WORD_CHARACTER.test(beside ?? '')) ? run : ''
    )
    .replace(REFERENCE, (written, code?: string) => (code ? String.fromCodePoint(Number(code)) : NAMED.get(written)!))

export interface Phrase {
  written: string
  plain: string
  /** A text without one of them cannot contain the phrase, which rules most texts out. */
  words: string[]
}

export function preparePhrase(text: string): Phrase {
  const folded = fold(text).replace(INVISIBLE, '')
  const plain = withSingleSpaces(withoutMarks(folded))
  return { written: withSingleSpaces(folded), plain, words: plain.match(WORDS) ?? [] }
}

/**
 * The numbers of the phrases that a Markdown text contains: as written, or without the marks of Markdown. Case, accents
 * and the kind of white space between words do not count.
 */
export function phrasesIn(text: string, phrases: readonly Phrase[]): number[] {
  const folded = fold(text).replace(INVISIBLE, '')
  let written: string | undefined
  let plain: string | undefined
  return phrases.flatMap((phrase, n) => {
    if (!phrase.words.every(word => folded.includes(word))) return []
    written ??= withSingleSpaces(folded)
    if (written.includes(phrase.written)) return [n]
    if (phrase.plain === '') return []
    plain ??= withSingleSpaces(withoutMarks(folded))
    return plain.includes(phrase.plain) ? [n] : []
  })
}
