import { fold } from '../../../lib/words/fold.ts'
import { UNSPACED, UNSPACED_CLASS } from '../../../lib/words/scripts.ts'
import { stem } from '../../../lib/words/tokens.ts'

const FILLERS = new Set(
  (
    'a an the this that these those is are was were be been being am it its they them their there here and of to in ' +
    'on at for from by with as into so then thus also too just very really please note we our us you your i my do ' +
    'does did has have had will would can could because since which who what when where while if'
  ).split(' ')
)
/** Negations, limits, order, obligation. */
const DECIDING = new Set(
  (
    'not no never none nor neither nothing nobody nowhere without except unless only before after until above below ' +
    'over under more less fewer most least min max minimum maximum off out down up must should may might'
  ).split(' ')
)
/** Duplicates share this part of all their words, with the same numbers and negations. */
const DUPLICATE = { shared: 4, of: 5 }

const CHUNK = /[\p{L}\p{M}\p{N}]+(?:[._:/\\#@$+-]+[\p{L}\p{M}\p{N}]+)*/gu
const WORDS = new RegExp(`${UNSPACED_CLASS}+|[[\\p{L}\\p{M}]--${UNSPACED_CLASS}]+`, 'gv')
const NUMBER = /(?:(?<=^|[\s(])[-−])?\d+(?:[.,]\d+)*%?/gu
const COMPARISON = /!=|[<>≤≥≠]=?(?=\s*[-−\d])/gu
const THOUSANDS = /,(?=\d{3}(?!\d))/g

interface Statement {
  /** Without case and white space. */
  plain: string
  /** Numbers, comparisons and characters of unspaced scripts, in order. */
  exact: string[]
  deciding: string[]
  words: string[]
  /** The `words` that look like names: identifiers, and capitals within a sentence. */
  names: Set<string>
}

export function statementOf(text: string): Statement {
  const statement: Statement = {
    plain: fold(text).replace(/\s+/g, ' ').trim(),
    exact: [...text.matchAll(NUMBER), ...text.matchAll(COMPARISON)]
      .sort((a, b) => a.index - b.index)
      .map(([match]) => match.replace(THOUSANDS, '').replace('−', '-')),
    deciding: [],
    words: [],
    names: new Set()
  }
  let end = 0
  const spelled = withoutContractions(text)
  for (const { 0: chunk, index } of spelled.matchAll(CHUNK)) {
    const beginsSentence = end === 0 || /[.!?:;\n]/.test(spelled.slice(end, index))
    const isName = isIdentifier(chunk) || (!beginsSentence && /^\p{Lu}/u.test(chunk))
    for (const part of chunk.match(WORDS) ?? []) addWord(statement, part, isName)
    end = index + chunk.length
  }
  statement.deciding.sort()
  return statement
}

function addWord({ exact, deciding, words, names }: Statement, part: string, isName: boolean): void {
  const word = fold(part)
  // Each character counts as a word.
  if (UNSPACED.test(part)) exact.push(...word)
  else if (DECIDING.has(word)) deciding.push(word)
  else if (!FILLERS.has(word)) {
    words.push(stem(word))
    if (isName) names.add(stem(word))
  }
}

const isIdentifier = (chunk: string): boolean => /[._:/\\#@$]|\p{Ll}\p{Lu}|^\p{Lu}{2,}$/u.test(chunk)

const withoutContractions = (text: string): string =>
  text
    .replace(/\bcannot\b|\bcan['’]t\b/gi, 'can not')
    .replace(/\bwon['’]t\b/gi, 'will not')
    .replace(/n['’]t\b/gi, ' not')
    .replace(/['’](?:s|re|ve|ll)\b/gi, '')

/** The share of common words of two texts, including numbers: 0 to 1. */
export function likeness(a: Statement, b: Statement): number {
  const { shared, all } = overlap(a, b)
  return all === 0 ? 0 : shared / all
}

function overlap(a: Statement, b: Statement): { shared: number; all: number } {
  const [termsOfA, termsOfB] = [new Set([...a.words, ...a.exact]), new Set([...b.words, ...b.exact])]
  const shared = termsOfA.intersection(termsOfB).size
  return { shared, all: termsOfA.size + termsOfB.size - shared }
}

/**
 * True if two texts state the same fact. They may differ in case, punctuation, markup, inflection, fillers and the
 * order of clauses, and one may have a few more words. Another number, name or negation, or a replaced word, makes
 * another fact.
 */
export function isSameFact(a: Statement, b: Statement): boolean {
  if (a.plain === b.plain) return true
  if (!isEqual(a.exact, b.exact) || !isEqual(a.deciding, b.deciding)) return false
  const [onlyA, onlyB] = [new Set(a.words).difference(new Set(b.words)), new Set(b.words).difference(new Set(a.words))]
  if (onlyA.size > 0 && onlyB.size > 0) return false
  if (onlyA.intersection(a.names).size > 0 || onlyB.intersection(b.names).size > 0) return false
  const names = a.names.union(b.names)
  const namesOf = ({ words }: Statement) => words.filter(word => names.has(word))
  if (!isEqual(namesOf(a), namesOf(b))) return false
  const { shared, all } = overlap(a, b)
  return shared > 0 && shared * DUPLICATE.of >= all * DUPLICATE.shared
}

const isEqual = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((item, n) => item === b[n])
