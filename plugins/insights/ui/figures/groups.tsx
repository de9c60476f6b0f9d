import { useId } from 'react'
import { Avatar, Icon } from '../../../ui/browser/contract.ts'
import type { By, OpenIssues } from '../address.ts'
import type { Group } from '../data.ts'
import { FigureTable } from './figure-table.tsx'
import { nameOfGroup } from '../values/names.ts'
import { COLUMNS } from '../values/shown-figures.ts'
import styles from './table.module.css'

interface GroupTableProps {
  title: string
  by: By
  groups: readonly Group[]
  isShort?: boolean
  onOpen: OpenIssues
}
export function GroupTable({ title, by, groups, isShort = false, onOpen }: GroupTableProps) {
  const id = useId()
  const [first] = groups
  if (!first) return null
  const columns = COLUMNS.filter(({ isMain, valueOf }) => (isMain || !isShort) && valueOf(first) !== undefined)
  const max = Math.max(1, ...groups.map(({ completed }) => completed.count))
  return (
    <section>
      <h2 id={id}>{title}</h2>
      <div className={styles['scroller']} role="region" tabIndex={0} aria-labelledby={id}>
        <FigureTable
          named={{ 'aria-labelledby': id }}
          head="Name"
          groups={groups}
          columns={columns}
          nameOf={group => nameOfGroup(by, group)}
          rowHead={group => (
            <>
              <Name by={by} group={group} />
              <span className={styles['bar']} aria-hidden>
                <i style={{ width: `${(group.completed.count / max) * 100}%` }} />
              </span>
            </>
          )}
          onOpen={onOpen}
        />
      </div>
    </section>
  )
}

function Name({ by, group }: { by: By; group: Group }) {
  const name = nameOfGroup(by, group)
  return (
    <span className={styles['name']}>
      {by === 'label' ? null : group.kind ? (
        <Avatar name={name} id={group.id ?? undefined} isAgent={group.kind === 'AGENT'} />
      ) : (
        <Icon name="person" size={20} />
      )}
      <span>{name}</span>
    </span>
  )
}

export function PeopleAndAgents({ groups, onOpen }: Pick<GroupTableProps, 'groups' | 'onOpen'>) {
  const agents = groups.filter(({ kind }) => kind === 'AGENT')
  const others = groups.filter(({ kind }) => kind !== 'AGENT')
  const isShort = agents.length > 0 && others.length > 0
  return (
    <>
      <GroupTable title="People" by="assignee" groups={others} isShort={isShort} onOpen={onOpen} />
      <GroupTable title="Agents" by="assignee" groups={agents} isShort={isShort} onOpen={onOpen} />
    </>
  )
}
