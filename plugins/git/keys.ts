/** Maximum keys of one delivery that are looked up: no person writes a text with thousands. */
const MAX_KEYS = 50
const KEY = String.raw`[A-Za-z][A-Za-z0-9]{0,9}-[1-9]\d{0,8}`
const ONE_KEY = new RegExp(`(?<![A-Za-z0-9/])${KEY}(?![A-Za-z0-9])`, 'g')
const KEY_LIST = String.raw`${KEY}(?:(?:\s*,\s*|\s+and\s+)${KEY})*`
const CLOSING = new RegExp(
  String.raw`\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+(${KEY_LIST})(?![A-Za-z0-9])`,
  'gi'
)

const keysIn = (text: string, pattern: RegExp = ONE_KEY): string[] =>
  (text.match(pattern) ?? []).map(key => key.toUpperCase())

/** Matches what may be keys of issues, in a branch after a slash, too. */
export const namedKeys = (branch: string, ...texts: string[]): string[] =>
  [...new Set([...keysIn(branch.replaceAll('/', ' ')), ...texts.flatMap(text => keysIn(text))])].slice(0, MAX_KEYS)

/** The keys after a word such as `Closes`. */
export const closedKeys = (...texts: string[]): Set<string> =>
  new Set(texts.flatMap(text => [...text.matchAll(CLOSING)].flatMap(match => keysIn(match[1]!))).slice(0, MAX_KEYS))
