/*
 * Texts that are too long for their reader are cut, and end in a mark. A cut text that is sent back would replace the
 * whole one, so what is written must not have the mark.
 */

/** The mark that says how to read on, anywhere; the one that does not, at the end of a line. */
const MARK = /… \(\d+ more characters(?:: |\)[ \t]*$)/m
/** Part of each mark. */
export const MARK_WORDS = ' more characters'

/** Whether a text has the mark of a cut. */
export const isCut = (text: string): boolean => text.includes(MARK_WORDS) && MARK.test(text)

/** Where a text is cut so that no character is halved. */
const cutAt = (text: string, most: number): number =>
  most < text.length && /[\uD800-\uDBFF]/.test(text[most - 1] ?? '') ? most - 1 : most

/**
 * Cuts a text that is longer than `most`.
 * @param readOn how the rest is read, from which character on
 */
export function cut(text: string, most: number, readOn?: (from: number) => string): string {
  if (text.length <= most) return text
  const end = cutAt(text, most)
  const how = readOn === undefined ? '' : `: ${readOn(end)}`
  return `${text.slice(0, end)}… (${text.length - end} more characters${how})`
}
