import { useRef } from 'react'
import { Link } from 'wouter'
import { Button, Icon, Kbd, Menu, messageOf, type MenuItem } from '../../../ui/browser/contract.ts'
import type { Refusal } from '../changes/send-changes.ts'
import type { ListingPickers } from '../pickers/listing-pickers.tsx'
import styles from './selection.module.css'
import type { Selection } from './selection.ts'

/** The properties with a button of their own; the others are behind “…”. */
const BUTTONS = 6
const MAX_REFUSALS_SHOWN = 5

export function SelectionBar({ selection, pickers }: { selection: Selection; pickers: ListingPickers }) {
  const { rows, clear } = selection
  const { fields, isPending, refusals } = pickers
  const line = useRef<HTMLDivElement>(null)
  if (rows.length === 0 && refusals.length === 0) return null
  const others: MenuItem[] = [
    ...fields
      .slice(BUTTONS)
      .map(({ name, label }) => ({ title: `${label}…`, run: () => pickers.open(name, line.current) })),
    { title: 'Remove', isDangerous: true, run: pickers.remove }
  ]
  return (
    <div className={styles['bar']} role="group" aria-label="Selected issues">
      <Refusals refusals={refusals} onClose={() => pickers.forgetRefusals()} />
      {rows.length > 0 && (
        <div ref={line} className={styles['line']}>
          <strong>{rows.length} selected</strong>
          <div className={styles['fields']}>
            {fields.slice(0, BUTTONS).map(({ name, label, key }) => (
              <Button
                key={name}
                aria-haspopup="dialog"
                disabled={isPending}
                onClick={event => pickers.open(name, event.currentTarget)}
              >
                {label}
                {key !== undefined && (
                  <span className={styles['key']} aria-hidden>
                    <Kbd keys={key} />
                  </span>
                )}
              </Button>
            ))}
          </div>
          <Menu label="Other changes" items={others} />
          <Button kind="quiet" aria-label="Clear" title="Clear" onClick={clear}>
            <Icon name="close" />
          </Button>
        </div>
      )}
    </div>
  )
}

function Refusals({ refusals, onClose }: { refusals: readonly Refusal[]; onClose: () => void }) {
  if (refusals.length === 0) return null
  const others = refusals.length - MAX_REFUSALS_SHOWN
  return (
    <div className={styles['refusals']} role="alert">
      <Button kind="quiet" aria-label="Close" onClick={onClose}>
        <Icon name="close" />
      </Button>
      <ul>
        {refusals.slice(0, MAX_REFUSALS_SHOWN).map(({ row, error }) => (
          <li key={row.id}>
            <Link href={`/issue/${row.key}`}>{row.key}</Link> {messageOf(error)}
          </li>
        ))}
        {others > 0 && <li>{others === 1 ? 'One other was' : `${others} others were`} not changed.</li>}
      </ul>
    </div>
  )
}
