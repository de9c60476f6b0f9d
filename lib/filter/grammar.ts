/*
 * The typed filter: `assignee:me label:bug,docs -state:done due:<7d "log in"`. Terms are separated by spaces, and all
 * of them hold; the values of a term are separated by commas, and one of them is enough. This file knows the form, but
 * no key: it runs in browsers and on the server.
 */

export type Operator = 'is' | 'lt' | 'lte' | 'gt' | 'gte'
/** A text, `from..to`, or null for `none`. */
export type TermValue = string | { readonly from: string; readonly to: string } | null

export interface Term {
  /** As it was typed; a word without a key is a term of `text`. */
  readonly key: string
  readonly isNegated: boolean
  readonly operator: Operator
  readonly values: readonly TermValue[]
}
/** A mistake in a typed filter, from one character to another. */
interface Mistake {
  readonly from: number
  readonly to: number
  /** A sentence that says how to correct it. */
  readonly message: string
}
export interface ParsedFilter {
  /** The terms without mistakes, each with its place in the text. */
  readonly terms: ReadonlyArray<Term & { readonly from: number; readonly to: number }>
  readonly mistakes: readonly Mistake[]
}

/** The key of words without one. */
export const TEXT_KEY = 'text'

const SIGNS: Record<Operator, string> = { is: '', lt: '<', lte: '<=', gt: '>', gte: '>=' }
const OPERATORS = new Map<string | undefined, Operator>([
  [undefined, 'is'],
  ['<', 'lt'],
  ['<=', 'lte'],
  ['>', 'gt'],
  ['>=', 'gte']
])
const SPACES = /\s+/y
const HEAD = /(-?)([a-z][a-z\d]*):([<>]=?)?/iy
const MINUS = /-(?=[^\s-])/y
const WORD = /[^\s"]+/y
const BARE = /(?:(?!\.\.)[^\s,"])+/y
const DOTS = /\.\./y
const COMMA = /,/y

class Scanner {
  readonly text: string
  at = 0

  constructor(text: string) {
    this.text = text
  }

  /** The match of a sticky pattern at the present place, behind which reading goes on. */
  take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at
    const match = pattern.exec(this.text)
    if (match === null) return undefined
    this.at = pattern.lastIndex
    return match
  }

  /** A text in quotes, in which `\"` and `\\` are characters. Without its last quote, it is the rest. */
  takeQuoted(): string | undefined {
    if (this.text[this.at] !== '"') return undefined
    let quoted = ''
    this.at++
    while (this.at < this.text.length) {
      const character = this.text[this.at++]!
      if (character === '"') return quoted
      const next = this.text[this.at]
      const isEscape = character === '\\' && (next === '"' || next === '\\')
      quoted += isEscape ? next : character
      if (isEscape) this.at++
    }
    return quoted
  }

  takeEnd(): { text: string; isQuoted: boolean } | undefined {
    const quoted = this.takeQuoted()
    if (quoted !== undefined) return { text: quoted, isQuoted: true }
    const bare = this.take(BARE)?.[0]
    return bare === undefined ? undefined : { text: bare, isQuoted: false }
  }
}

/** Reads a typed filter. Never throws: what is wrong is among the mistakes. */
export function parseFilter(text: string): ParsedFilter {
  const scanner = new Scanner(text)
  const terms: Array<Term & { from: number; to: number }> = []
  const mistakes: Mistake[] = []
  for (;;) {
    scanner.take(SPACES)
    const from = scanner.at
    if (from === text.length) return { terms, mistakes }
    const term = takeTerm(scanner)
    const place = { from, to: scanner.at }
    if (typeof term === 'string') mistakes.push({ ...place, message: term })
    else terms.push({ ...term, ...place })
  }
}

/** @returns the message of a mistake instead of a term with one */
function takeTerm(scanner: Scanner): Term | string {
  const head = scanner.take(HEAD)
  if (head === undefined) return takeWord(scanner)
  const [, minus, key = '', sign] = head
  const values: TermValue[] = []
  do {
    const value = takeValue(scanner)
    if (value === undefined) {
      scanner.take(WORD)
      return `${key} lacks a value: write ${key}:VALUE, ${key}:VALUE,VALUE or ${key}:none.`
    }
    values.push(value)
  } while (scanner.take(COMMA))
  const term: Term = { key, isNegated: minus === '-', operator: OPERATORS.get(sign) ?? 'is', values }
  return mistakeIn(term) ?? term
}

function mistakeIn({ key, isNegated, operator, values }: Term): string | undefined {
  if (operator === 'is') return undefined
  const sign = SIGNS[operator]
  if (isNegated) return `-${key}:${sign} has no meaning: turn the comparison round, without the minus.`
  if (values.length > 1 || typeof values[0] !== 'string') return `${key}:${sign} takes one value.`
  return undefined
}

function takeWord(scanner: Scanner): Term {
  const isNegated = scanner.take(MINUS) !== undefined
  const word = scanner.takeQuoted() ?? scanner.take(WORD)?.[0] ?? ''
  return { key: TEXT_KEY, isNegated, operator: 'is', values: [word] }
}

function takeValue(scanner: Scanner): TermValue | undefined {
  const from = scanner.takeEnd()
  if (from === undefined) return undefined
  if (scanner.take(DOTS)) {
    const to = scanner.takeEnd()
    return to === undefined ? undefined : { from: from.text, to: to.text }
  }
  return !from.isQuoted && from.text.toLowerCase() === 'none' ? null : from.text
}

/** The text of a filter, which `parseFilter` reads as the same terms. */
export const printFilter = (terms: readonly Term[]): string => terms.map(printTerm).join(' ')

function printTerm({ key, isNegated, operator, values }: Term): string {
  const minus = isNegated ? '-' : ''
  const [first] = values
  if (key === TEXT_KEY && operator === 'is' && values.length === 1 && typeof first === 'string') {
    return minus + printWord(first)
  }
  return `${minus}${key}:${SIGNS[operator]}${values.map(printValue).join(',')}`
}

export function printValue(value: TermValue): string {
  if (value === null) return 'none'
  return typeof value === 'string' ? printEnd(value) : `${printEnd(value.from)}..${printEnd(value.to)}`
}

const quote = (text: string): string => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`
const isPlainWord = (text: string) => /^[^\s"-][^\s"]*$/.test(text) && !/^[a-z][a-z\d]*:/i.test(text)
const printWord = (text: string): string => (isPlainWord(text) ? text : quote(text))
const isPlainEnd = (text: string) =>
  /^[^\s,".<>=][^\s,"]*$/.test(text) && !text.includes('..') && !text.endsWith('.') && text.toLowerCase() !== 'none'
const printEnd = (text: string): string => (isPlainEnd(text) ? text : quote(text))
