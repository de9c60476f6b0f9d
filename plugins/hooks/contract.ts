import type { RawBuilder } from 'kysely'
import { contract, point } from '../../core/contract.ts'
import type { Id, Moment, Timestamp } from '../../core/db/tables.ts'

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
    /** What the client calls it; empty is all that it did not name validly. */
    name: string
    startedAt: Timestamp
    seenAt: Timestamp
  }
  /** An issue that the session was told of. */
  hookSessionIssue: {
    workspaceId: Id
    sessionId: Id
    issueId: Id
    /** When the quiet time began of which the session was reminded last. */
    remindedOf: Moment
  }
}

export const hooks = contract<object, HooksTables>()('hooks')

/**
 * When an account last wrote to an issue, beside the changes of the issue itself: a nullable time over the row `issue`,
 * e.g. the time of the account's last comment on it.
 */
export type LastWrite = (accountId: RawBuilder<Id>) => RawBuilder<Date | null>
export const lastWrites = point<LastWrite>()(hooks, 'lastWrites')
