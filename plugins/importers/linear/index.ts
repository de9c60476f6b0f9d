import type { ImportSource } from '../contract.ts'
import { tableSource } from '../csv/table.ts'

/** Removes the quote that Linear writes before a possible formula. */
function withoutGuard(cell: string): string {
  return /^'[=+\-@\t\r](?!')/.test(cell) ? cell.slice(1) : cell
}

/** Linear: the CSV file of Settings → Import/Export. */
export const linear: ImportSource = tableSource({
  name: 'linear',
  summary: 'Linear: the CSV file that its settings export',
  hasTeamInKey: true,
  cellText: withoutGuard,
  columns: {
    id: 'key',
    team: 'team',
    title: 'title',
    description: 'description',
    status: 'state',
    estimate: 'estimate',
    priority: 'priority',
    project: 'project',
    creator: 'author',
    assignee: 'assignee',
    labels: 'labels',
    'cycle name': 'cycle',
    'cycle start': 'cycleStart',
    'cycle end': 'cycleEnd',
    created: 'createdAt',
    updated: 'updatedAt',
    started: 'startedAt',
    completed: 'completedAt',
    canceled: 'canceledAt',
    'due date': 'dueDate',
    'parent issue': 'parent',
    'related to': 'relatedTo',
    'blocked by': 'blockedBy',
    'duplicate of': 'duplicateOf'
  }
})
