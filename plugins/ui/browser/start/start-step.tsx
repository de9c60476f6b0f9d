import type { ReactNode } from 'react'
import { Icon } from '../parts/icons.tsx'
import styles from './start.module.css'

interface StartStepProps {
  title: string
  /** False, too, while that is not known. */
  isDone?: boolean
  children: ReactNode
}
export const StartStep = ({ title, isDone = false, children }: StartStepProps) => (
  <li className={styles['step']} data-done={isDone || undefined}>
    <span className={styles['mark']} aria-hidden>
      {isDone && <Icon name="check" />}
    </span>
    <div className={styles['content']}>
      <h2>
        {title}
        {isDone && <span> Done</span>}
      </h2>
      {children}
    </div>
  </li>
)
