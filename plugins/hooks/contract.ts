import { contract } from '../../core/api/contract.ts'
import type { Id, Moment, Timestamp } from '../../core/api/database/types.ts'

/** The agents' clients whose hooks are answered, each in its own format. */
export const HARNESSES = ['claude-code', 'codex', 'cursor'] as const
export type Harness = (typeof HARNESSES)[number]

export interface HooksTables {
  /** A session of an agent in a client. */
  hookSession: {
    workspaceId: Id
    id: Id
    accountId: Id
    harness: Harness
    /** The client's name for it; empty for all sessions without a valid name. */
    name: string
    startedAt: Timestamp
    seenAt: Timestamp
  }
  /** An issue that the session was reminded of. */
  hookSessionIssue: {
    workspaceId: Id
    sessionId: Id
    issueId: Id
    /** The beginning of the quiet time of the last reminder. */
    remindedOf: Moment
    /** The time of the last reminder. */
    toldAt: Timestamp
  }
  /** The last write of an account with sessions to an issue, from the event log. */
  hookWrite: { workspaceId: Id; accountId: Id; issueId: Id; at: Timestamp }
}

export const hooks = contract<object, HooksTables>()('hooks')
