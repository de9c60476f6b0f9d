import { Link } from 'wouter'
import { Time } from '../../../ui/browser/contract.ts'
import styles from './cycle.module.css'
import type { Moves } from './data.ts'

/** A longer list is closed at first. */
const MAX_OPEN = 8

export function LaterMoves({ title, moves: { total, issues } }: { title: string; moves: Moves }) {
  if (total === 0) return null
  return (
    <details className={styles['moves']} open={total <= MAX_OPEN}>
      <summary>
        {title} <span>{total}</span>
      </summary>
      <ul aria-label={title}>
        {issues.map(({ id, key, title, at }) => (
          <li key={id}>
            <span>{key}</span>
            <Link href={`/issue/${key}`}>{title}</Link>
            <Time at={at} />
          </li>
        ))}
      </ul>
      {total > issues.length && <p className={styles['none']}>The last {issues.length} are listed.</p>}
    </details>
  )
}
