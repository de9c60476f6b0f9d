import { api, ApiProblem, sendOrKeep, useRequest, type KeptAbout } from '../../../ui/browser/contract.ts'
import type { Row } from '../list/row.ts'

/** The agent whose work a change would take away; undefined: it was refused for another reason. */
function holderIn(error: unknown): string | undefined {
  if (!(error instanceof ApiProblem) || error.status !== 409) return undefined
  const { holder } = error.details as { holder?: { fullname: string } }
  return holder?.fullname
}

export type Send = <T>(path: string, body: object, about?: KeptAbout) => Promise<T | undefined>

/** Sends a change once. @param about without: it is not kept without a connection @returns undefined: it is kept */
export const sendOnce: Send = (path, body, about) => (about ? sendOrKeep(path, body, about) : api(path, { body }))

/**
 * Sends a change of issues. An agent's work is taken from it only after confirmation. Parameters and result are those
 * of `sendOnce`.
 */
export async function sendChange<T>(path: string, body: object, about?: KeptAbout): Promise<T | undefined> {
  try {
    return await sendOnce<T>(path, body, about)
  } catch (error) {
    const holder = holderIn(error)
    if (holder === undefined || !window.confirm(`${holder} works on this. Take it away from them?`)) throw error
    return sendOnce<T>(path, { ...body, takeover: true }, about)
  }
}

/** The fields whose changes are kept without a connection. Texts have drafts. */
const KEPT_FIELDS: Readonly<Record<string, string>> = {
  title: 'Title',
  stateId: 'Status',
  priority: 'Priority',
  assigneeId: 'Assignee',
  addLabelIds: 'Labels',
  removeLabelIds: 'Labels',
  dueDate: 'Due date',
  estimate: 'Estimate',
  parentId: 'Parent',
  projectId: 'Project',
  milestoneId: 'Milestone',
  cycleId: 'Cycle',
  sortOrder: 'Place'
}
/** Undefined: the change is not kept without a connection. */
export function keptAbout({ id, key }: Pick<Row, 'id' | 'key'>, change: object): KeptAbout | undefined {
  const names = Object.keys(change).map(field => KEPT_FIELDS[field])
  if (names.includes(undefined)) return undefined
  return { subject: id, title: `${[...new Set(names)].join(', ')} of ${key}`, href: `/issue/${key}` }
}

/** For requests that change an issue or its connections: refetches all of it. */
export const useIssueRequest = <T = unknown>() => useRequest<T>('issue', 'context', 'issues', 'timeline')
