import { namedIn } from '../attachments/destinations.ts'
import { nameOf } from '../attachments/local.ts'
import type { Attachment, ImportSource } from '../contract.ts'
import { tableSource } from '../csv/table.ts'

/** Linear writes a quote before a possible formula. */
function withoutGuard(cell: string): string {
  return /^'[=+\-@\t\r](?!')/.test(cell) ? cell.slice(1) : cell
}

/** An API key reads files there. */
const UPLOADS = 'https://uploads.linear.app'

const attachmentsOf = (description: string): Attachment[] =>
  !description.includes(UPLOADS)
    ? []
    : namedIn(description)
        .filter(url => url.startsWith(`${UPLOADS}/`))
        .map(url => ({ externalId: nameOf(url.split(/[?#]/, 1)[0]!), url }))

export const linear: ImportSource = tableSource({
  name: 'linear',
  summary: 'Linear: the CSV file that its settings export',
  hasTeamInKey: true,
  tokenVariable: 'LINEAR_TOKEN',
  attachmentsOf,
  access: async ({ token }) => ({ origin: UPLOADS, authorization: token }),
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
