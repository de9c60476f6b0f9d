import { useState } from 'react'
import { Button, unseenClass } from '../../ui/browser/contract.ts'
import type { DifferencePart } from '../difference.ts'
import styles from './edits.module.css'

/** Unchanged lines beside a change. */
const CONTEXT = 3

export const Difference = ({ parts }: { parts: readonly DifferencePart[] }) => (
  <div className={styles['difference']} role="group" aria-label="Difference">
    {parts.map(({ kind, text }, n) =>
      kind === 'same' ? (
        <SameLines key={n} text={text} isFirst={n === 0} isLast={n === parts.length - 1} />
      ) : (
        <ChangedLines key={n} kind={kind} text={text} />
      )
    )}
  </div>
)

function ChangedLines({ kind, text }: { kind: 'removed' | 'added'; text: string }) {
  const Tag = kind === 'removed' ? 'del' : 'ins'
  return (
    <Tag>
      <span className={unseenClass}>{kind === 'removed' ? 'Removed: ' : 'Added: '}</span>
      {text}
    </Tag>
  )
}

/** The button that had the focus is gone. */
const focus = (element: HTMLElement | null) => element?.focus()

const textOf = (lines: readonly string[]): string => lines.map(line => `${line}\n`).join('')

/** Lines beside a change are not folded. */
function SameLines({ text, isFirst, isLast }: { text: string; isFirst: boolean; isLast: boolean }) {
  const [isFolded, setFolded] = useState(true)
  const lines = text.replace(/\n$/, '').split('\n')
  const before = isFirst ? 0 : CONTEXT
  const after = isLast ? 0 : CONTEXT
  const hidden = lines.length - before - after
  // A line that says how many are hidden takes the place of one.
  if (hidden < 2) return <p>{text}</p>
  if (!isFolded) {
    return (
      <p tabIndex={-1} ref={focus}>
        {text}
      </p>
    )
  }
  return (
    <>
      {before > 0 && <p>{textOf(lines.slice(0, before))}</p>}
      <Button kind="quiet" onClick={() => setFolded(false)}>
        {`Show ${hidden} unchanged lines`}
      </Button>
      {after > 0 && <p>{textOf(lines.slice(-after))}</p>}
    </>
  )
}
