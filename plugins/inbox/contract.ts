import { Type } from 'typebox'
import { contract } from '../../core/api/contract.ts'
import type { Id, Moment, Timestamp } from '../../core/api/database/types.ts'
import { eventType, NoData } from '../../core/api/events.ts'
import { Closed, IdText } from '../../core/api/schemas.ts'

/** Why something stands in an inbox. */
export const REASONS = [
  'asked',
  'answered',
  'mentioned',
  'assigned',
  'run_failed',
  'claim_lapsed',
  'closed_unmet'
] as const
export type Reason = (typeof REASONS)[number]

export interface InboxTables {
  /** Notifications of an account: one row per subject and reason, unread again when it happens again. */
  inboxEntry: {
    workspaceId: Id
    id: Id
    accountId: Id
    reason: Reason
    subjectType: string
    subjectId: Id
    issueId: Id
    /** Null: the server itself. */
    actorId: Id | null
    at: Timestamp
    readAt: Moment
  }
  /** Watchers of an issue beside its creator and its assignee, and accounts that have muted it. */
  inboxWatch: { workspaceId: Id; issueId: Id; accountId: Id; isWatching: boolean }
}
export const inbox = contract<object, InboxTables>()('inbox')

const audience = 'account' as const
export const inboxAdded = eventType(inbox, 'inbox.added', {
  summary: 'An inbox got an entry, or one became unread again.',
  audience,
  data: Closed({ reason: Type.Enum([...REASONS]), issueId: IdText })
})
export const inboxRead = eventType(inbox, 'inbox.read', {
  summary: 'Entries of an inbox were marked as read, by its owner or because their question was closed.',
  audience,
  data: Closed({ count: Type.Integer() })
})
export const watchStarted = eventType(inbox, 'watch.started', {
  subject: 'issue',
  summary: 'An account asked to watch an issue.',
  audience,
  data: NoData
})
export const watchEnded = eventType(inbox, 'watch.ended', {
  subject: 'issue',
  summary: 'An account muted an issue.',
  audience,
  data: NoData
})
export const inboxEvents = [inboxAdded, inboxRead, watchStarted, watchEnded]
