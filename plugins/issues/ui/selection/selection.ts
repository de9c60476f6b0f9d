import { useRef, useState } from 'react'
import { announce } from '../../../ui/browser/contract.ts'
import type { Row } from '../contract.ts'

/** Maximum issues that are changed at once: a few requests. */
const MAX_SELECTED = 1000

export interface Selection {
  rows: readonly Row[]
  ids: ReadonlySet<string>
  toggle(row: Row): void
  /**
   * Selects the issues from the last one that was selected by itself up to this one, instead of those of the last call.
   * @param ordered the issues as they are displayed
   * @param from where it begins, if the last selected one is not among them
   */
  extend(ordered: readonly Row[], from: Row, to: Row): void
  select(rows: readonly Row[]): void
  /** Replaces selected issues by changed ones: they may have left the listing, which would report the changes. */
  renew(changed: readonly Row[]): void
  clear(): void
}

/** All selected issues, or else the one at the cursor. */
export const selectedOr = (selection: Selection, row: Row | undefined): readonly Row[] =>
  selection.rows.length > 0 ? selection.rows : row ? [row] : []

type Rows = ReadonlyMap<string, Row>
const mapOf = (rows: readonly Row[]): Rows => new Map(rows.map(row => [row.id, row]))

function between(ordered: readonly Row[], from: string, to: string): Row[] {
  const [a, b] = [from, to].map(id => ordered.findIndex(row => row.id === id)) as [number, number]
  if (a < 0 || b < 0) return []
  return ordered.slice(Math.min(a, b), Math.max(a, b) + 1)
}

const renewed = (rows: Rows, changed: Rows): Rows => new Map([...rows].map(([id, row]) => [id, changed.get(id) ?? row]))

export function useSelection(): Selection {
  const [selected, setSelected] = useState<Rows>(new Map())
  /** Where a range begins, and what was selected before it. */
  const anchor = useRef<{ id: string; before: Rows }>(undefined)
  function change(next: Rows): void {
    if (next.size > MAX_SELECTED) return announce(`At most ${MAX_SELECTED} issues are changed at once.`)
    setSelected(next)
    announce(`${next.size} selected`)
  }
  return {
    rows: [...selected.values()],
    ids: new Set(selected.keys()),
    toggle(row) {
      const next = new Map(selected)
      if (!next.delete(row.id)) next.set(row.id, row)
      anchor.current = { id: row.id, before: next }
      change(next)
    },
    extend(ordered, from, to) {
      const isAmong = (id: string | undefined) => ordered.some(row => row.id === id)
      // The cursor may have come from another column.
      if (!isAmong(anchor.current?.id)) anchor.current = { id: (isAmong(from.id) ? from : to).id, before: selected }
      const { id, before } = anchor.current!
      change(new Map([...before, ...mapOf(between(ordered, id, to.id))]))
    },
    select(rows) {
      anchor.current = undefined
      change(mapOf(rows.slice(0, MAX_SELECTED)))
    },
    renew(rows) {
      const changed = mapOf(rows)
      if (anchor.current) anchor.current = { ...anchor.current, before: renewed(anchor.current.before, changed) }
      setSelected(now => renewed(now, changed))
    },
    clear() {
      anchor.current = undefined
      if (selected.size > 0) change(new Map())
    }
  }
}
