import type { KeyboardEvent, PointerEvent } from 'react'
import styles from './side-bar.module.css'
import { resizeSideBar, toggleSideBar, useSideState, WIDTHS } from './side-state.ts'

/** Pixels that an arrow key moves the edge by. */
const STEP = 16

/** The edge of the side bar, which is dragged, or moved by the arrow keys; Enter collapses the side bar. */
export function Resizer() {
  const { width } = useSideState()
  function drag(event: PointerEvent<HTMLElement>): void {
    if (event.currentTarget.hasPointerCapture(event.pointerId)) resizeSideBar(event.clientX)
  }
  function press(event: KeyboardEvent): void {
    const action = {
      ArrowRight: () => resizeSideBar(width + STEP),
      ArrowLeft: () => resizeSideBar(width - STEP),
      Home: () => resizeSideBar(WIDTHS.least),
      End: () => resizeSideBar(WIDTHS.most),
      Enter: toggleSideBar
    }[event.key]
    if (!action) return
    event.preventDefault()
    action()
  }
  return (
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label="Width of the side bar"
      aria-valuenow={width}
      aria-valuemin={WIDTHS.least}
      aria-valuemax={WIDTHS.most}
      tabIndex={0}
      className={styles['resizer']}
      onPointerDown={event => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onDoubleClick={() => resizeSideBar(WIDTHS.usual)}
      onKeyDown={press}
    />
  )
}
