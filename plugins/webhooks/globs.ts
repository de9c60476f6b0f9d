/** Stars of one glob. The types of events have two words, so that further ones select nothing else. */
export const MAX_STARS = 4

/**
 * Whether a glob, in which `*` stands for any characters, matches a text. Each part between two stars is searched once,
 * behind the one before it: a regular expression would try all ways to share the text out among the stars.
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
