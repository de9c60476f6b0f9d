import { useRef } from 'react'
import { Link, useSearchParams } from 'wouter'
import { toggled } from '../../../../lib/util/toggled.ts'
import { Button, Icon, Menu } from '../../../ui/browser/contract.ts'
import { useHeadDropping } from '../board/dropping.ts'
import type { FieldChange, Row } from '../contract.ts'
import { openCreate } from '../create/open.ts'
import type { Team } from '../data.ts'
import { pathOf, useDisplay, withAllClosed } from './display.ts'
import styles from './display.module.css'
import type { ListingGroup } from './grouping.ts'

export function useGroupDisplay(layout: 'board' | 'list') {
  const { display, change } = useDisplay(layout)
  const { hiddenGroups, collapsedGroups } = display
  return {
    isHidden: (id: string) => hiddenGroups.includes(id),
    isCollapsed: (id: string) => collapsedGroups.includes(id),
    hide: (id: string) => change({ hiddenGroups: toggled(hiddenGroups, id) }),
    collapse: (id: string) => change({ collapsedGroups: toggled(collapsedGroups, id) })
  }
}

type DropOnGroup = (rows: readonly Row[], from: string, group: ListingGroup) => void
interface ColumnHeadProps {
  group: ListingGroup
  team: Team | undefined
  totalText?: string | undefined
  /** Set if the head is not part of a column, which accepts drops itself. */
  onDrop?: DropOnGroup
}
export function ColumnHead({ group, team, totalText, onDrop }: ColumnHeadProps) {
  const { hide, collapse } = useGroupDisplay('board')
  const head = useRef<HTMLElement>(null)
  const isOver = useHeadDropping(head, onDrop && ((rows, from) => onDrop(rows, from, group)))
  const values = valuesOf(group, team)
  const { icon, name } = group
  return (
    <header ref={head} className={styles['head']} data-over={isOver || undefined}>
      {group.icon}
      <h2>{group.name}</h2>
      {totalText !== undefined && <span className={styles['total']}>{totalText}</span>}
      <span className={styles['headMenu']}>
        {values && (
          <Button
            kind="quiet"
            aria-label={`Create in ${name}`}
            title={`Create in ${name}`}
            onClick={() =>
              openCreate({ preset: { values: { ...(team && { teamId: team.id }), ...values }, icon, name } })
            }
          >
            <Icon name="plus" />
          </Button>
        )}
        <Menu
          label={`Column ${group.name}`}
          items={[
            { title: 'Collapse', run: () => collapse(group.id) },
            { title: 'Hide', run: () => hide(group.id) }
          ]}
        />
      </span>
    </header>
  )
}

export function OlderNote() {
  const { display } = useDisplay('board')
  const [params] = useSearchParams()
  const days = display.closedWithinDays
  if (days === null) return null
  const age = days === 1 ? '1 day' : `${days} days`
  return (
    <p className={styles['older']}>
      {days === 0 ? 'Closed issues are hidden.' : `Closed over ${age} ago: hidden.`}{' '}
      <Link href={`${pathOf('board')}?${withAllClosed(params)}`}>Show all</Link>
    </p>
  )
}

/** The values of a new issue in a group; undefined: none can be created there. */
function valuesOf({ change, created }: ListingGroup, team: Team | undefined): FieldChange | undefined {
  if (created) return created
  return change?.({ stateId: team?.states[0]?.id ?? '' })
}

export function CollapsedColumn({ group, onDrop }: { group: ListingGroup; onDrop: DropOnGroup }) {
  const { collapse } = useGroupDisplay('board')
  const column = useRef<HTMLElement>(null)
  const isOver = useHeadDropping(column, (rows, from) => onDrop(rows, from, group))
  return (
    <section ref={column} aria-label={group.name} className={styles['collapsed']} data-over={isOver || undefined}>
      <Button
        kind="quiet"
        aria-expanded={false}
        aria-label={`Open ${group.name}`}
        title={`Open ${group.name}`}
        onClick={() => collapse(group.id)}
      >
        {group.icon}
        <span>{group.name}</span>
      </Button>
    </section>
  )
}

export const Narrow = () => <div className={styles['narrow']} />

export function HiddenColumns({ groups }: { groups: readonly ListingGroup[] }) {
  const { hide } = useGroupDisplay('board')
  if (groups.length === 0) return null
  return (
    <section aria-label="Hidden columns" className={styles['hidden']}>
      <h2>Hidden columns</h2>
      {groups.map(({ id, name, icon }) => (
        <Button key={id} kind="quiet" aria-label={`Show ${name}`} onClick={() => hide(id)}>
          {icon}
          <span>{name}</span>
          <Icon name="plus" size={12} />
        </Button>
      ))}
    </section>
  )
}
