import { useId } from 'react'
import type { StateCategory } from '../../../workspace/ui/contract.ts'
import type { TimeInState } from '../data.ts'
import { durationText } from '../values/shown-figures.ts'
import styles from './table.module.css'

const COLOURS: Partial<Record<StateCategory, string>> = {
  UNSTARTED: '--todo',
  STARTED: '--doing',
  COMPLETED: '--done'
}

export function TimeInStates({ states }: { states: readonly TimeInState[] }) {
  const id = useId()
  if (states.length === 0) return null
  const max = Math.max(...states.map(({ hours }) => hours), 0.01)
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>Time in each state</h2>
      <p>Of a completed issue, on average.</p>
      <table className={styles['table']} aria-labelledby={id}>
        <thead>
          <tr>
            <th scope="col">State</th>
            <th scope="col">Time</th>
            <th scope="col">Issues</th>
          </tr>
        </thead>
        <tbody>
          {states.map(({ state, category, hours, issues }) => (
            <tr key={`${category} ${state}`}>
              <th scope="row">
                <span className={styles['name']}>
                  <span>{state}</span>
                </span>
                <span className={styles['bar']} aria-hidden>
                  <i
                    style={{
                      width: `${(hours / max) * 100}%`,
                      background: `var(${(category && COLOURS[category]) ?? '--backlog'})`
                    }}
                  />
                </span>
              </th>
              <td>{durationText(hours)}</td>
              <td>{issues}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
