import { Suspense, useSyncExternalStore } from 'react'
import { lazyElement } from '../../../ui/browser/contract.ts'
import type { View, ViewBody } from './data.ts'

/** A new view, or one whose name and icon are edited. */
export interface Subject {
  title: string
  body: ViewBody
  /** Undefined: it is new. */
  view?: View
}
let subject: Subject | undefined
const listeners = new Set<() => void>()
function set(next: Subject | undefined): void {
  subject = next
  for (const listener of listeners) listener()
}
function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Opens the dialog with the name of a view, from any part of the page. */
export const openViewDialog = (opened: Subject): void => set(opened)

const load = () => import('./view-dialog.tsx')
/** The dialog, while it is open. */
export function ViewDialogs() {
  const open = useSyncExternalStore(subscribe, () => subject)
  return open && <Suspense>{lazyElement(load, { ...open, onClose: () => set(undefined) })}</Suspense>
}
