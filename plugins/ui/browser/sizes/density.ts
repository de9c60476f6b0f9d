import { storedState } from './stored-state.ts'

const state = storedState('tracker.density', { isCompact: false })

/** Sets the heights of rows and cards in `tokens.css`. */
export function applyDensity(): void {
  document.documentElement.toggleAttribute('data-compact', state.now().isCompact)
}
export function switchDensity(): 'comfortable' | 'compact' {
  const isCompact = !state.now().isCompact
  state.change({ isCompact })
  applyDensity()
  return isCompact ? 'compact' : 'comfortable'
}
/** A hook: pixels of a row of a list, as `--row` in `tokens.css`. */
export const useRowHeight = (): number => (state.use().isCompact ? 32 : 40)
