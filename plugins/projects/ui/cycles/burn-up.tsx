import { useState, type PointerEvent } from 'react'
import { DAY_MS } from '../../../../lib/util/days.ts'
import { dayText } from '../../../ui/browser/contract.ts'
import type { Cycle } from '../data.ts'
import styles from './burn-up.module.css'
import { daysOf, type CycleProgress, type Unit } from './data.ts'

/** The coordinates of the drawing; it is stretched to its place. */
const WIDTH = 1000
const HEIGHT = 300

interface BurnUpProps {
  cycle: Cycle
  days: CycleProgress['days']
  unit: Unit
}
export function BurnUp({ cycle, days, unit }: BurnUpProps) {
  const [shown, setShown] = useState<number>()
  const [first, end] = daysOf(cycle)
  const daysFrom = (day: string) => Math.round((Date.parse(day) - Date.parse(first)) / DAY_MS)
  const [all, skipped] = [daysFrom(end) + 1, daysFrom(days[0]!.day)]
  const max = Math.max(1, ...days.map(day => day[unit].scope))
  const x = (n: number) => (all === 1 ? 0.5 : (n + skipped) / (all - 1))
  const y = (value: number) => 1 - value / max
  const last = days.length - 1
  const line = (value: (n: number) => number) => days.map((_, n) => `${x(n) * WIDTH},${y(value(n)) * HEIGHT}`).join(' ')
  const completed = (n: number) => days[n]![unit].completed
  const begun = (n: number) => completed(n) + days[n]![unit].started
  const scope = (n: number) => days[n]![unit].scope
  function point({ clientX, currentTarget }: PointerEvent): void {
    const { left, width } = currentTarget.getBoundingClientRect()
    const n = Math.round(((clientX - left) / width) * (all - 1)) - skipped
    setShown(n >= 0 && n <= last ? n : undefined)
  }
  return (
    <figure className={styles['chart']}>
      <div className={styles['scale']} aria-hidden>
        <span>{max}</span>
        <span>0</span>
      </div>
      <div className={styles['plot']} onPointerMove={point} onPointerLeave={() => setShown(undefined)}>
        <svg
          role="img"
          aria-label={summaryOf(days, unit)}
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
        >
          <polygon points={`${x(0) * WIDTH},${HEIGHT} ${line(completed)} ${x(last) * WIDTH},${HEIGHT}`} />
          <polyline data-line="scope" points={line(scope)} />
          <polyline data-line="started" points={line(begun)} />
          <polyline data-line="completed" points={line(completed)} />
          {shown !== undefined && (
            <line x1={x(shown) * WIDTH} x2={x(shown) * WIDTH} y1={0} y2={HEIGHT} data-line="day" />
          )}
        </svg>
        {(['scope', 'completed'] as const).map(name => (
          <i
            key={name}
            data-line={name}
            style={{ left: `${x(last) * 100}%`, top: `${y(days[last]![unit][name]) * 100}%` }}
          />
        ))}
        {shown !== undefined && <Note day={days[shown]!} unit={unit} isLeft={x(shown) > 0.5} />}
      </div>
      <figcaption className={styles['ends']} aria-hidden>
        <span>{dayText(first)}</span>
        <span>{dayText(end)}</span>
      </figcaption>
      <Table days={days} unit={unit} />
    </figure>
  )
}

function summaryOf(days: CycleProgress['days'], unit: Unit): string {
  const { scope, started, completed } = days.at(-1)![unit]
  return `Burn-up: ${completed} of ${scope} ${unit} completed, ${started} in progress, after ${days.length} days`
}

function Note({ day, unit, isLeft }: { day: CycleProgress['days'][number]; unit: Unit; isLeft: boolean }) {
  const { scope, started, completed } = day[unit]
  return (
    <div className={styles['note']} data-left={isLeft || undefined} aria-hidden>
      <strong>{dayText(day.day)}</strong>
      <span data-line="scope">Scope {scope}</span>
      <span data-line="started">Started {started}</span>
      <span data-line="completed">Completed {completed}</span>
    </div>
  )
}

const Table = ({ days, unit }: Pick<BurnUpProps, 'days' | 'unit'>) => (
  <details className={styles['table']}>
    <summary>As a table</summary>
    <div tabIndex={0} role="region" aria-label="The cycle day by day">
      <table>
        <thead>
          <tr>
            {['Day', 'Scope', 'Started', 'Completed'].map(title => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map(day => (
            <tr key={day.day}>
              <th scope="row">{dayText(day.day)}</th>
              <td>{day[unit].scope}</td>
              <td>{day[unit].started}</td>
              <td>{day[unit].completed}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </details>
)
