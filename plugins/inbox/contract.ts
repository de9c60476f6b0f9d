import { Type } from 'typebox'
import { contract, point } from '../../core/api/contract.ts'
import type { Id, Moment, Timestamp } from '../../core/api/database/types.ts'
import { eventType, NoData, type EventType, type LoggedEvent, type LoggedEventOf } from '../../core/api/events.ts'
import { Closed, IdText } from '../../core/api/schemas.ts'
import type { NodeJson } from '../../lib/rich-text/index.ts'

export const REASONS = [
  'asked',
  'answered',
  'mentioned',
  'assigned',
  'run_failed',
  'run_result',
  'claim_lapsed',
  'closed_unmet'
] as const
export type Reason = (typeof REASONS)[number]

export interface InboxTables {
  /** Notifications of an account: one row per subject and reason, which becomes unread again with each occurrence. */
  inboxEntry: {
    workspaceId: Id
    id: Id
    accountId: Id
    reason: Reason
    subjectType: string
    subjectId: Id
    issueId: Id
    /** Null: the server. */
    actorId: Id | null
    at: Timestamp
    readAt: Moment
  }
  /** Watchers of an issue beside its creator and its assignee, and accounts that have muted it. */
  inboxWatch: { workspaceId: Id; issueId: Id; accountId: Id; isWatching: boolean }
}
export const inbox = contract<object, InboxTables>()('inbox')

export interface Notifications {
  readonly issueId: Id
  /** Notifies accounts; not of their own changes, unless `always`. */
  notify(reason: Reason, accountIds: Iterable<Id>, options?: { always?: boolean }): void
  /** Notifies the accounts that a document mentions, and makes them watch the issue. */
  mention(document: NodeJson | undefined): Promise<void>
  mentionInDescription(): Promise<void>
  watch(accountId: Id): void
  watcherIds(): Promise<Set<Id>>
  /** The people who watch the issue, except the actor; if there are none, the administrators. */
  peopleIds(): Promise<Id[]>
  /** Marks the closed question that is the event's subject as read in all inboxes. */
  closeQuestion(): void
  /** Removes notifications of the event's removed subject. */
  removeSubject(): void
}
/** The notifications of an event type. Imports notify nobody. */
export interface NotificationSource {
  readonly type: string
  collect(event: LoggedEvent, notifications: Notifications): Promise<void> | void
}
export const notificationSources = point<NotificationSource>()(inbox, 'sources')

export function notifiesOf<E extends EventType>(
  type: E,
  collect: (event: LoggedEventOf<E>, notifications: Notifications) => Promise<void> | void
): NotificationSource {
  const isOfType = (event: LoggedEvent): event is LoggedEventOf<E> & LoggedEvent => event.type === type.name
  return {
    type: type.name,
    collect: (event, notifications) => (isOfType(event) ? collect(event, notifications) : undefined)
  }
}

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
