import { monitorForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { useEffect, useSyncExternalStore } from 'react'
import { Listeners } from '../../../ui/browser/contract.ts'
import type { Row } from '../contract.ts'

export interface Dragged extends Record<string, unknown> {
  rows: readonly Row[]
  /** The id of the column where the drag began. */
  cellId: string
  /** Pixels of the card. */
  height: number
}

let ids: ReadonlySet<string> = new Set()
const listeners = new Listeners()

export function setDragged(rows: readonly Row[]): void {
  ids = new Set(rows.map(({ id }) => id))
  listeners.call()
}
/** For the board: a card that was scrolled out of sight does not hear that its drag has ended. */
export const useEndOfDrags = (): void => useEffect(() => monitorForElements({ onDrop: () => setDragged([]) }), [])

export const useIsDragged = (id: string): boolean => useSyncExternalStore(listeners.add, () => ids.has(id))
