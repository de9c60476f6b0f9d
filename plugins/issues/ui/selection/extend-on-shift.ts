import type { MouseEvent } from 'react'

/**
 * A click with Shift on an issue selects all up to it, instead of opening a window. For `onClickCapture`: links do not
 * tell of such clicks otherwise.
 */
export const extendOnShift =
  (extend: () => void) =>
  (event: MouseEvent): void => {
    if (!event.shiftKey) return
    event.preventDefault()
    getSelection()?.removeAllRanges()
    extend()
  }
