import { byLabelGroup, labelParts, type Label, type Member } from '../../workspace/ui/contract.ts'
import type { Row } from './list/row.ts'
import styles from './symbols.module.css'
import { Avatar, type PickerOption } from '../../ui/browser/contract.ts'
import { PRIORITY_NAMES } from '../fields/priorities.ts'

export function PriorityIcon({ priority }: { priority: number }) {
  const name = PRIORITY_NAMES[priority] ?? PRIORITY_NAMES[0]!
  if (priority === 1) {
    return (
      <span className={styles['urgent']} role="img" aria-label={name}>
        !
      </span>
    )
  }
  return (
    <svg className={styles['priority']} width="14" height="14" viewBox="0 0 14 14" role="img" aria-label={name}>
      {priority === 0
        ? [2, 6, 10].map(x => <rect key={x} x={x} y="6.500" width="2" height="1.500" rx=".5" />)
        : [4, 7, 10].map((height, at) => (
            <rect
              key={height}
              x={1.5 + at * 4}
              y={12 - height}
              width="3"
              height={height}
              rx="1"
              fillOpacity={at < 5 - priority ? 1 : 0.3}
            />
          ))}
    </svg>
  )
}

export const priorityOptions = () =>
  PRIORITY_NAMES.map((title, priority) => ({
    id: String(priority),
    title,
    icon: <PriorityIcon priority={priority} />
  }))

export const LabelDot = ({ label }: { label: Label }) => (
  <i className={styles['dot']} style={{ background: label.color }} />
)

export const labelOptions = (labels: readonly Label[]): PickerOption[] =>
  byLabelGroup(labels).flatMap(([group, ofGroup]) =>
    ofGroup.map(label => ({
      id: label.id,
      title: label.name,
      icon: <LabelDot label={label} />,
      ...(group !== '' && { section: group, shortTitle: labelParts(label.name).shortName })
    }))
  )

export function LabelChip({ label }: { label: Label }) {
  return (
    <span className={styles['label']}>
      <LabelDot label={label} />
      <span>{label.name}</span>
    </span>
  )
}

export const RUN_NAMES: Readonly<Record<string, string>> = { QUEUED: 'Queued', RUNNING: 'Running', FAILED: 'Failed' }

export function RunStatus({ status }: { status: string }) {
  const name = RUN_NAMES[status]
  if (name === undefined) return null
  return (
    <span className={styles['run']} data-status={status}>
      {name}
    </span>
  )
}

export function Assignee({ row, members }: { row: Pick<Row, 'assigneeId'>; members: readonly Member[] }) {
  const member = members.find(({ id }) => id === row.assigneeId)
  return member ? <Avatar name={member.fullname} id={member.id} isAgent={member.kind === 'AGENT'} /> : null
}
