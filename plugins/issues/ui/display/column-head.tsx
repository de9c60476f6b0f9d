import { toggled } from '../../../../lib/util/toggled.ts'
import { Button, Icon, Menu } from '../../../ui/browser/contract.ts'
import { useDisplay } from './display.ts'
import styles from './display.module.css'
import type { ListingGroup } from './grouping.ts'

/** Collapses and hides the groups of a listing. */
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

/** The head of a column, with its menu. */
export function ColumnHead({ group, totalText }: { group: ListingGroup; totalText?: string | undefined }) {
  const { hide, collapse } = useGroupDisplay('board')
  return (
    <header className={styles['head']}>
      {group.icon}
      <h2>{group.name}</h2>
      {totalText !== undefined && <span className={styles['total']}>{totalText}</span>}
      <span className={styles['headMenu']}>
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

/** A collapsed column: its name, upright, which opens it. */
export function CollapsedColumn({ group }: { group: ListingGroup }) {
  const { collapse } = useGroupDisplay('board')
  return (
    <section aria-label={group.name} className={styles['collapsed']}>
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

/** The place of a collapsed column in a row of lanes. */
export const Narrow = () => <div className={styles['narrow']} />

/** The columns that are hidden, each of which can be shown again. */
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
