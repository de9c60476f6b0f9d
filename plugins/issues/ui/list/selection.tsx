import { useState } from 'react'
import { announce, Button, ErrorNote, Kbd } from '../../../ui/browser/contract.ts'
import type { Row } from '../contract.ts'
import { FIELDS } from '../pickers/field-picker.tsx'
import type { ListingPickers } from '../pickers/listing-pickers.tsx'
import styles from './selection.module.css'

/** Maximum issues that one request changes. */
const MAX_SELECTED = 100

export interface Selection {
  rows: readonly Row[]
  ids: ReadonlySet<string>
  toggle(row: Row): void
  clear(): void
}
/** The selected issues of a listing, on one page of the interface. */
export function useSelection(): Selection {
  const [selected, setSelected] = useState<ReadonlyMap<string, Row>>(new Map())
  return {
    rows: [...selected.values()],
    ids: new Set(selected.keys()),
    toggle(row) {
      const next = new Map(selected)
      if (!next.delete(row.id)) {
        if (next.size >= MAX_SELECTED) return announce(`At most ${MAX_SELECTED} issues are changed at once.`)
        next.set(row.id, row)
      }
      setSelected(next)
      announce(`${next.size} selected`)
    },
    clear: () => setSelected(new Map())
  }
}

/** Changes the selected issues, each field with one request. */
export function SelectionBar({ selection, pickers }: { selection: Selection; pickers: ListingPickers }) {
  const { rows, clear } = selection
  if (rows.length === 0) return null
  return (
    <div className={styles['bar']} role="group" aria-label="Selected issues">
      <strong>{rows.length} selected</strong>
      {FIELDS.map(({ name, label, key }) => (
        <Button
          key={name}
          aria-haspopup="dialog"
          disabled={pickers.isPending}
          onClick={event => pickers.open(name, event.currentTarget)}
        >
          {label}
          <span className={styles['key']} aria-hidden>
            <Kbd keys={key} />
          </span>
        </Button>
      ))}
      <Button kind="quiet" onClick={clear}>
        Clear
      </Button>
      {pickers.error !== null && <ErrorNote error={pickers.error} />}
    </div>
  )
}
