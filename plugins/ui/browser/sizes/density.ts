import { storedState } from './stored-state.ts'

const state = storedState('tracker.density', { isCompact: false })

export function applyDensity(): void {
  document.documentElement.toggleAttribute('data-compact', state.now().isCompact)
}
export function switchDensity(): 'comfortable' | 'compact' {
  const isCompact = !state.now().isCompact
  state.change({ isCompact })
  applyDensity()
  return isCompact ? 'compact' : 'comfortable'
}
/** Pixels, as `--row` in `tokens.css`. */
export const useRowHeight = (): number => (state.use().isCompact ? 32 : 40)
