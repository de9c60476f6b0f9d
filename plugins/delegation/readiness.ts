import { problem, type Caller } from '../../core/api/contract.ts'
import type { DatabaseHandle, Id } from '../../core/api/database/types.ts'
import type { IssuesServices, NotReady, ReadyReason } from '../issues/contract.ts'
import { hasRun, hasUnreviewedRun } from './queries/issues.ts'
import type { LockedRun } from './queries/runs.ts'

export interface Handover {
  issueId: Id
  requestedById: Id
  agentId: Id
}

export const isRunning: ReadyReason = {
  code: 'RUNNING',
  condition: workspaceId => hasRun(workspaceId),
  message: key => `${key} has an active run: wait for its end, or cancel it.`
}

export const isUnreviewed: ReadyReason = {
  code: 'AWAITING_REVIEW',
  condition: workspaceId => hasUnreviewedRun(workspaceId),
  message: key => `The work of a run of ${key} waits for a review: accept it, or send it back.`
}

/** The caller and the agent may be its assignee. */
export const reasonsAgainst = (
  issues: IssuesServices,
  caller: Caller,
  db: DatabaseHandle,
  { issueId, requestedById, agentId }: Handover
): Promise<NotReady[]> =>
  issues.reasonsNotReady(caller, db, issueId, { accountIds: [requestedById, agentId], holderId: agentId })

export const notReadyProblem = problem<{ reasons: readonly NotReady[] }>(409, 'NOT_READY')
export const notConfigured = problem(409, 'NOT_CONFIGURED')

export const notReady = (key: string, reasons: readonly NotReady[]) =>
  notReadyProblem(`${key} is not ready to be delegated. ${reasons.map(r => r.message).join(' ')}`, { reasons })

/** True if another account has taken the issue from a run's agent; while the run waits, it may have no assignee. */
export const isTaken = (
  { status, agentId, pickedUpAt }: Pick<LockedRun, 'status' | 'agentId' | 'pickedUpAt'>,
  assigneeId: Id | null,
  assigneeById: Id | null
): boolean =>
  status === 'WAITING'
    ? assigneeId !== null && assigneeId !== agentId
    : pickedUpAt !== null && assigneeId !== agentId && assigneeById !== agentId
