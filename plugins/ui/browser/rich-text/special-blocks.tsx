import type { MouseEvent, ReactNode } from 'react'
import { Icon } from '../parts/icons.tsx'
import styles from './special-blocks.module.css'

export function Details({ isOpen, summary, children }: { isOpen: boolean; summary: ReactNode; children: ReactNode }) {
  return (
    <details className={styles['details']} open={isOpen}>
      <summary>{summary ?? 'Details'}</summary>
      <div>{children}</div>
    </details>
  )
}

const TITLES: Record<string, string> = {
  note: 'Note',
  tip: 'Tip',
  important: 'Important',
  warning: 'Warning',
  caution: 'Caution'
}

export function Callout({ kind, children }: { kind: string; children: ReactNode }) {
  return (
    <div className={styles['callout']} data-kind={kind} role="note">
      <p className={styles['title']}>
        <Icon name={kind} />
        {TITLES[kind]}
      </p>
      {children}
    </div>
  )
}

export function FootnoteReference({ id, n, nth }: { id: string; n: number; nth: number }) {
  const target = `${id}footnote${n}`
  return (
    <sup id={`${id}reference${n}-${nth}`} tabIndex={-1} className={styles['reference']}>
      <a href={`#${target}`} aria-label={`Footnote ${n}`} onClick={event => jump(event, target)}>
        {n}
      </a>
    </sup>
  )
}

export function Footnotes({ children }: { children: ReactNode }) {
  return (
    <ol className={styles['footnotes']} aria-label="Footnotes">
      {children}
    </ol>
  )
}

export function FootnoteItem(props: { id: string; n: number; references: number; children: ReactNode }) {
  const { id, n, references, children } = props
  return (
    <li id={`${id}footnote${n}`} tabIndex={-1}>
      {children}
      {Array.from({ length: references }, (_, at) => {
        const target = `${id}reference${n}-${at + 1}`
        const label = `Back to reference ${at + 1} of footnote ${n}`
        return (
          <a key={at} href={`#${target}`} aria-label={label} onClick={event => jump(event, target)}>
            ↩{at > 0 && at + 1}
          </a>
        )
      })}
    </li>
  )
}

function jump(event: MouseEvent, id: string): void {
  event.preventDefault()
  const target = document.getElementById(id)
  let details = target?.closest<HTMLDetailsElement>('details:not([open])')
  while (details) {
    details.open = true
    details = details.parentElement?.closest<HTMLDetailsElement>('details:not([open])')
  }
  target?.focus({ preventScroll: true })
  target?.scrollIntoView({ block: 'center' })
}
