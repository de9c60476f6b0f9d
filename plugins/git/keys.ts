/** Maximum keys of one delivery that are looked up: no person writes a text with thousands. */
const MAX_KEYS = 50
export const KEY = String.raw`[A-Za-z][A-Za-z0-9]{0,9}-[1-9]\d{0,8}`
const ONE_KEY = new RegExp(`(?<![A-Za-z0-9/])${KEY}(?![A-Za-z0-9])`, 'g')

const CLOSING_WORD = '(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)'
const CLOSING = new RegExp(
  String.raw`(?<![\p{L}\p{N}_-])${CLOSING_WORD}:?\s+(${KEY}(?:(?:\s*,(?:\s*and)?\s*|\s+and\s+|\s*&\s*)${KEY})*)` +
    String.raw`(?!-?[\p{L}\p{N}])`,
  'giu'
)
/** What takes back or restricts a closing word after it; docs/git.md has the list. */
const CANCELLING = [
  String.raw`not|no|cannot|\p{L}+n['’]t|(?:do|does|did|wo|ca|is|are|was|were|has|have|should|could|would)nt`,
  String.raw`never|neither|nor|without|rather\s+than|instead\s+of|no\s+longer|partially|partly|partial|incompletely`,
  String.raw`almost|nearly|mostly|half|hardly|barely|can|could|may|might|must|shall|should|would|ought\s+to|be`,
  String.raw`(?:yet|still|needs?|wants?|has|have|going|unable|tr(?:y|ies|ied|ying))\s+to`,
  String.raw`(?:fail|attempt)(?:s|ed)?\s+to|helps?(?:\s+to)?|todo:?|if|unless|until|before|revert(?:s|ed|ing)?:?`
].join('|')
const BETWEEN = [
  'yet|still|fully|completely|entirely|really|actually|quite|even|necessarily|properly|automatically|itself|always',
  'a|an|the|full|complete|commit|meant|intended|supposed|ready|able',
  `also|be|been|being|have|get|gets|to|or|${CLOSING_WORD}`
].join('|')
/** The closing word may begin a quotation: `Revert "Fix ENG-12"`, as GitHub calls what takes a merge back. */
const CANCELLED = new RegExp(
  String.raw`(?<![\p{L}\p{N}_'’])(?:${CANCELLING})(?:\s+\(?(?:${BETWEEN})\)?){0,4}\s+["'“„‘«]?$`,
  'iu'
)
/** Characters before a closing word in which a cancelling one is looked for. */
const MAX_CANCELLING = 120

const keysIn = (text: string): string[] => (text.match(ONE_KEY) ?? []).map(key => key.toUpperCase())

/** Matches what may be keys of issues in plain texts; in a branch after a slash, too. */
export const namedKeys = (branch: string, ...texts: string[]): string[] =>
  [...new Set([...keysIn(branch.replaceAll('/', ' ')), ...texts.flatMap(keysIn)])].slice(0, MAX_KEYS)

/** The keys after a word such as `Closes` in plain texts, unless a word before it takes that back. */
export const closedKeys = (...texts: string[]): Set<string> =>
  new Set(
    texts
      .flatMap(text =>
        [...text.matchAll(CLOSING)]
          .filter(({ index }) => !CANCELLED.test(text.slice(Math.max(0, index - MAX_CANCELLING), index)))
          .flatMap(([, keys = '']) => keysIn(keys))
      )
      .slice(0, MAX_KEYS)
  )
