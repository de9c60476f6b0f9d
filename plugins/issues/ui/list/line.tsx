import { useRef, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { Link } from 'wouter'
import { Icon, KeptMark, Time } from '../../../ui/browser/contract.ts'
import type { Row } from '../contract.ts'
import type { Label, Member } from '../data.ts'
import { StateIcon } from '../issue/state-icon.tsx'
import { DueDate } from '../pickers/due-date.tsx'
import type { FieldName } from '../pickers/field-picker.tsx'
import { noteOpened, useFocusAfterReturn } from '../return-place.ts'
import { extendOnShift } from '../selection/extend-on-shift.ts'
import { Assignee, LabelChip, PriorityIcon } from '../symbols.tsx'
import styles from './list.module.css'
import { Rename } from './rename.tsx'
import { isOf, nameOfRow } from './row-name.ts'

export interface LineHandlers {
  onFocus: (index: number, row: Row) => void
  onToggle: (row: Row) => void
  onExtend: (row: Row) => void
  onChange: (row: Row, field: FieldName, anchor: Element) => void
  onRename: (row: Row) => void
  /** @param title undefined: as it was */
  onRenamed: (row: Row, title: string | undefined) => void
}
interface LineProps {
  row: Row
  index: number
  isTabStop: boolean
  isSelected: boolean
  /** Set while the title is edited; `text`: the title that was refused. */
  renaming: { text?: string } | undefined
  labels: readonly Label[]
  members: readonly Member[]
  hasNames: boolean
  handlers: LineHandlers
}
/** The link covers the line; above it are buttons that change what they show. */
export function Line(props: LineProps) {
  const { row, index, isSelected, handlers } = props
  const labels = props.labels.filter(isOf(row))
  return (
    <div className={styles['row']} data-selected={isSelected || undefined} onFocus={() => handlers.onFocus(index, row)}>
      <input
        type="checkbox"
        aria-label={`Select ${row.key}`}
        tabIndex={-1}
        checked={isSelected}
        onClickCapture={extendOnShift(() => handlers.onExtend(row))}
        onChange={() => handlers.onToggle(row)}
      />
      <FieldButton {...props} field="priority">
        <PriorityIcon priority={row.priority} />
      </FieldButton>
      <span className={styles['key']} data-property="key">
        {row.key}
      </span>
      <FieldButton {...props} field="status">
        <StateIcon category={row.stateCategory} />
      </FieldButton>
      <Title {...props} labels={labels} />
      <FieldButton {...props} field="labels">
        {labels.length > 0 ? labels.map(label => <LabelChip key={label.id} label={label} />) : <Absent name="tag" />}
      </FieldButton>
      <FieldButton {...props} field="dueDate">
        {row.dueDate ? <DueDate row={row} /> : <Absent name="calendar" />}
      </FieldButton>
      <span data-property="updatedAt">
        <Time at={row.updatedAt} />
      </span>
      <FieldButton {...props} field="assignee">
        <Who {...props} />
      </FieldButton>
    </div>
  )
}

function Title({ row, index, isTabStop, isSelected, renaming, labels, members, handlers }: LineProps) {
  const ref = useRef<HTMLAnchorElement>(null)
  useFocusAfterReturn(ref, row.id)
  function endRenaming(title: string | undefined, byKey: boolean): void {
    flushSync(() => handlers.onRenamed(row, title))
    if (byKey) document.querySelector<HTMLElement>(`[data-row="${row.id}"]`)?.focus()
  }
  if (renaming) return <Rename row={row} text={renaming.text} onEnd={endRenaming} />
  return (
    <span className={styles['title']}>
      <Link
        ref={ref}
        href={`/issue/${row.key}`}
        className={styles['link']!}
        data-index={index}
        data-row={row.id}
        tabIndex={isTabStop ? 0 : -1}
        aria-label={nameOfRow(row, members, labels, isSelected)}
        onClickCapture={extendOnShift(() => handlers.onExtend(row))}
        onClick={() => noteOpened(row.id)}
      >
        {row.title}
      </Link>
      <KeptMark subject={row.id} />
      <button
        type="button"
        tabIndex={-1}
        className={styles['pencil']}
        aria-label={`Rename ${row.key}`}
        title="Rename"
        onClick={() => handlers.onRename(row)}
      >
        <Icon name="edit" size={12} />
      </button>
    </span>
  )
}

interface FieldButtonProps extends Pick<LineProps, 'row' | 'handlers'> {
  field: FieldName
  children: ReactNode
}
/** Shows the value of a field, and opens its picker. Keys open it, too, so that it is no stop of the Tab key. */
function FieldButton({ row, handlers, field, children }: FieldButtonProps) {
  const what = `Change the ${field === 'dueDate' ? 'due date' : field}`
  return (
    <button
      type="button"
      tabIndex={-1}
      data-property={field === 'status' ? 'state' : field}
      aria-haspopup="dialog"
      aria-label={`${what} of ${row.key}`}
      title={what}
      onClick={event => handlers.onChange(row, field, event.currentTarget)}
    >
      {children}
    </button>
  )
}

const Absent = ({ name }: { name: 'calendar' | 'person' | 'tag' }) => (
  <span className={styles['absent']}>
    <Icon name={name} size={14} />
  </span>
)

function Who({ row, members, hasNames }: Pick<LineProps, 'row' | 'members' | 'hasNames'>) {
  const member = members.find(({ id }) => id === row.assigneeId)
  if (!member) return <Absent name="person" />
  return (
    <>
      <Assignee row={row} members={members} />
      {hasNames && <span className={styles['who']}>{member.fullname}</span>}
    </>
  )
}
