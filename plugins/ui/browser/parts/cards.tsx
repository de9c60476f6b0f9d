import type { ReactNode } from 'react'
import styles from './cards.module.css'

export const Cards = ({ label, children }: { label: string; children: ReactNode }) => (
  <ul className={styles['cards']} aria-label={label} data-rows>
    {children}
  </ul>
)

interface CardProps {
  /** Its label, if its content has none. */
  label?: string
  isNew?: boolean
  children: ReactNode
}
export const Card = ({ label, isNew = false, children }: CardProps) => (
  <li className={styles['card']} aria-label={label} data-new={isNew || undefined}>
    {children}
  </li>
)
