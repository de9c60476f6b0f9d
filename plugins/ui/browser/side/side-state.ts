import { useSyncExternalStore } from 'react'
import { toggled } from '../../../../lib/util/toggled.ts'

/* How the side bar is displayed, remembered in this browser. */

const KEY = 'tracker.sideBar'
export const WIDTHS = { least: 180, usual: 224, most: 400 }

interface SideState {
  /** In pixels. */
  width: number
  isCollapsed: boolean
  /** The ids of the sections that are closed. */
  closed: readonly string[]
}
const USUAL: SideState = { width: WIDTHS.usual, isCollapsed: false, closed: [] }

function stored(): SideState {
  try {
    return { ...USUAL, ...(JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<SideState>) }
  } catch {
    return USUAL
  }
}
let state = stored()
const listeners = new Set<() => void>()

function change(changed: Partial<SideState>): void {
  state = { ...state, ...changed }
  localStorage.setItem(KEY, JSON.stringify(state))
  for (const listener of listeners) listener()
}
function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useSideState = (): SideState => useSyncExternalStore(subscribe, () => state)
export const toggleSideBar = (): void => change({ isCollapsed: !state.isCollapsed })
/** @param width in pixels; it is kept within its limits */
export const resizeSideBar = (width: number): void =>
  change({ width: Math.round(Math.max(WIDTHS.least, Math.min(width, WIDTHS.most))) })
export const toggleSection = (id: string): void => change({ closed: toggled(state.closed, id) })
