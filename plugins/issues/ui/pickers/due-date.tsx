import { dayText, Icon, today } from '../../../ui/browser/contract.ts'
import { isClosed } from '../../../workspace/ui/contract.ts'
import type { Row } from '../contract.ts'
import styles from './due-date.module.css'

const isOverdue = ({ dueDate, stateCategory }: Pick<Row, 'dueDate' | 'stateCategory'>): boolean =>
  typeof dueDate === 'string' && dueDate < today() && !isClosed(stateCategory)

/** `Due 4 Dec`, for accessible names. */
export const dueText = (row: Pick<Row, 'dueDate' | 'stateCategory'>): string | undefined =>
  row.dueDate ? `${isOverdue(row) ? 'Overdue' : 'Due'} ${dayText(row.dueDate)}` : undefined

export function DueDate({ row }: { row: Pick<Row, 'dueDate' | 'stateCategory'> }) {
  if (!row.dueDate) return null
  return (
    <span className={styles['due']} data-overdue={isOverdue(row) || undefined} title={dueText(row)}>
      <Icon name="calendar" size={12} />
      {dayText(row.dueDate)}
    </span>
  )
}
