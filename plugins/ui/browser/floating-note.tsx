import type { ReactNode } from 'react'
import styles from './floating-note.module.css'

interface FloatingNoteProps {
  label: string
  /** The corner at the bottom in which it is displayed. */
  side: 'left' | 'right'
  children: ReactNode
}
/** A notification over the bottom of a page: what has happened, and actions for it. */
export const FloatingNote = ({ label, side, children }: FloatingNoteProps) => (
  <section className={styles['note']} data-side={side} aria-label={label}>
    {children}
  </section>
)
