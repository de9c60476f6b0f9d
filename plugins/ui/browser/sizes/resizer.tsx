import { useRef, type KeyboardEvent, type PointerEvent } from 'react'
import styles from './resizer.module.css'

const STEP = 16

/** In pixels. */
export interface Widths {
  least: number
  usual: number
  most: number
}

interface ResizerProps {
  label: string
  width: number
  widths: Widths
  /** The edge that is moved; the other one stays. */
  edge: 'start' | 'end'
  onResize: (width: number) => void
  onEnter?: () => void
}
export function Resizer({ label, width, widths, edge, onResize, onEnter }: ResizerProps) {
  /** The difference between the width and the place of the pointer. */
  const offset = useRef(0)
  const sign = edge === 'end' ? 1 : -1
  const resize = (to: number) => onResize(Math.round(Math.max(widths.least, Math.min(to, widths.most))))
  function take(event: PointerEvent<HTMLElement>): void {
    event.currentTarget.setPointerCapture(event.pointerId)
    offset.current = width - sign * event.clientX
  }
  function drag(event: PointerEvent<HTMLElement>): void {
    if (event.currentTarget.hasPointerCapture(event.pointerId)) resize(sign * event.clientX + offset.current)
  }
  function press(event: KeyboardEvent): void {
    const action = {
      ArrowRight: () => resize(width + sign * STEP),
      ArrowLeft: () => resize(width - sign * STEP),
      Home: () => resize(widths.least),
      End: () => resize(widths.most),
      Enter: onEnter
    }[event.key]
    if (!action) return
    event.preventDefault()
    event.stopPropagation()
    action()
  }
  return (
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={width}
      aria-valuemin={widths.least}
      aria-valuemax={widths.most}
      tabIndex={0}
      className={styles['resizer']}
      data-edge={edge}
      onPointerDown={take}
      onPointerMove={drag}
      onDoubleClick={() => resize(widths.usual)}
      onKeyDown={press}
    />
  )
}
