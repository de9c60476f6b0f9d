import type { RawBuilder } from 'kysely'
import { contract, point, type Principal } from '../../core/api/contract.ts'
import type { Id, Moment, Timestamp, WorkspaceId } from '../../core/api/database/types.ts'

/** The agents' clients whose hooks are answered, each in its own format. */
export const HARNESSES = ['claude-code', 'codex', 'cursor', 'gemini'] as const
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

/** An issue that was taken from an agent. */
export interface LostIssue {
  key: string
  /** Who has it, or had it last. */
  holder: string
}

/** The sessions of agents that work on issues, beside who is assigned. */
export interface SessionWork {
  /** An agent's session is active. */
  seen(caller: Principal): void
  /** The open issues that were taken from the session, those of the last days, latest first. */
  listLost(caller: Principal, limit: number): Promise<LostIssue[]>
  /** Over the row `issue`: whether its claim has lapsed, so that anybody may take it. */
  hasLapsed(workspaceId: WorkspaceId, at: RawBuilder<Date>): RawBuilder<boolean>
  /** Over the row `issue`: whether another session than the named one works on it. */
  isOfOtherSession(workspaceId: WorkspaceId, session: RawBuilder<string>, at: RawBuilder<Date>): RawBuilder<boolean>
}
/** How the work of sessions is known, from the plugin that knows it: the first contribution counts. */
export const sessionWork = point<SessionWork>()(hooks, 'sessionWork')
