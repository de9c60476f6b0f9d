import { useEffect, useLayoutEffect, useRef, type KeyboardEvent, type RefObject } from 'react'
import { useSearchParams } from 'wouter'
import { Button, moveFocus } from '../../../ui/browser/contract.ts'
import { isFormer, typedFilterOf } from '../address.ts'
import type { EditedFilters } from './add-filter.tsx'
import { Chip } from './chip.tsx'
import { conditionsOf, withoutCondition, type Condition } from './conditions.ts'
import styles from './filters.module.css'
import { useProperties } from './properties/use-properties.ts'

const ADD = '[data-add-filter] button'
const CHIP = '[data-chip]'
const TAB_STOP = 'button:not([tabindex="-1"])'
const chipsIn = (row: HTMLElement | null) => [...(row?.querySelectorAll<HTMLElement>(CHIP) ?? [])]
const focusIn = (root: ParentNode | null | undefined, selector: string): void =>
  root?.querySelector<HTMLElement>(selector)?.focus()

export const focusFilter = (): void =>
  focusIn(document, document.querySelector(CHIP) === null ? ADD : `${CHIP} ${TAB_STOP}`)

/** The arrow keys lead from part to part, and Backspace removes a condition. */
export function FilterChips({ filters, setFilters }: EditedFilters) {
  const properties = useProperties()
  const row = useRef<HTMLDivElement>(null)
  const conditions = conditionsOf(filters)
  const focusAfterRemoval = useFocusAfterRemoval(row, conditions.length)
  useCurrentAddress({ filters, setFilters })
  function remove(condition: Condition): void {
    focusAfterRemoval(conditions.indexOf(condition))
    setFilters(withoutCondition(filters, condition))
  }
  function press(event: KeyboardEvent<HTMLElement>): void {
    const target = event.target
    // Pickers are inside of their chips.
    if (!(target instanceof HTMLButtonElement) || target.closest('dialog')) return
    moveFocus(event, [...(row.current?.querySelectorAll<HTMLElement>('button:not(dialog *)') ?? [])], 'row')
    const condition = conditions[chipsIn(row.current).findIndex(chip => chip.contains(target))]
    if (condition === undefined || (event.key !== 'Backspace' && event.key !== 'Delete')) return
    event.preventDefault()
    remove(condition)
  }
  function clear(): void {
    focusIn(document, ADD)
    setFilters({})
  }
  return (
    <>
      {conditions.length > 0 && (
        <div ref={row} className={styles['chips']} role="group" aria-label="Filters" onKeyDown={press}>
          {conditions.map(condition => (
            <Chip
              key={`${condition.key} ${condition.at}`}
              property={properties.find(({ key }) => key === condition.key)}
              all={properties}
              condition={condition}
              filters={filters}
              setFilters={setFilters}
              onRemove={() => remove(condition)}
            />
          ))}
          <Button kind="quiet" className={styles['clear']!} onClick={clear}>
            Clear
          </Button>
        </div>
      )}
      <Mistakes />
    </>
  )
}

function useFocusAfterRemoval(row: RefObject<HTMLElement | null>, count: number): (at: number) => void {
  const place = useRef<number>(undefined)
  useLayoutEffect(() => {
    if (place.current === undefined) return
    const chips = chipsIn(row.current)
    focusIn(chips[Math.min(place.current, chips.length - 1)], TAB_STOP)
    place.current = undefined
  })
  return at => {
    place.current = at
    if (count === 1) focusIn(document, ADD)
  }
}

/** Writes the filters of a former address, such as `?priority=1`, as they are written now. */
function useCurrentAddress({ filters, setFilters }: EditedFilters): void {
  const [params] = useSearchParams()
  const isOld = isFormer(params)
  useEffect(() => {
    if (isOld) setFilters(filters)
  })
}

function Mistakes() {
  const [params] = useSearchParams()
  const { mistakes } = typedFilterOf(params)
  if (mistakes.length === 0) return null
  return (
    <p className={styles['mistakes']} role="alert">
      {mistakes.map(({ message }) => message).join(' ')}
    </p>
  )
}
