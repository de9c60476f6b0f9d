import type { NodeJson } from '../../../../lib/rich-text/index.ts'

/** An unsaved text, and the revision that it is based on. */
export interface Draft {
  mode: 'edit' | 'source'
  rev: number
  doc?: NodeJson
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

/** An unsaved plain text, such as a title; empty: none. */
export const readText = (name: string): string => localStorage.getItem(`tracker.text.${name}`) ?? ''
export function writeText(name: string, text: string): void {
  if (text === '') localStorage.removeItem(`tracker.text.${name}`)
  else localStorage.setItem(`tracker.text.${name}`, text)
}
