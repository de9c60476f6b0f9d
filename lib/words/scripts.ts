/** Scripts without spaces between words; and Hangul, which has none between words and their particles. */
const SCRIPTS = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai'].map(script => `\\p{scx=${script}}`).join('')
/** A letter of these scripts, for regular expressions with the flag `v`. */
export const UNSPACED_CLASS = `[[\\p{L}\\p{N}\\p{M}]&&[${SCRIPTS}]]`
/** A letter or digit of all other scripts, for the same. */
export const SPACED_CLASS = `[[\\p{L}\\p{N}\\p{M}]--${UNSPACED_CLASS}]`

export const UNSPACED = new RegExp(UNSPACED_CLASS, 'v')
export const EACH_UNSPACED = new RegExp(UNSPACED_CLASS, 'gv')

const PICTOGRAPH = /\p{Extended_Pictographic}/u

/**
 * True if the typed text is long enough for a search: one letter that may be a word, an emoji, or `minLetters` other
 * letters.
 */
export const isSearchable = (text: string, minLetters = 2): boolean =>
  [...text.trim()].length >= minLetters || UNSPACED.test(text) || PICTOGRAPH.test(text)
