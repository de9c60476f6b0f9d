// Only this module of the library: the others would be loaded at each start.
import { diffArrays } from 'diff/lib/diff/array.js'

/** Maximum differing lines: beyond that, the texts are unrelated. */
const MAX_EDITS = 1_000

export interface MergeConflict {
  base: string
  mine: string
  theirs: string
}

/** A change of the base's lines from `start` to `end` to `lines`. */
interface Hunk {
  start: number
  end: number
  lines: string[]
}

/** `push` would exceed the stack with a long list. */
function append(lines: string[], more: readonly string[]): void {
  for (const line of more) lines.push(line)
}

function hunksOf(base: readonly string[], changed: readonly string[]): Hunk[] | undefined {
  const parts = diffArrays(base.slice(), changed.slice(), { maxEditLength: MAX_EDITS })
  if (parts === undefined) return undefined
  const hunks: Hunk[] = []
  let at = 0
  for (const { added, removed, value } of parts) {
    const last = hunks.at(-1)
    const open = last?.end === at ? last : undefined
    if (removed) {
      if (open) open.end += value.length
      else hunks.push({ start: at, end: at + value.length, lines: [] })
      at += value.length
    } else if (added) {
      if (open) append(open.lines, value)
      else hunks.push({ start: at, end: at, lines: [...value] })
    } else at += value.length
  }
  return hunks
}

function applied(base: readonly string[], { start, end }: Pick<Hunk, 'start' | 'end'>, hunks: readonly Hunk[]) {
  const lines: string[] = []
  let at = start
  for (const hunk of hunks) {
    append(lines, base.slice(at, hunk.start))
    append(lines, hunk.lines)
    at = hunk.end
  }
  return lines.concat(base.slice(at, end))
}

/** Lines of the base that one or both have changed. */
interface Region {
  start: number
  end: number
  mine: Hunk[]
  theirs: Hunk[]
}

const isInsertion = ({ start, end }: Hunk): boolean => start === end

/**
 * Hunks that change the same lines are one region, and so is an insertion next to changed lines: it may no longer fit
 * them.
 */
function regionsOf(mine: readonly Hunk[], theirs: readonly Hunk[]): Region[] {
  const hunks = [
    ...mine.map(hunk => ({ side: 'mine' as const, hunk })),
    ...theirs.map(hunk => ({ side: 'theirs' as const, hunk }))
  ].toSorted((a, b) => a.hunk.start - b.hunk.start)
  const regions: Region[] = []
  for (const { side, hunk } of hunks) {
    let region = regions.at(-1)
    const last = region && [...region.mine, ...region.theirs].find(({ end }) => end === region!.end)
    const touches = region?.end === hunk.start && (isInsertion(hunk) || (last !== undefined && isInsertion(last)))
    if (region === undefined || (hunk.start >= region.end && !touches)) {
      region = { start: hunk.start, end: hunk.end, mine: [], theirs: [] }
      regions.push(region)
    }
    region.end = Math.max(region.end, hunk.end)
    region[side].push(hunk)
  }
  return regions
}

/** Joins merged lines: those of `theirs` keep their ends, new ones end like its first. */
function joined(lines: readonly string[], theirs: string): string {
  const ends = theirs.match(/\r?\n/g) ?? []
  const [end = '\n'] = ends
  if (ends.every(each => each === end)) return lines.join(end)
  let at = 0
  let text = ''
  for (const { added, removed, value } of diffArrays(theirs.split(/\r?\n/), lines.slice())) {
    for (const line of value) {
      if (!removed) text += line + ((added ? undefined : ends[at]) ?? end)
      if (!added) at++
    }
  }
  return text.replace(/\r?\n$/, '') // after the last line
}

/**
 * Merges two changes of a text, line by line. Adjacent changed lines do not conflict, nor do equal changes.
 * @returns the merged text, or the conflicts
 */
export function mergeLines(
  base: string,
  mine: string,
  theirs: string
): { text: string } | { conflicts: MergeConflict[] } {
  const lines = base.split(/\r?\n/)
  const [ours, others] = [mine, theirs].map(text => hunksOf(lines, text.split(/\r?\n/)))
  if (ours === undefined || others === undefined) return { conflicts: [{ base, mine, theirs }] }
  const merged: string[] = []
  const conflicts: MergeConflict[] = []
  let at = 0
  for (const region of regionsOf(ours, others)) {
    append(merged, lines.slice(at, region.start))
    const [left, right] = [applied(lines, region, region.mine), applied(lines, region, region.theirs)]
    const isConflict = region.mine.length > 0 && region.theirs.length > 0 && left.join('\n') !== right.join('\n')
    if (isConflict) {
      const before = lines.slice(region.start, region.end)
      conflicts.push({ base: before.join('\n'), mine: left.join('\n'), theirs: right.join('\n') })
    }
    append(merged, region.mine.length > 0 ? left : right)
    at = region.end
  }
  if (conflicts.length > 0) return { conflicts }
  return { text: joined(merged.concat(lines.slice(at)), theirs) }
}
