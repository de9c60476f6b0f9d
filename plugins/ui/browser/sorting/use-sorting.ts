import { useLayoutEffect, useRef, type KeyboardEvent } from 'react'
import { moveByKeys } from '../keys.ts'
import { useDragging, type DragRange } from './dragging.ts'
import styles from './sorting.module.css'

/** @returns `list` and `rowAt`: attributes of the list and of its rows; `step`: for the menu of a row */
export function useSorting(
  ids: readonly string[],
  move: (from: number, to: number) => void,
  rangeOf: (from: number) => DragRange = () => ({ first: 0, last: ids.length - 1 })
) {
  const ref = useRef<HTMLUListElement>(null)
  const { drag, press, markOf } = useDragging(ref, ({ from, to }) => move(from, to), rangeOf)
  const focused = useRef<Element>(null)
  const order = ids.join(' ')
  // The browser takes the focus from an element that changes its place.
  useLayoutEffect(() => {
    if (focused.current instanceof HTMLElement) focused.current.focus()
    focused.current = null
  }, [order])
  function step(from: number, by: 1 | -1): void {
    const { first, last } = rangeOf(from)
    const to = from + by
    if (to < first || to > last) return
    focused.current = document.activeElement
    move(from, to)
  }
  const rowAt = (at: number) => ({
    'data-dragged': drag?.from === at || undefined,
    'data-mark': markOf(at),
    onPointerDown: press,
    onKeyDown: (event: KeyboardEvent) => moveByKeys(event, by => step(at, by))
  })
  return { list: { ref, className: styles['list'], 'data-dragging': drag !== undefined || undefined }, rowAt, step }
}
