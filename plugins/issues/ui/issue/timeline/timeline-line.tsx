import type { ReactNode } from 'react'
import styles from './timeline.module.css'

export const TimelineLine = ({ children }: { children: ReactNode }) => (
  <span className={styles['line']}>{children}</span>
)
