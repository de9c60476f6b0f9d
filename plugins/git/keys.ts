/** Maximum keys of one delivery that are looked up: no person writes a text with thousands. */
export const MAX_KEYS = 50
export const KEY = String.raw`[A-Za-z][A-Za-z0-9]{0,9}-[1-9]\d{0,8}`
const ONE_KEY = new RegExp(`(?<![A-Za-z0-9/])${KEY}(?![A-Za-z0-9])`, 'g')

/** Uppercase. */
export const keysIn = (text: string): string[] => (text.match(ONE_KEY) ?? []).map(key => key.toUpperCase())

/** In a branch also after a slash. */
export const namedKeys = (branch: string, ...texts: string[]): string[] =>
  [...new Set([...keysIn(branch.replaceAll('/', ' ')), ...texts.flatMap(keysIn)])].slice(0, MAX_KEYS)
