/** The box of a checklist item at the beginning of a line. */
const BOX = /^([ \t]*(?:>[ \t]*)*(?:[-*+]|\d+[.)])[ \t]+\[)[ xX]\]/gm

const unticked = (text: string): string => text.replace(BOX, '$1 ]')

/**
 * The lines of a description whose boxes have changed, as they are now. Undefined if more has changed than boxes, or if
 * such a line does not say which one it is: there is another with the same words.
 */
export function ticksBetween(before: string, now: string): string[] | undefined {
  const lines = unticked(now).split('\n')
  if (unticked(before) !== lines.join('\n')) return undefined
  const counts = Map.groupBy(lines, line => line)
  const former = before.split('\n')
  const present = now.split('\n')
  const changed = lines.flatMap((line, n) => (present[n] === former[n] ? [] : [{ line, n }]))
  return changed.every(({ line }) => counts.get(line)?.length === 1) ? changed.map(({ n }) => present[n]!) : undefined
}
