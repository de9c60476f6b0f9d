import { useLayoutEffect, useRef, useState, type PointerEvent as ReactPointerEvent, type RefObject } from 'react'
import { isComposing } from '../keys.ts'

const THRESHOLD = 4

export interface Drag {
  from: number
  to: number
}

export interface DragRange {
  first: number
  last: number
}

const placeAt = (others: readonly Element[], y: number): number =>
  others.filter(row => {
    const { top, height } = row.getBoundingClientRect()
    return top + height / 2 < y
  }).length

/** The browser reports a click on the element that was dragged. */
function dropNextClick(): void {
  const drop = (event: Event) => {
    event.preventDefault()
    event.stopPropagation()
  }
  window.addEventListener('click', drop, { capture: true, once: true })
  setTimeout(() => window.removeEventListener('click', drop, { capture: true }))
}

/** By the mouse anywhere, by a finger at a `DragHandle`: elsewhere it scrolls. The rows may change meanwhile. */
export function useDragging(
  list: RefObject<HTMLElement | null>,
  onMove: (drag: Drag) => void,
  rangeOf?: (from: number) => DragRange
) {
  const [drag, setDrag] = useState<Drag>()
  const latest = useRef({ onMove, rangeOf })
  useLayoutEffect(() => {
    latest.current = { onMove, rangeOf }
  })
  function press(event: ReactPointerEvent): void {
    const { clientY: start, pointerId, currentTarget: dragged } = event
    const target = event.target as Element
    const isAtHandle = target.closest('[data-handle]') !== null
    // Within the row: the whole list may be in a dialog.
    const isAtControl = dragged.contains(target.closest('button, input, dialog, [popover]'))
    if (event.button !== 0 || isAtControl || (event.pointerType === 'touch' && !isAtHandle)) return
    const end = new AbortController()
    let last: number | undefined
    const dragTo = (y: number): Drag => {
      const rows = [...list.current!.children]
      const others = rows.filter(row => row !== dragged)
      const from = rows.indexOf(dragged)
      const { first, last } = latest.current.rangeOf?.(from) ?? { first: 0, last: others.length }
      return { from, to: Math.min(Math.max(placeAt(others, y), first), last) }
    }
    const finish = (isDropped: boolean) => {
      end.abort()
      setDrag(undefined)
      if (last === undefined) return
      dropNextClick()
      const { from, to } = dragTo(last)
      if (isDropped && from >= 0 && to !== from) latest.current.onMove({ from, to })
    }
    const listen = <K extends keyof WindowEventMap>(type: K, hear: (event: WindowEventMap[K]) => void) =>
      window.addEventListener(type, hear, { signal: end.signal, capture: true })
    listen('pointermove', ({ pointerId: id, clientY }) => {
      if (id !== pointerId || (last === undefined && Math.abs(clientY - start) < THRESHOLD)) return
      last = clientY
      const next = dragTo(clientY)
      // A list that is longer than the screen scrolls with the pointer.
      list.current!.children[next.to]?.scrollIntoView({ block: 'nearest' })
      setDrag(next)
    })
    listen('pointerup', ({ pointerId: id }) => id === pointerId && finish(true))
    listen('pointercancel', ({ pointerId: id }) => id === pointerId && finish(false))
    listen('keydown', event => event.key === 'Escape' && !isComposing(event) && finish(false))
  }
  function markOf(at: number): 'above' | 'below' | undefined {
    if (!drag || drag.to === drag.from || at !== drag.to) return undefined
    return drag.to > drag.from ? 'below' : 'above'
  }
  return { drag, press, markOf }
}
