import type { ReactNode } from 'react'
import styles from './floating-note.module.css'

interface FloatingNoteProps {
  label: string
  /** The corner at the bottom where it stands. */
  side: 'left' | 'right'
  children: ReactNode
}
/** What stands above a page, at its bottom: what is going on, and what can be done about it. */
export const FloatingNote = ({ label, side, children }: FloatingNoteProps) => (
  <section className={styles['note']} data-side={side} aria-label={label}>
    {children}
  </section>
)
