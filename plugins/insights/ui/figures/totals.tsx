import type { OpenIssues } from '../address.ts'
import type { Figures } from '../data.ts'
import { TOTALS } from '../values/shown-figures.ts'
import styles from './totals.module.css'

export const Totals = ({ total, onOpen }: { total: Figures; onOpen: OpenIssues }) => (
  <ul className={styles['totals']} aria-label="Figures">
    {TOTALS.map(({ title, figure, valueOf }) => {
      const value = valueOf(total)
      if (!value) return null
      const content = (
        <>
          <span>{title}</span>
          <strong>{value.text}</strong>
          <small>{value.note}</small>
        </>
      )
      return (
        <li key={title}>
          {value.count === 0 ? (
            <div>{content}</div>
          ) : (
            <button type="button" onClick={() => onOpen(figure)}>
              {content}
            </button>
          )}
        </li>
      )
    })}
  </ul>
)
