import { proseBlocks, type NodeJson, type ProseRun } from '../../lib/rich-text/index.ts'
import { MENTION_SIGN, NAME_GOES_ON } from '../../lib/words/mentions.ts'
import { UNSPACED_CLASS } from '../../lib/words/scripts.ts'

/*
 * Mentions: `@name` in a rich text, with the name of an account, in any case, or its e-mail address. A name may have
 * several words, so the text after an `@` is looked up in all lengths, the longest first. In scripts without spaces, a
 * name may begin and end anywhere. Code, HTML and addresses mention nobody.
 */

/** Maximum mentions of a text that are looked up, and characters of each. */
const MAX_PLACES = 100
const MAX_NAME_LENGTH = 80

const AT = new RegExp(`${MENTION_SIGN}(?=[\\p{L}\\p{N}])`, 'gv')
/** In a script without spaces; or where nothing goes on. */
const NAME_END = new RegExp(`(?<=${UNSPACED_CLASS})(?!\\p{M})|(?=${UNSPACED_CLASS})|(?!${NAME_GOES_ON})`, 'gv')
const SPACES = /[^\S\n]+/g

/** The possible names after each `@` of a document, the longest first. */
export function possibleNames(doc: NodeJson): string[][] {
  const places: string[][] = []
  for (const text of textsOf(doc)) {
    for (const { index } of text.matchAll(AT)) {
      if (places.length === MAX_PLACES) return places
      const following = text.slice(index + 1, index + 1 + MAX_NAME_LENGTH)
      // A name may be stored in either normal form.
      places.push([...new Set(['NFC', 'NFKC'].flatMap(form => beginningsOf(following.normalize(form))))])
    }
  }
  return places
}

function beginningsOf(text: string): string[] {
  const line = text.replace(SPACES, ' ')
  const ends = [...line.matchAll(NAME_END)].map(({ index }) => index).filter(end => end > 0)
  return ends.reverse().map(end => line.slice(0, end).trim())
}

/** The texts of a document's blocks, with a gap for code, HTML and addresses. */
const textsOf = (doc: NodeJson): string[] =>
  proseBlocks(doc).map(({ runs }) => runs.map(run => (run === null || isAddress(run) ? '\n' : run.text)).join(''))
/** E-mail addresses may follow an `@`. */
const isAddress = ({ link }: ProseRun): boolean => link?.isBare === true && !link.href.startsWith('mailto:')
