import { KEY, keysIn, MAX_KEYS } from '../keys.ts'

/*
 * Finds the issues that a pull request's plain texts close: those after a closing word that its clause does not negate.
 * Closing an issue wrongly is worse than not closing it, which the activity shows. docs/git.md describes the
 * rule; test/closing-sentences.ts has sentences that were not used to make it.
 */

const CLOSING_WORD = '(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)'
const CLOSING = new RegExp(
  String.raw`(?<![\p{L}\p{N}_-])(${CLOSING_WORD}):?\s+(${KEY}(?:(?:\s*,(?:\s*and)?\s*|\s+and\s+|\s*&\s*)${KEY})*)` +
    String.raw`(?!-?[\p{L}\p{N}])`,
  'giu'
)

const word = (alternatives: string) => String.raw`(?<![\p{L}\p{N}_'’])(?:${alternatives})(?![\p{L}\p{N}_])`

/** Words that negate a closing word anywhere after them in the clause. */
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
/** Words that negate a closing word directly after them. */
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
/** Words allowed before a past tense about this change, not about an earlier one: `This fixed ENG-1`. */
const BEGINS_CLAUSE = /^(?:(?:and|also|this|it|we|i|now|finally|has|have|['’]ve)\s*)*$/iu
const IN_PART = word(String.raw`in\s+part|partially|partly|halfway|to\s+some\s+extent`)
/** Words after the keys that restrict a closing word. */
const RESTRICTS = new RegExp(String.raw`^(?:\s+${word('if|unless')}|[^.;!?,]*${IN_PART})`, 'iu')

const QUOTATIONS_AND_ASIDES = /"[^"]*"|“[^“”]*”|«[^«»]*»|\([^()]*\)/gu
/** `, in fact,` or `, however,` does not end a clause. */
const INTERJECTION = /,\s+(?:(?:in|of|at|as|by|for|on|to|so)(?:\s+\p{L}+){1,3}|\p{L}+),/giu
const END = String.raw`[.;:!?…—–(,\uFFFC]|\s-\s|(?<![\p{L}\p{N}])(?:but|so)(?![\p{L}\p{N}])`
const CLAUSE_END = new RegExp(END, 'iu')
/** Before `closes` and `closed`, `and` begins a clause; `not close and fix` is one. */
const CLAUSE_OR_COORDINATION_END = new RegExp(String.raw`${END}|(?<![\p{L}\p{N}])and(?![\p{L}\p{N}])`, 'iu')
const IS_QUESTION = /^[^.;!]*\?/u
/** Characters that are read before and after a closing word. */
const MAX_CLAUSE = 300

/** The keys after closing words in plain texts, each a paragraph, an item or a title. */
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
  // Within an open quotation, as in `Revert "Fix ENG-1"`.
  if (/["“„«]/u.test(before) || /\btodo:?\s*$/iu.test(before)) return false
  const after = text.slice(index + match.length).slice(0, MAX_CLAUSE)
  if (IS_QUESTION.test(after) || RESTRICTS.test(after)) return false
  const clause = before.split(/[sd]$/iu.test(verb) ? CLAUSE_OR_COORDINATION_END : CLAUSE_END).at(-1)!
  if (CANCELS_CLAUSE.test(clause.replace(/\bnot only\b/iu, '')) || CANCELS_NEXT.test(clause)) return false
  return !/d$/iu.test(verb) || BEGINS_CLAUSE.test(clause.trim())
}
