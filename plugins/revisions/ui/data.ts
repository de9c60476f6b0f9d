import { ONE_EDIT_MS } from '../contract.ts'

/** An edit of a text, in the answer of `GET …/revisions`. */
export interface Edit {
  n: number
  at: string
  by: { id: string; fullname: string }
}

/** Maximum difference between the times of an edit and of the change in the activity. */
const TOLERANCE_MS = 5_000

/** The fields that an entry of the activity must have. */
interface EntryOfAccount {
  at: string
  since?: string
  actor: { id: string }
}
/** The edits of the description that an entry of the activity has. @param edits newest first */
export function editsOf(edits: readonly Edit[], { at, since = at, actor }: EntryOfAccount): Edit[] {
  const first = Date.parse(since) - TOLERANCE_MS
  const last = Date.parse(at) + TOLERANCE_MS
  return edits.filter((edit, n) => {
    const begin = Date.parse(edit.at)
    const next = edits[n - 1]
    const end = Math.min(begin + ONE_EDIT_MS, next ? Date.parse(next.at) : Infinity)
    return edit.by.id === actor.id && begin <= last && end > first
  })
}
