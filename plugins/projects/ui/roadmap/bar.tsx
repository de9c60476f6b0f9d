import { useRef, useState, type CSSProperties, type KeyboardEvent, type PointerEvent } from 'react'
import { Link } from 'wouter'
import { STATE_NAMES, type Progress, type Project } from '../data.ts'
import { barOf, dayNumber, movedBy, placeOf, type Dates, type Line, type Part } from './line.ts'
import styles from './roadmap.module.css'
import { datesText, type ChangeDates } from './use-dates.ts'

const WEEK = 7
/** Pixels; less is a click. */
const DRAG_FROM = 4
const ENDS: ReadonlyArray<readonly [part: 'startsOn' | 'targetOn', title: string]> = [
  ['startsOn', 'Start date'],
  ['targetOn', 'Target date']
]

interface BarProps {
  project: Project
  progress: Progress | undefined
  line: Line
  onChange: ChangeDates
}
/** Moved as a whole or at its ends, by pointer and arrow keys. */
export function Bar({ project, progress, line, onChange }: BarProps) {
  const { moved, isDragged, handlers } = useMoving(project, line, dates => onChange(project, dates))
  const dates = moved ?? project
  const { first, last } = barOf(dates)!
  const left = placeOf(line, first)
  const place: CSSProperties = { left: `${left}%`, width: `${placeOf(line, last) + 100 / line.length - left}%` }
  const share = progress && progress.total > 0 ? progress.completed / progress.total : 0
  const { id, name, state } = project
  const open = [dates.startsOn === null && 'start', dates.targetOn === null && 'end'].filter(Boolean).join(' ')
  return (
    <div className={styles['bar']} data-state={state} data-open={open} data-moved={moved !== undefined} style={place}>
      <Link
        href={`/projects/${id}`}
        draggable={false}
        aria-label={`${name}, ${STATE_NAMES[state]}: ${datesText(dates)}`}
        aria-describedby="roadmap-keys"
        {...handlers('both')}
        onClick={event => isDragged() && event.preventDefault()}
      >
        <i style={{ width: `${share * 100}%` }} />
      </Link>
      {ENDS.map(([part, title]) => (
        <span
          key={part}
          role="slider"
          tabIndex={0}
          data-part={part}
          aria-label={`${title} of ${name}`}
          aria-valuemin={line.from}
          aria-valuemax={line.from + line.length}
          aria-valuenow={dayNumber(part === 'startsOn' ? first : last)}
          aria-valuetext={datesText(dates)}
          {...handlers(part)}
        />
      ))}
      {moved && <output>{datesText(moved)}</output>}
    </div>
  )
}

interface Moving {
  part: Part
  by: number
}
interface Drag {
  x: number
  pixelsOfDay: number
}

/** Escape cancels. */
function useMoving(project: Dates, line: Line, onMoved: (dates: Dates) => void) {
  const [moving, setMoving] = useState<Moving>()
  const drag = useRef<Drag>(undefined)
  /** The click that follows does not open the project. */
  const dragged = useRef(false)
  function end(isKept: boolean): void {
    drag.current = undefined
    setMoving(undefined)
    if (isKept && moving && moving.by !== 0) onMoved(movedBy(project, moving.part, moving.by))
  }
  const handlers = (part: Part) => ({
    onPointerDown(event: PointerEvent<HTMLElement>) {
      dragged.current = false
      if (event.button !== 0) return
      const { width } = event.currentTarget.closest(`.${styles['track']}`)!.getBoundingClientRect()
      drag.current = { x: event.clientX, pixelsOfDay: width / line.length }
      event.currentTarget.setPointerCapture(event.pointerId)
    },
    onPointerMove({ clientX }: PointerEvent) {
      if (!drag.current) return
      const { x, pixelsOfDay } = drag.current
      if (Math.abs(clientX - x) >= DRAG_FROM) dragged.current = true
      if (dragged.current) setMoving({ part, by: Math.round((clientX - x) / pixelsOfDay) })
    },
    onPointerUp: () => drag.current && end(true),
    onPointerCancel: () => drag.current && end(false),
    onKeyDown(event: KeyboardEvent) {
      const direction = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
      if (event.key === 'Escape' && moving) {
        event.preventDefault()
        return end(false)
      }
      const isOther = event.ctrlKey || event.altKey || event.metaKey
      if (direction === undefined || isOther) return
      event.preventDefault()
      setMoving({ part, by: (moving?.by ?? 0) + direction * (event.shiftKey ? WEEK : 1) })
    },
    // Held arrow keys are one change.
    onKeyUp: ({ key }: KeyboardEvent) => key.startsWith('Arrow') && !drag.current && end(true),
    onBlur: () => !drag.current && end(true)
  })
  return { moved: moving && movedBy(project, moving.part, moving.by), isDragged: () => dragged.current, handlers }
}
