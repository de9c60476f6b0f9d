import type { Id } from '../../../core/api/database/types.ts'

export interface RecordedChange {
  id: Id
  at: Date
  actorId: Id
  actor: string
  change: string
  from: string | null
  to: string | null
  rev: number | null
}
interface FoldedChange {
  change: string
  from: string | null
  to: string | null
}
export interface Entry {
  since: Date
  at: Date
  actor: { id: Id; fullname: string }
  rev: number | null
  changes: FoldedChange[]
}

const MAX_PAUSE_MS = 3_600_000

const areTogether = (earlier: RecordedChange, later: RecordedChange): boolean =>
  earlier.actorId === later.actorId && later.at.getTime() - earlier.at.getTime() <= MAX_PAUSE_MS

/** The values of a text are not in the history. */
const isText = ({ from, to }: FoldedChange): boolean => from === null && to === null

/** Joins a change with a former one of the same field, and drops both if it undoes that. */
function add(changes: FoldedChange[], next: FoldedChange): void {
  const goesOn = (former: FoldedChange) =>
    former.change === next.change && (isText(next) ? isText(former) : next.from !== null && former.to === next.from)
  const at = changes.findLastIndex(goesOn)
  const former = changes[at]
  if (former === undefined) changes.push(next)
  else if (!isText(next)) {
    changes.splice(at, 1, ...(former.from === next.to ? [] : [{ ...next, from: former.from }]))
  }
}

/** The entries of changes in the order of time, without entries that left nothing changed. */
export function fold(recorded: readonly RecordedChange[]): Entry[] {
  const entries: Entry[] = []
  recorded.forEach(({ at, actorId: id, actor: fullname, rev, change, from, to }, n) => {
    const before = recorded[n - 1]
    let entry = entries.at(-1)
    if (entry === undefined || before === undefined || !areTogether(before, recorded[n]!)) {
      entry = { since: at, at, actor: { id, fullname }, rev, changes: [] }
      entries.push(entry)
    }
    add(entry.changes, { change, from, to })
    entry.at = at
    entry.rev = rev ?? entry.rev
  })
  return entries.filter(({ changes }) => changes.length > 0)
}

/**
 * The changes of a page without those whose entry goes on in the changes before the page, unless there are no others.
 * @param newestFirst the changes of the page, and the one before it
 */
export function withoutCutEntry(newestFirst: readonly RecordedChange[]): readonly RecordedChange[] {
  const end = newestFirst.findLastIndex((later, n) => {
    const earlier = newestFirst[n + 1]
    return earlier !== undefined && !areTogether(earlier, later)
  })
  return newestFirst.slice(0, end === -1 ? -1 : end + 1)
}
