import { useEffect, useRef } from 'react'
import { Icon, Time, unseenClass } from '../../../ui/browser/contract.ts'
import type { Step } from '../data.ts'
import styles from '../runs.module.css'

const ICONS: Record<Step['type'], string> = {
  status: 'note',
  message: 'comment',
  tool: 'code',
  file: 'file',
  failure: 'warning'
}
/** Read by screen readers before the text: they do not see the icon. */
const WORDS: Partial<Record<Step['type'], string>> = { file: 'Changed file', failure: 'Failed' }

/** True for events of the agent's client, false for those of the server. */
export const isOfAgent = ({ type }: Step): boolean => type !== 'status'

export function StepList({ steps }: { steps: readonly Step[] }) {
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => {
    const box = list.current
    if (box && box.scrollHeight - box.scrollTop - box.clientHeight < 200) box.scrollTop = box.scrollHeight
  }, [steps])
  return (
    <ol ref={list} className={styles['steps']} tabIndex={0} aria-label="Steps of the agent">
      {steps.map(({ seq, at, type, name, text }) => (
        <li key={seq} data-type={type}>
          <Icon name={ICONS[type]} />
          <span>
            {WORDS[type] && <span className={unseenClass}>{WORDS[type]}: </span>}
            {name !== null && <strong>{name} </strong>}
            {text}
          </span>
          <Time at={at} />
        </li>
      ))}
    </ol>
  )
}
