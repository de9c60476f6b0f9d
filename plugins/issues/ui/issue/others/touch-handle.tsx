import { useRef, type PointerEvent } from 'react'
import { Icon } from '../../../../ui/browser/contract.ts'
import styles from './others.module.css'

/** The row of a list at which a dragged one would be put. */
export interface Place {
  id: string
  mark: 'above' | 'below'
}

/** True at a handle, on which a long press begins no drag of the browser. */
export const isAtHandle = (x: number, y: number): boolean =>
  document.elementFromPoint(x, y)?.closest('[data-handle]') != null

/**
 * Drags its row with a finger, which browsers themselves do not; the menu and the keys do the same. Shown on touch
 * screens only.
 */
export function TouchHandle({ onMove, onDrop }: { onMove: (place?: Place) => void; onDrop: (place: Place) => void }) {
  const place = useRef<Place>(undefined)
  function move({ currentTarget: handle, pointerId, clientY }: PointerEvent): void {
    if (!handle.hasPointerCapture(pointerId)) return
    const rows = [...handle.closest('ul')!.children]
    const row = rows.findLast(each => each.getBoundingClientRect().top <= clientY) ?? rows[0]!
    const { top, height } = row.getBoundingClientRect()
    const id = row.querySelector('[data-row]')!.getAttribute('data-row')!
    place.current = { id, mark: clientY > top + height / 2 ? 'below' : 'above' }
    // A list that is longer than the screen goes along.
    row.scrollIntoView({ block: 'nearest' })
    onMove(place.current)
  }
  function end(): void {
    place.current = undefined
    onMove(undefined)
  }
  return (
    <span
      aria-hidden
      data-handle
      className={styles['handle']}
      onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
      onPointerMove={move}
      onPointerUp={() => {
        if (place.current) onDrop(place.current)
        end()
      }}
      onPointerCancel={end}
    >
      <Icon name="grip" />
    </span>
  )
}
