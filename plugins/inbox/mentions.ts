import { proseBlocks, type NodeJson, type ProseRun } from '../../core/rich-text/index.ts'

/*
 * Mentions: `@name` in a rich text, where the name is that of an account, in any case, or its e-mail address. A name
 * may have several words, so what follows an `@` is looked up as far as it fits, the longest first. Code,
 * HTML and addresses mention nobody.
 */

/** Places of one text that are looked at, and characters after each: no name is longer than what people write. */
const MAX_PLACES = 100
const MAX_NAME_LENGTH = 80

const AT = /(?<![\p{L}\p{N}_.@/])@(?=[\p{L}\p{N}])/gu
const WORD_CHARACTER = /[\p{L}\p{N}]/u

/** For each `@` of a document the names that may follow it, in small letters, the longest first. */
export function possibleNames(doc: NodeJson): string[][] {
  const places: string[][] = []
  for (const text of textsOf(doc)) {
    for (const { index } of text.matchAll(AT)) {
      if (places.length === MAX_PLACES) return places
      places.push(prefixesOf(text.slice(index + 1, index + 1 + MAX_NAME_LENGTH).toLowerCase()))
    }
  }
  return places
}

/** The beginnings of a text that end where a word does. */
function prefixesOf(text: string): string[] {
  const ends = Array.from({ length: text.length }, (_, n) => text.length - n).filter(
    end => !WORD_CHARACTER.test(text[end] ?? ' ')
  )
  return [...new Set(ends.map(end => text.slice(0, end).trim()))]
}

/** The texts of a document's blocks, with a gap where there is code, HTML or an address. */
const textsOf = (doc: NodeJson): string[] =>
  proseBlocks(doc).map(({ runs }) => runs.map(run => (run === null || isAddress(run) ? '\n' : run.text)).join(''))
/** Those of e-mail may stand behind an `@`. */
const isAddress = ({ link }: ProseRun): boolean => link?.isBare === true && !link.href.startsWith('mailto:')
