import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { Button } from '../parts/controls.tsx'
import { Icon } from '../parts/icons.tsx'
import styles from './calendar.module.css'
import { addDays, addMonths, fullDayText, monthText, today, weeksOf } from './days.ts'

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const STEPS: Record<string, (day: string) => string> = {
  ArrowLeft: day => addDays(day, -1),
  ArrowRight: day => addDays(day, 1),
  ArrowUp: day => addDays(day, -7),
  ArrowDown: day => addDays(day, 7),
  PageUp: day => addMonths(day, -1),
  PageDown: day => addMonths(day, 1)
}

interface CalendarProps {
  day: string | undefined
  onChoose: (day: string) => void
}
export function Calendar({ day: chosen, onChoose }: CalendarProps) {
  /** The day with the tab stop. */
  const [at, setAt] = useState(chosen ?? today())
  const grid = useRef<HTMLTableElement>(null)
  const isMoved = useRef(false)
  useEffect(() => {
    if (isMoved.current) grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
    isMoved.current = false
  }, [at])
  function press(event: KeyboardEvent): void {
    const step = STEPS[event.key]
    if (!step) return
    event.preventDefault()
    isMoved.current = true
    setAt(step(at))
  }
  return (
    <div className={styles['calendar']} role="group" aria-label="Calendar">
      <MonthBar at={at} onStep={months => setAt(addMonths(at, months))} />
      <table ref={grid} aria-label={monthText(at)} onKeyDown={press}>
        <thead>
          <tr>
            {WEEKDAYS.map(name => (
              <th key={name} scope="col" abbr={name}>
                {name.slice(0, 2)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(at).map(week => (
            <tr key={week[0]}>
              {week.map(day => (
                <td key={day}>
                  <button
                    type="button"
                    tabIndex={day === at ? 0 : -1}
                    aria-label={fullDayText(day)}
                    aria-pressed={day === chosen}
                    aria-current={day === today() ? 'date' : undefined}
                    data-other={day.slice(0, 7) !== at.slice(0, 7) || undefined}
                    onClick={() => onChoose(day)}
                  >
                    {Number(day.slice(8))}
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const MonthBar = ({ at, onStep }: { at: string; onStep: (months: 1 | -1) => void }) => (
  <header>
    <Button kind="quiet" aria-label="Previous month" onClick={() => onStep(-1)}>
      <span className={styles['back']}>
        <Icon name="chevron" />
      </span>
    </Button>
    <strong aria-live="polite">{monthText(at)}</strong>
    <Button kind="quiet" aria-label="Next month" onClick={() => onStep(1)}>
      <Icon name="chevron" />
    </Button>
  </header>
)
