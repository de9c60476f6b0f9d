import { useCallback, useRef, type FocusEvent } from 'react'

/*
 * The keyboard focus in a listing. It belongs to an issue, not to a position: changes by anybody insert, move and
 * remove rows, and the browser drops the focus of an element that is moved.
 */

/** Maximum frames until a row that is scrolled to is rendered. */
const MAX_FOCUS_FRAMES = 20
let lastAsked = 0

const elementOf = (container: ParentNode | null, rowId: string) =>
  container?.querySelector<HTMLElement>(`[data-row="${rowId}"]`)

/**
 * Focuses a row of a virtual list, as soon as it is rendered. A later call cancels an earlier one.
 * @param rowId undefined: any row at the index
 */
export function focusRow(list: HTMLElement | null, index: number, rowId: string | undefined): void {
  const request = ++lastAsked
  let frames = 0
  const tryFocus = () => {
    if (request !== lastAsked) return
    const byIndex = () => list?.querySelector<HTMLElement>(`[data-index="${index}"]`)
    const row = rowId === undefined ? byIndex() : elementOf(list, rowId)
    if (row) row.focus()
    else if (frames++ < MAX_FOCUS_FRAMES) requestAnimationFrame(tryFocus)
  }
  tryFocus()
}

/** Restores the focus to an issue's row after its element was moved or recreated, unless the user has left it. */
export function useKeptFocus() {
  const isLeft = useRef(false)
  const keep = useCallback((rowId: string | undefined): void => {
    if (rowId === undefined || isLeft.current || document.activeElement !== document.body) return
    elementOf(document, rowId)?.focus({ preventScroll: true })
  }, [])
  const handlers = {
    onFocus() {
      isLeft.current = false
    },
    /** React calls it only for actions of the user. A window that loses the focus keeps its active element. */
    onBlur({ relatedTarget, target }: FocusEvent) {
      isLeft.current = relatedTarget === null && document.activeElement !== target
    }
  }
  return { keep, handlers }
}
