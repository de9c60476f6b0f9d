import { KEY, keysIn, MAX_KEYS } from '../keys.ts'

/*
 * Which issues the plain texts of a pull request close: those after a closing word, unless its clause takes that back.
 * To close an issue wrongly is worse than not to close it, which the activity of the issue shows.
 * docs/git.md describes the rule; test/closing-sentences.ts has sentences that it was not made from.
 */

const CLOSING_WORD = '(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)'
const CLOSING = new RegExp(
  String.raw`(?<![\p{L}\p{N}_-])(${CLOSING_WORD}):?\s+(${KEY}(?:(?:\s*,(?:\s*and)?\s*|\s+and\s+|\s*&\s*)${KEY})*)` +
    String.raw`(?!-?[\p{L}\p{N}])`,
  'giu'
)

const word = (alternatives: string) => String.raw`(?<![\p{L}\p{N}_'’])(?:${alternatives})(?![\p{L}\p{N}_])`

/** Words that take a closing word back wherever they stand before it in its clause. */
const CANCELS_CLAUSE = new RegExp(
  word(
    [
      String.raw`not|no|cannot|\p{L}+n['’]t|(?:do|does|did|wo|ca|is|are|was|were|has|have|should|could|would)nt`,
      String.raw`never|neither|nor|none|nobody|nothing|without|rather\s+than|instead\s+of|hardly|barely|unable`,
      'doubts?|hopes?|hopefully|maybe|perhaps|possibly|probably',
      'partially|partly|partial|incompletely|almost|nearly|mostly|half',
      'wrongly|mistakenly|erroneously|accidentally|if|whether|unless|until|before',
      'attempt(?:s|ed|ing)?|tr(?:y|ies|ied|ying)|fail(?:s|ed|ing)?|helps?|prepar(?:e|es|ing|ation)|follow-?up',
      'revert(?:s|ed|ing)?|reopen(?:s|ed|ing)?|undo(?:es|ing)?'
    ].join('|')
  ),
  'iu'
)
/** Words that take back a closing word right after them. */
const CANCELS_NEXT = new RegExp(
  word(
    [
      'can|could|may|might|must|shall|should|would|to\\s+be',
      String.raw`(?:yet|still|needs?|wants?|has|have|had|ought|going|used|easier|prerequisite)\s+to`,
      String.raw`(?:supposed|meant|intended|required|needed|enough)\s+to`
    ].join('|')
  ) + String.raw`(?:\s+(?:also|be|been|get|have|\p{L}+ly)){0,3}\s+$`,
  'iu'
)
/** What may stand before a past tense that tells of this change, not of an earlier one: `This fixed ENG-1`. */
const BEGINS_CLAUSE = /^(?:(?:and|also|this|it|we|i|now|finally|has|have|['’]ve)\s*)*$/iu
const IN_PART = word(String.raw`in\s+part|partially|partly|halfway|to\s+some\s+extent`)
/** What restricts a closing word after its keys. */
const RESTRICTS = new RegExp(String.raw`^(?:\s+${word('if|unless')}|[^.;!?,]*${IN_PART})`, 'iu')

const QUOTATIONS_AND_ASIDES = /"[^"]*"|“[^“”]*”|«[^«»]*»|\([^()]*\)/gu
/** `, in fact,` or `, however,`: it does not end a clause. */
const INTERJECTION = /,\s+(?:(?:in|of|at|as|by|for|on|to|so)(?:\s+\p{L}+){1,3}|\p{L}+),/giu
const END = String.raw`[.;:!?…—–(,\uFFFC]|\s-\s|(?<![\p{L}\p{N}])(?:but|so)(?![\p{L}\p{N}])`
const CLAUSE_END = new RegExp(END, 'iu')
/** Before `closes` and `closed`, `and` begins a clause; `not close and fix` is one. */
const CLAUSE_OR_COORDINATION_END = new RegExp(String.raw`${END}|(?<![\p{L}\p{N}])and(?![\p{L}\p{N}])`, 'iu')
const IS_QUESTION = /^[^.;!]*\?/u
/** Characters before and after a closing word that are read. */
const MAX_CLAUSE = 300

/** The keys after closing words in plain texts, of which each is a paragraph, an item or a title. */
export const closedKeys = (...texts: string[]): Set<string> =>
  new Set(
    texts
      .flatMap(text =>
        [...text.matchAll(CLOSING)].filter(match => closes(text, match)).flatMap(([, , keys = '']) => keysIn(keys))
      )
      .slice(0, MAX_KEYS)
  )

function closes(text: string, { 0: match, 1: verb = '', index }: RegExpExecArray): boolean {
  const before = text
    .slice(Math.max(0, index - MAX_CLAUSE), index)
    .replace(QUOTATIONS_AND_ASIDES, ' ')
    .replace(INTERJECTION, ' ')
  // Within a quotation that is still open, as in `Revert "Fix ENG-1"`.
  if (/["“„«]/u.test(before) || /\btodo:?\s*$/iu.test(before)) return false
  const after = text.slice(index + match.length).slice(0, MAX_CLAUSE)
  if (IS_QUESTION.test(after) || RESTRICTS.test(after)) return false
  const clause = before.split(/[sd]$/iu.test(verb) ? CLAUSE_OR_COORDINATION_END : CLAUSE_END).at(-1)!
  if (CANCELS_CLAUSE.test(clause.replace(/\bnot only\b/iu, '')) || CANCELS_NEXT.test(clause)) return false
  return !/d$/iu.test(verb) || BEGINS_CLAUSE.test(clause.trim())
}
