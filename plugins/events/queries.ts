import { loggedEvent, PARTITION, selectEvents, type Range } from '../../core/api/database/event-log.ts'
import type { Id } from '../../core/api/database/types.ts'
import type { LoggedEvent } from '../../core/api/events.ts'
import type { Db } from './context.ts'

export interface EventFilter {
  readonly types?: readonly string[] | undefined
  readonly issueId?: Id | undefined
  readonly actorId?: Id | undefined
}
/** The reader: events for administrators or one account are not shown to others. */
interface EventReader {
  readonly workspaceId: Id
  readonly accountId: Id
  readonly role: 'ADMIN' | 'MEMBER'
}

export async function readVisible(
  db: Db,
  { workspaceId, accountId, role }: EventReader,
  range: Range,
  { types, issueId, actorId }: EventFilter
): Promise<LoggedEvent[]> {
  const rows = await selectEvents(db, range)
    .where('event.workspaceId', '=', workspaceId)
    .where(eb =>
      eb.or([
        eb('event.audience', '=', 'workspace'),
        ...(role === 'ADMIN' ? [eb('event.audience', '=', 'admin')] : []),
        eb.and([eb('event.audience', '=', 'account'), eb('event.accountId', '=', accountId)])
      ])
    )
    .$if(types !== undefined, query => query.where('event.type', 'in', types!))
    .$if(issueId !== undefined, query => query.where('event.issueId', '=', issueId!))
    .$if(actorId !== undefined, query => query.where('event.actorId', '=', actorId!))
    .execute()
  return rows.map(loggedEvent)
}

/** By the rule of `readVisible`. */
export const isVisible = (event: LoggedEvent, { workspaceId, accountId, role }: EventReader): boolean =>
  event.workspaceId === workspaceId &&
  (event.audience === 'workspace' || (event.audience === 'admin' ? role === 'ADMIN' : event.accountId === accountId))

export const matches = (event: LoggedEvent, { types, issueId, actorId }: EventFilter): boolean =>
  (types === undefined || types.includes(event.type)) &&
  (issueId === undefined || event.parentId === issueId) &&
  (actorId === undefined || event.actor?.id === actorId)

/** The position of the last event that retention removed. */
export async function removedTo(db: Db): Promise<number> {
  const row = await db
    .selectFrom('eventPartition')
    .select('removedTo')
    .where('partition', '=', PARTITION)
    .executeTakeFirstOrThrow()
  return row.removedTo
}
