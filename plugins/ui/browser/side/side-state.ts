import { toggled } from '../../../../lib/util/toggled.ts'
import type { Widths } from '../sizes/resizer.tsx'
import { storedState } from '../sizes/stored-state.ts'

export const WIDTHS: Widths = { least: 180, usual: 224, most: 400 }

interface SideState {
  width: number
  isCollapsed: boolean
  closed: readonly string[]
}
const state = storedState<SideState>('tracker.sideBar', { width: WIDTHS.usual, isCollapsed: false, closed: [] })

export const useSideState = state.use
export const toggleSideBar = (): void => state.change({ isCollapsed: !state.now().isCollapsed })
export const resizeSideBar = (width: number): void => state.change({ width })
export const toggleSection = (id: string): void => state.change({ closed: toggled(state.now().closed, id) })
