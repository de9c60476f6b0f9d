import type { ReactNode } from 'react'
import styles from './timeline.module.css'

/** One line of the timeline: actor, action, time. */
export const TimelineLine = ({ children }: { children: ReactNode }) => (
  <span className={styles['line']}>{children}</span>
)
