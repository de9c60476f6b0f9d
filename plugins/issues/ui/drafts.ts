import type { NodeJson } from '../../../core/rich-text/index.ts'

/** A text that was not saved, and the revision that it is based on. */
export interface Draft {
  mode: 'edit' | 'source'
  rev: number
  /** Of the editor. */
  doc?: NodeJson
  /** Of the Markdown. */
  text?: string
}
const keyOf = (issueId: string) => `tracker.draft.${issueId}`

export function readDraft(issueId: string): Draft | undefined {
  const stored = localStorage.getItem(keyOf(issueId))
  return stored === null ? undefined : (JSON.parse(stored) as Draft)
}
export const writeDraft = (issueId: string, draft: Draft): void =>
  localStorage.setItem(keyOf(issueId), JSON.stringify(draft))
export const forgetDraft = (issueId: string): void => localStorage.removeItem(keyOf(issueId))
