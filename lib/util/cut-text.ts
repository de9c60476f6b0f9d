/*
 * Cuts long texts, with a mark at the end. A cut text that is sent back would replace the whole one, so texts with the
 * mark are refused.
 */

/** The mark with advice on reading the rest, anywhere; the one without, at the end of a line. */
const MARK = /… \(\d+ more characters(?:: |\)[ \t]*$)/m
export const MARK_WORDS = ' more characters'

export const isCut = (text: string): boolean => text.includes(MARK_WORDS) && MARK.test(text)

/** A cut that halves no character. */
const cutAt = (text: string, most: number): number =>
  most < text.length && /[\uD800-\uDBFF]/.test(text[most - 1] ?? '') ? most - 1 : most

/** Cuts a text that is longer than `most`. @param readOn the advice on reading the rest from a character on */
export function cut(text: string, most: number, readOn?: (from: number) => string): string {
  if (text.length <= most) return text
  const end = cutAt(text, most)
  const how = readOn === undefined ? '' : `: ${readOn(end)}`
  return `${text.slice(0, end)}… (${text.length - end} more characters${how})`
}
