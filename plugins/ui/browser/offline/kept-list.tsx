import { Link } from 'wouter'
import { Time } from '../parts/bits.tsx'
import { Button } from '../parts/controls.tsx'
import { Icon } from '../parts/icons.tsx'
import { MarkdownView } from '../rich-text/markdown-view.tsx'
import { ConfirmButton } from '../settings/settings-parts.tsx'
import { discardKept, isWaiting, sendAgain, useHasWaiting, useKeptOf, type KeptChange } from './kept.ts'
import styles from './offline.module.css'

const WAITING = 'Not sent yet'

export function KeptMark({ subject }: { subject: string }) {
  if (!useHasWaiting(subject)) return null
  return (
    <span className={styles['mark']} role="img" aria-label={WAITING} title={WAITING}>
      <Icon name="clock" size={12} />
    </span>
  )
}

export function KeptHere({ subject }: { subject: string }) {
  const changes = useKeptOf(subject)
  if (changes.length === 0) return null
  return <KeptList changes={changes} isHere />
}

/** @param isHere on the page that they belong to */
export const KeptList = ({ changes, isHere = false }: { changes: readonly KeptChange[]; isHere?: boolean }) => (
  <ul className={styles['list']} aria-label="Changes that are not sent">
    {changes.map(change => (
      <KeptLine key={change.id} change={change} isHere={isHere} />
    ))}
  </ul>
)

function KeptLine({ change, isHere }: { change: KeptChange; isHere: boolean }) {
  const { title, href, at, body, problem } = change
  const text = body['bodyMarkdown']
  const replacement = problem && replacementOf(problem)
  return (
    <li data-refused={problem !== undefined || undefined}>
      <div className={styles['line']}>
        <Icon name={problem ? 'close' : 'clock'} size={14} />
        {isHere ? <strong>{title}</strong> : <Link href={href}>{title}</Link>}
        <span>{problem ? 'Not done' : WAITING}</span>
        <Time at={at} />
        {isWaiting(change) && <Discard change={change} />}
      </div>
      {typeof text === 'string' && (
        <div className={styles['text']}>
          <MarkdownView text={text} />
        </div>
      )}
      {problem && (
        <div role="alert" className={styles['problem']}>
          <Reason problem={problem} />
          <div className={styles['line']}>
            <Button onClick={() => sendAgain(change, replacement)}>{replacement ? 'Keep mine' : 'Try again'}</Button>
            <Discard change={change} />
          </div>
        </div>
      )}
    </li>
  )
}

interface LaterChange {
  field: string
  by: string
  at: string
  from: string | null
  to: string | null
}
const quote = (text: string | null) => (text === null ? 'nothing' : `"${text}"`)
function Reason({ problem: { message, details } }: { problem: NonNullable<KeptChange['problem']> }) {
  if (!Array.isArray(details['changes'])) return <p>{message}</p>
  return (details['changes'] as LaterChange[]).map(({ field, by, at, from, to }) => (
    <p key={`${field} ${at}`}>
      {by} changed the {field}
      {(from ?? to) !== null && ` from ${quote(from)} to ${quote(to)}`} <Time at={at} />
    </p>
  ))
}

/** Undefined: the change of the other cannot be replaced. */
function replacementOf({ status, details: { rev, holder } }: NonNullable<KeptChange['problem']>): object | undefined {
  if (status === 412 && typeof rev === 'number') return { rev }
  return status === 409 && holder !== undefined ? { takeover: true } : undefined
}

function Discard({ change }: { change: KeptChange }) {
  const { title, problem } = change
  const word = problem && replacementOf(problem) ? 'Take theirs' : 'Discard'
  return (
    <ConfirmButton
      label={`${word}: ${title}`}
      word={word}
      warning="Your change is lost."
      onConfirm={() => discardKept(change)}
    />
  )
}
