import { ONE_EDIT_MS } from '../contract.ts'

export interface Edit {
  n: number
  at: string
  by: { id: string; fullname: string }
}

/** Between the times of an edit and of the change in the activity. */
const TOLERANCE_MS = 5_000

interface EntryOfAccount {
  at: string
  since?: string
  actor: { id: string }
}
/** @param edits newest first */
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
