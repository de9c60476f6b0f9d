import type { ReactNode } from 'react'
import { useRootAttribute } from '../sizes/root-attribute.ts'
import styles from './floating-note.module.css'

interface FloatingNoteProps {
  label: string
  /**
   * `left`: in the side bar, above the account; `right`: in the corner of the page. On a phone, above the navigation.
   */
  side: 'left' | 'right'
  children: ReactNode
}
export function FloatingNote({ label, side, children }: FloatingNoteProps) {
  useRootAttribute('data-note', side === 'right')
  return (
    <section className={styles['note']} data-side={side} aria-label={label}>
      {children}
    </section>
  )
}
