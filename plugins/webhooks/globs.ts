/** Maximum stars of a glob. Event types have two words, so further stars make no difference. */
export const MAX_STARS = 4

/**
 * True if a glob, in which `*` stands for any characters, matches a text. Each part between two stars is searched once,
 * after the previous one: a regular expression would try all ways to distribute the text over the stars.
 */
export function matchesGlob(glob: string, text: string): boolean {
  const [beginning = '', ...parts] = glob.split('*')
  const end = parts.pop()
  if (end === undefined) return text === glob
  if (!text.startsWith(beginning)) return false
  let at = beginning.length
  for (const part of parts) {
    const index = text.indexOf(part, at)
    if (index === -1) return false
    at = index + part.length
  }
  return at + end.length <= text.length && text.endsWith(end)
}
