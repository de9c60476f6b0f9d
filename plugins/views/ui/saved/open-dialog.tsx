import { Suspense, useSyncExternalStore } from 'react'
import { lazyElement, Listeners } from '../../../ui/browser/contract.ts'
import type { View, ViewBody } from './data.ts'

export interface Subject {
  title: string
  body: ViewBody
  /** Undefined: it is new. */
  view?: View
}
let subject: Subject | undefined
const listeners = new Listeners()

/** Opens the dialog from any part of the page; undefined closes it. */
export function openViewDialog(next: Subject | undefined): void {
  subject = next
  listeners.call()
}

const load = () => import('./view-dialog.tsx')
export function ViewDialogs() {
  const open = useSyncExternalStore(listeners.add, () => subject)
  return open && <Suspense>{lazyElement(load, { ...open, onClose: () => openViewDialog(undefined) })}</Suspense>
}
