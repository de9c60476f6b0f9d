import { proseBlocks, type NodeJson, type ProseRun } from '../../lib/rich-text/index.ts'
import { SPACED_CLASS, UNSPACED_CLASS } from '../../lib/words/scripts.ts'
import { AT_SIGNS } from './contract.ts'

/*
 * Mentions: `@name` in a rich text, where the name is that of an account, in any case, or its e-mail address. A name
 * may have several words, so what follows an `@` is looked up as far as it fits, the longest first. Beside scripts
 * that put no space between words, a name may begin and end anywhere. Code, HTML and addresses mention nobody.
 */

/** Places of one text that are looked at, and characters after each: no name is longer than what people write. */
const MAX_PLACES = 100
const MAX_NAME_LENGTH = 80

const AT = new RegExp(`(?<!${SPACED_CLASS}|[_.\\/${AT_SIGNS.join('')}])[${AT_SIGNS.join('')}](?=[\\p{L}\\p{N}])`, 'gv')
/** Beside a script without spaces; or where no word goes on, and no path (`@scout/core`) or address (`@scout@host`). */
const NAME_END = new RegExp(
  `(?<=${UNSPACED_CLASS})(?!\\p{M})|(?=${UNSPACED_CLASS})|(?!${SPACED_CLASS}|_|[\\/\\\\@]${SPACED_CLASS})`,
  'gv'
)
const SPACES = /[^\S\n]+/g

/** For each `@` of a document the names that may follow it, the longest first. */
export function possibleNames(doc: NodeJson): string[][] {
  const places: string[][] = []
  for (const text of textsOf(doc)) {
    for (const { index } of text.matchAll(AT)) {
      if (places.length === MAX_PLACES) return places
      const following = text.slice(index + 1, index + 1 + MAX_NAME_LENGTH)
      // As written, and with full-width letters as the usual ones: a name may be stored either way.
      places.push([...new Set(['NFC', 'NFKC'].flatMap(form => beginningsOf(following.normalize(form))))])
    }
  }
  return places
}

/** The beginnings of a text that may be a name, the longest first. */
function beginningsOf(text: string): string[] {
  const line = text.replace(SPACES, ' ')
  const ends = [...line.matchAll(NAME_END)].map(({ index }) => index).filter(end => end > 0)
  return ends.reverse().map(end => line.slice(0, end).trim())
}

/** The texts of a document's blocks, with a gap where there is code, HTML or an address. */
const textsOf = (doc: NodeJson): string[] =>
  proseBlocks(doc).map(({ runs }) => runs.map(run => (run === null || isAddress(run) ? '\n' : run.text)).join(''))
/** Those of e-mail may stand behind an `@`. */
const isAddress = ({ link }: ProseRun): boolean => link?.isBare === true && !link.href.startsWith('mailto:')
