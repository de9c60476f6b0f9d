import { useSyncExternalStore } from 'react'
import { Listeners } from '../data/listeners.ts'
import { remember } from '../data/remember.ts'

export type Mode = 'edit' | 'source'

export interface DraftPlace {
  /** Unique among the drafts of an account: `description.<issue id>`. */
  name: string
  title: string
  href: string
}
export interface Draft<C = unknown> extends DraftPlace {
  text: string
  /** The version of the stored text on which it is based, or the other fields of its form. */
  context: C
  mode: Mode
  /** The last change, ISO 8601. */
  at: string
}

/* Drafts outlive signing out: they are there when the same person signs in again, and not shown to others. */
const BEGINNING = 'tracker.draft.'
const KEPT_MS = 30 * 24 * 3_600_000
const keyOf = (accountId: string, name: string): string => `${BEGINNING}${accountId}.${name}`

const listeners = new Listeners()
let version = 0
function notify(): void {
  version++
  listeners.call()
}
// Drafts of other tabs.
window.addEventListener('storage', notify)

function read(key: string): Draft | undefined {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null') as Draft | undefined
  } catch {
    return undefined
  }
}
export const readDraft = (accountId: string, name: string): Draft | undefined =>
  read(keyOf(accountId, name)) ?? undefined

/** @returns false: the browser has no room for it */
export function writeDraft(accountId: string, draft: Draft): boolean {
  const isKept = remember(keyOf(accountId, draft.name), JSON.stringify(draft))
  notify()
  return isKept
}
export function forgetDraft(accountId: string, name: string): void {
  localStorage.removeItem(keyOf(accountId, name))
  notify()
}

const keys = (beginning: string): string[] => Object.keys(localStorage).filter(key => key.startsWith(beginning))

export function useDrafts(accountId: string): Draft[] {
  useSyncExternalStore(listeners.add, () => version)
  return keys(keyOf(accountId, ''))
    .flatMap(key => read(key) ?? [])
    .toSorted((a, b) => b.at.localeCompare(a.at))
}

export function removeOldDrafts(): void {
  for (const key of keys(BEGINNING)) {
    const { at = '' } = read(key) ?? {}
    if (!(Date.now() - Date.parse(at) < KEPT_MS)) localStorage.removeItem(key)
  }
}
