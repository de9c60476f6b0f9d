import { useEffectEvent, useLayoutEffect, type RefObject } from 'react'

/** Keeps the index of the focused element correct: live changes insert and remove others above it. */
export function useFocusMoved(ref: RefObject<HTMLElement | null>, index: number, onFocus: () => void): void {
  const onMove = useEffectEvent(onFocus)
  useLayoutEffect(() => {
    if (document.activeElement === ref.current) onMove()
  }, [ref, index])
}

/** Maximum frames until a row that is scrolled to is rendered. */
const MAX_FOCUS_FRAMES = 20

/** Focuses the row with an index in a virtual list, as soon as it is rendered. */
export function focusRow(list: HTMLElement | null, index: number): void {
  let frames = 0
  const tryFocus = () => {
    const row = list?.querySelector<HTMLElement>(`[data-index="${index}"]`)
    if (row) row.focus()
    else if (frames++ < MAX_FOCUS_FRAMES) requestAnimationFrame(tryFocus)
  }
  tryFocus()
}
