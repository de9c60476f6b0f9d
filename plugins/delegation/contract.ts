import type { Generated } from 'kysely'
import { Type } from 'typebox'
import { contract } from '../../core/api/contract.ts'
import type { Id, Moment, Timestamp } from '../../core/api/database/types.ts'
import { eventType } from '../../core/api/events.ts'
import { Closed, IdText, Nullable } from '../../core/api/schemas.ts'
import { END_STATUSES, type RunStatus } from './run-statuses.ts'

export { ACTIVE_STATUSES, END_STATUSES, RUN_STATUSES, type RunStatus } from './run-statuses.ts'

/** The reason for a run's failure; clients branch on it. */
export const RUN_REASONS = [
  'EXIT_CODE',
  'KILLED',
  'NOT_STARTED',
  'NOT_CONFIGURED',
  'NOT_READY',
  'TIMED_OUT',
  'OUTPUT_FLOOD',
  'BUDGET_EXCEEDED',
  'LEASE_EXPIRED',
  'SERVER_ERROR',
  'CANCELED',
  'ISSUE_CLOSED',
  'ISSUE_REASSIGNED',
  'ISSUE_DELETED'
] as const
export type RunReason = (typeof RUN_REASONS)[number]

export const STEP_TYPES = ['message', 'tool', 'file', 'failure'] as const
export const OUTPUT_TYPES = ['status', 'stdout', 'stderr'] as const
export const TIMELINE_TYPES = ['status', ...STEP_TYPES] as const

export const REVIEWS = ['ACCEPTED', 'SENT_BACK'] as const

export interface DelegationTables {
  agentRun: {
    workspaceId: Id
    id: Id
    issueId: Id
    agentId: Id
    requestedById: Id
    instructions: string | null
    status: RunStatus
    attempt: number
    /** 0 for a request of a person or an agent, else one more than the requesting run. */
    depth: number
    createdAt: Timestamp
    startedAt: Moment
    finishedAt: Moment
    /** The time of the last answers to its questions, and the number of attempts before that. */
    resumedAt: Moment
    attemptsBefore: Generated<number>
    /** When this attempt assigned the issue to the agent. */
    pickedUpAt: Moment
    errorReason: RunReason | null
    errorMessage: string | null
    summary: string | null
    /** The lease of the worker that has it; with another value, the worker has lost the run. */
    leaseId: Id | null
    /** By the database's clock. */
    leaseUntil: Moment
    tokenId: Id | null
    runner: Generated<string>
    retryOfId: Id | null
    resultBranch: string | null
    resultUrl: string | null
    resultAt: Moment
    review: (typeof REVIEWS)[number] | null
    reviewedAt: Moment
    reviewedById: Id | null
  }
  agentRunEvent: {
    workspaceId: Id
    id: Id
    runId: Id
    seq: Generated<number>
    at: Timestamp
    type: (typeof OUTPUT_TYPES)[number] | (typeof TIMELINE_TYPES)[number]
    /** Steps have one: the tool, or the change of the file. */
    name: string | null
    text: string
  }
  serviceAgent: { workspaceId: Id; id: Id }
}
declare module '../../core/api/database/types.ts' {
  interface Confinement {
    /** The run, like `subjectId`: for servers of the previous version, which may run beside this one. */
    readonly runId?: Id
  }
}
export const delegation = contract<object, DelegationTables>()('delegation')

export const runRequested = eventType(delegation, 'run.requested', {
  summary: 'An issue was handed to the service’s own agent.',
  data: Closed({ agentId: IdText })
})
export const runStarted = eventType(delegation, 'run.started', {
  summary: 'An attempt at a run has started: the first, or another after one was lost. It has a token.',
  logged: ['agentId'],
  data: Closed({ agentId: IdText, attempt: Type.Integer() })
})
export const runSuspended = eventType(delegation, 'run.suspended', {
  summary: 'A run has asked a question and ended its attempt: it is started again with the answer.',
  data: Closed({ agentId: IdText, attempt: Type.Integer() })
})
export const runRequeued = eventType(delegation, 'run.requeued', {
  summary: 'An attempt was lost or requeued, or the questions of a run were answered: it waits for the next attempt.',
  data: Closed({ agentId: IdText, attempt: Type.Integer() })
})
export const runFinished = eventType(delegation, 'run.finished', {
  summary: 'A run is over: succeeded, failed or canceled.',
  data: Closed({
    agentId: IdText,
    requestedById: IdText,
    status: Type.Enum([...END_STATUSES]),
    reason: Nullable(Type.Enum([...RUN_REASONS])),
    hasResult: Type.Optional(Type.Boolean({ description: 'It has linked its work, which waits for a review.' }))
  })
})
export const runResultLinked = eventType(delegation, 'run.result_linked', {
  summary: 'A run has linked its work: a branch or a pull request.',
  data: Closed({ agentId: IdText, branch: Nullable(Type.String()), url: Nullable(Type.String()) })
})
export const runReviewed = eventType(delegation, 'run.reviewed', {
  summary: 'The work of a run was accepted, or sent back to the agent, which tries again in another run.',
  data: Closed({
    agentId: IdText,
    requestedById: IdText,
    review: Type.Enum([...REVIEWS]),
    nextRunId: Nullable(IdText)
  })
})
export const runEvents = [
  runRequested,
  runStarted,
  runSuspended,
  runRequeued,
  runFinished,
  runResultLinked,
  runReviewed
]
