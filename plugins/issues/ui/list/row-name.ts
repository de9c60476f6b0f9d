import { PRIORITY_NAMES } from '../../fields/priorities.ts'
import { CATEGORY_NAMES } from '../../../workspace/ui/contract.ts'
import type { Row } from '../contract.ts'
import type { Label, Member } from '../data.ts'
import { RUN_NAMES } from '../symbols.tsx'

/** Whether an issue has a label. */
export const isOf =
  ({ labelIds }: Pick<Row, 'labelIds'>) =>
  ({ id }: Label) =>
    labelIds.includes(id)

/**
 * What a screen reader says of a card or a line: first what the issue is, then all else that is visible there.
 * @param labels those of the issue that are shown
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
    commentCount > 0 && (commentCount === 1 ? '1 comment' : `${commentCount} comments`),
    criteria && `${criteria.met}/${criteria.total} criteria met`
  ]
    .filter(part => typeof part === 'string')
    .join(', ')
}
