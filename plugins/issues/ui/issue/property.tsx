import type { ReactNode } from 'react'
import styles from './property.module.css'

/** A field beside an issue: its name, and its control. */
export function Property({ name, icon, children }: { name: string; icon?: ReactNode; children: ReactNode }) {
  return (
    <div className={styles['property']}>
      <span>{name}</span>
      <div>
        {icon}
        {children}
      </div>
    </div>
  )
}
