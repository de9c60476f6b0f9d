import { useQueryClient } from '@tanstack/react-query'
import { useLayoutEffect, useRef, type RefObject } from 'react'
import type { Group, GroupedListing } from '../board/groups.ts'
import type { Row } from '../contract.ts'
import { loadedListing, type Order } from '../data.ts'
import { focusRow, useKeptFocus } from '../focus.ts'
import { useSelectionKeys } from '../selection/selection-keys.ts'
import type { Selection } from '../selection/selection.ts'

interface ListState {
  scroller: RefObject<HTMLDivElement | null>
  listing: GroupedListing
  selection: Selection
  groups: readonly Group[]
  order: Order
  scrollTo(index: number): void
}
/**
 * @returns `noteFocus`: the handler for a line that gets the focus; `handlers` of the list's element; `currentRow`: the
 *   issue at the cursor; `allRows`: the loaded ones
 */
export function useListKeys({ scroller, listing, selection, groups, order, scrollTo }: ListState) {
  const client = useQueryClient()
  const allRows = () =>
    groups
      .filter(({ isCollapsed }) => !isCollapsed)
      .flatMap(({ filters }) => loadedListing(client, filters, order).rows())
  /** The issue at the keyboard cursor, and its last position; -1 before any has had the focus. */
  const cursor = useRef<{ index: number; rowId?: string | undefined }>({ index: -1 })
  const { keep, handlers } = useKeptFocus()
  useLayoutEffect(() => keep(cursor.current.rowId))
  const rowAt = (index: number): Row | undefined => {
    const line = listing.line(index)
    return line && 'row' in line ? line.row : undefined
  }
  /** Undefined when it was removed, or is on a page that is not loaded. */
  function currentIndex(): number | undefined {
    const { index, rowId } = cursor.current
    const isAt = (at: number) => rowAt(at)?.id === rowId
    if (rowId === undefined || isAt(index)) return index
    for (let at = 0; at < (listing.total ?? 0); at++) if (isAt(at)) return at
    return undefined
  }
  function step(by: 1 | -1): void {
    // The next issue has taken the place of a removed one.
    const from = currentIndex() ?? (by === 1 ? cursor.current.index - 1 : cursor.current.index)
    let next = from + by
    const line = listing.line(next)
    if (line && 'heading' in line) next += by
    if (next < 0 || next >= (listing.total ?? 0)) return
    cursor.current = { index: next, rowId: rowAt(next)?.id }
    scrollTo(next)
    focusRow(scroller.current, next, rowAt(next)?.id)
  }
  const currentRow = () => rowAt(currentIndex() ?? -1)
  const selectable = { section: 'Issues', hasArrows: true, currentRow, step, rowsInOrder: allRows, allRows }
  useSelectionKeys(selectable, selection)
  const noteFocus = (index: number, rowId: string) => {
    cursor.current = { index, rowId }
  }
  return { noteFocus, handlers, currentRow, allRows }
}
