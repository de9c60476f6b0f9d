import { useCallback, useRef, type FocusEvent } from 'react'

/*
 * The focus of the keyboard in a listing. It belongs to an issue and not to a position: changes of everybody insert,
 * move and remove rows, and the browser drops the focus of an element that is moved.
 */

/** Maximum frames until a row that is scrolled to is rendered. */
const MAX_FOCUS_FRAMES = 20
let lastAsked = 0

const elementOf = (container: ParentNode | null, rowId: string) =>
  container?.querySelector<HTMLElement>(`[data-row="${rowId}"]`)

/**
 * Focuses a row of a virtual list, as soon as it is rendered. A later call ends an earlier one.
 * @param rowId undefined: whichever is at the index
 */
export function focusRow(list: HTMLElement | null, index: number, rowId: string | undefined): void {
  const asked = ++lastAsked
  let frames = 0
  const tryFocus = () => {
    if (asked !== lastAsked) return
    const byIndex = () => list?.querySelector<HTMLElement>(`[data-index="${index}"]`)
    const row = rowId === undefined ? byIndex() : elementOf(list, rowId)
    if (row) row.focus()
    else if (frames++ < MAX_FOCUS_FRAMES) requestAnimationFrame(tryFocus)
  }
  tryFocus()
}

/** Gives the focus back to the row of an issue when its element was moved or made anew, unless somebody has left it. */
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
    /** React calls it for what people do only. A window that is left keeps its active element. */
    onBlur({ relatedTarget, target }: FocusEvent) {
      isLeft.current = relatedTarget === null && document.activeElement !== target
    }
  }
  return { keep, handlers }
}
