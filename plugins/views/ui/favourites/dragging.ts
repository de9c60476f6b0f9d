import { useState, type PointerEvent as ReactPointerEvent, type RefObject } from 'react'

/** Pixels from which a pressed pointer drags. */
const THRESHOLD = 4

export interface Drag {
  from: number
  /** The place that it would get. */
  to: number
}

/** The place among other rows of what is dragged to a height. */
function placeAt(list: HTMLElement, from: number, y: number): number {
  const others = [...list.children].filter((_, at) => at !== from)
  return others.filter(row => {
    const { top, height } = row.getBoundingClientRect()
    return top + height / 2 < y
  }).length
}

/** The browser reports a click on what was dragged. */
function dropNextClick(): void {
  const drop = (event: Event) => {
    event.preventDefault()
    event.stopPropagation()
  }
  window.addEventListener('click', drop, { capture: true, once: true })
  setTimeout(() => window.removeEventListener('click', drop, { capture: true }))
}

/**
 * Rows of a list are dragged to another place: by the mouse anywhere, by a finger at an element with `data-grip`, for
 * elsewhere a finger scrolls.
 */
export function useDragging(list: RefObject<HTMLElement | null>, onMove: (drag: Drag) => void) {
  const [drag, setDrag] = useState<Drag>()
  function press(event: ReactPointerEvent, from: number): void {
    const target = event.target as Element
    const isGrip = target.closest('[data-grip]') !== null
    if (event.button !== 0 || target.closest('button, [popover]') || (event.pointerType === 'touch' && !isGrip)) return
    const { clientY: start, pointerId } = event
    const end = new AbortController()
    let last: Drag | undefined
    const finish = (isDropped: boolean) => {
      end.abort()
      setDrag(undefined)
      if (last) dropNextClick()
      if (isDropped && last && last.to !== from) onMove(last)
    }
    const listen = <K extends keyof WindowEventMap>(type: K, hear: (event: WindowEventMap[K]) => void) =>
      window.addEventListener(type, hear, { signal: end.signal, capture: true })
    listen('pointermove', ({ pointerId: id, clientY }) => {
      if (id !== pointerId || (!last && Math.abs(clientY - start) < THRESHOLD)) return
      last = { from, to: placeAt(list.current!, from, clientY) }
      setDrag(last)
    })
    listen('pointerup', ({ pointerId: id }) => id === pointerId && finish(true))
    listen('pointercancel', ({ pointerId: id }) => id === pointerId && finish(false))
    listen('keydown', ({ key }) => key === 'Escape' && finish(false))
  }
  return { drag, press }
}
