import { useLayoutEffect, type RefObject } from 'react'
import { isReturn, remember } from '../../ui/browser/contract.ts'

/* The position in a listing: after visiting an issue it is scrolled as before, with the focus on that issue. */

/** The positions of the scrolling elements of the listings, by address and name. */
const KEY = 'tracker.positions'
const positions = new Map(isReturn ? stored() : [])
/** Maximum positions that are stored for the next visit. */
const MAX_STORED = 50

type Position = readonly [key: string, position: { left: number; top: number }]
function stored(): Position[] {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '[]') as Position[]
  } catch {
    return []
  }
}
window.addEventListener('pagehide', () => remember(KEY, JSON.stringify([...positions].slice(-MAX_STORED))))

const keyOf = (name: string) => `${location.pathname}${location.search} ${name}`
let openedId: string | undefined

/** @param isReady true when the content has its size */
export function useScrollPlace(element: RefObject<HTMLElement | null>, name: string, isReady = true): void {
  useLayoutEffect(() => {
    const scroller = element.current
    if (!scroller || !isReady) return
    const position = positions.get(keyOf(name))
    if (position) scroller.scrollTo(position)
    const remember = () => positions.set(keyOf(name), { left: scroller.scrollLeft, top: scroller.scrollTop })
    scroller.addEventListener('scroll', remember, { passive: true })
    return () => scroller.removeEventListener('scroll', remember)
  }, [element, name, isReady])
}

export function noteOpened(issueId: string): void {
  openedId = issueId
}

/** Focuses the row of the issue that was opened last, unless another element has the focus. */
export function useFocusAfterReturn(ref: RefObject<HTMLElement | null>, issueId: string): void {
  useLayoutEffect(() => {
    if (issueId !== openedId || document.activeElement !== document.body) return
    openedId = undefined
    ref.current?.focus({ preventScroll: true })
  }, [ref, issueId])
}
