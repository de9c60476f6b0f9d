import type { RawBuilder } from 'kysely'
import { contract, point, type Principal } from '../../core/api/contract.ts'
import type { Id, Moment, Timestamp, WorkspaceId } from '../../core/api/database/types.ts'

/** The agents' clients whose hooks are answered, each in its own format. */
export const HARNESSES = ['claude-code', 'codex', 'cursor', 'gemini'] as const
export type Harness = (typeof HARNESSES)[number]

export interface HooksTables {
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
  hookSessionIssue: {
    workspaceId: Id
    sessionId: Id
    issueId: Id
    /** The beginning of the quiet time of the last reminder. */
    remindedOf: Moment
    toldAt: Timestamp
  }
  /** The last write of an account with sessions to an issue, from the event log. */
  hookWrite: { workspaceId: Id; accountId: Id; issueId: Id; at: Timestamp }
}

export const hooks = contract<object, HooksTables>()('hooks')

export interface LostIssue {
  key: string
  /** Who has it, or had it last. */
  holder: string
}

/** The sessions of agents that work on issues, beside who is assigned. */
export interface SessionWork {
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
