import { PRIORITY_NAMES } from '../../fields/priorities.ts'
import { CATEGORY_NAMES } from '../../../workspace/ui/contract.ts'
import type { Row } from '../contract.ts'
import type { Label, Member } from '../data.ts'
import { dueText } from '../pickers/due-date.tsx'
import { RUN_NAMES } from '../symbols.tsx'

export const isOf =
  ({ labelIds }: Pick<Row, 'labelIds'>) =>
  ({ id }: Label) =>
    labelIds.includes(id)

/**
 * The accessible name of a card or a line: first the issue, then all other visible data.
 * @param labels the visible ones of the issue
 */
export function nameOfRow(row: Row, members: readonly Member[], labels: readonly Label[], isSelected = false): string {
  const { key, title, priority, assigneeId, runStatus, commentCount = 0, criteria } = row
  const assignee = members.find(({ id }) => id === assigneeId)
  return [
    `${key} ${title}`,
    isSelected && 'selected',
    CATEGORY_NAMES[row.stateCategory],
    row.isBlocked && 'Blocked',
    row.awaiting && 'Asks',
    runStatus !== undefined && RUN_NAMES[runStatus],
    priority > 0 && PRIORITY_NAMES[priority],
    ...labels.map(({ name }) => name),
    assignee?.fullname,
    dueText(row),
    commentCount > 0 && (commentCount === 1 ? '1 comment' : `${commentCount} comments`),
    criteria && `${criteria.met}/${criteria.total} criteria met`
  ]
    .filter(part => typeof part === 'string')
    .join(', ')
}
