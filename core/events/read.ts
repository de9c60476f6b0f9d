import { sql, type RawBuilder } from 'kysely'
import type { CoreTables, Id, Reader } from '../api/database/types.ts'
import type { Origin } from '../api/contract.ts'
import type { LoggedEvent } from './contract.ts'

type Db = Reader<CoreTables>

/** The only partition. A distributed engine could have one per shard, each with a horizon of its own. */
export const PARTITION = 0

/** A part of a partition: after one position, up to and including another. */
interface Range {
  readonly after: number
  readonly upTo: number
  readonly limit: number
}

/** Events with the current names of their actors. */
function selectEvents(db: Db, { after, upTo, limit }: Range) {
  return db
    .selectFrom('event')
    .leftJoin('account as actor', join =>
      join.onRef('actor.workspaceId', '=', 'event.workspaceId').onRef('actor.id', '=', 'event.actorId')
    )
    .select([
      'event.id',
      'event.type',
      'event.workspaceId',
      'event.at',
      'event.actorId',
      'actor.fullname',
      'actor.kind',
      'event.tokenId',
      'event.subjectType',
      'event.subjectId',
      'event.subjectKey',
      'event.issueId',
      'event.rev',
      'event.origin',
      'event.audience',
      'event.accountId',
      'event.data',
      'event.partition',
      'event.position'
    ])
    .where('event.partition', '=', PARTITION)
    .where('event.position', '>', after)
    .where('event.position', '<=', upTo)
    .orderBy('event.position')
    .limit(limit)
}
type Row = Awaited<ReturnType<ReturnType<typeof selectEvents>['execute']>>[number]

const loggedEvent = (row: Row): LoggedEvent => {
  const { at, actorId, fullname, kind, subjectType, subjectId, subjectKey, origin, ...same } = row
  return {
    ...same,
    at: at.toISOString(),
    actor: actorId === null || fullname === null || kind === null ? null : { id: actorId, fullname, kind },
    subject: { type: subjectType, id: subjectId, ...(subjectKey !== null && { key: subjectKey }) },
    origin: origin as Origin
  }
}

interface LogFilter {
  readonly types?: readonly string[] | undefined
  readonly workspaceId?: Id | undefined
  readonly from?: Date | undefined
}

/** Events of all workspaces and audiences, in the order of the log. */
export async function readLog(
  db: Db,
  range: Range,
  { types, workspaceId, from }: LogFilter = {}
): Promise<LoggedEvent[]> {
  const rows = await selectEvents(db, range)
    .$if(types !== undefined, query => query.where('event.type', 'in', types!))
    .$if(workspaceId !== undefined, query => query.where('event.workspaceId', '=', workspaceId!))
    .$if(from !== undefined, query => query.where('event.at', '>=', from!))
    .execute()
  return rows.map(loggedEvent)
}

/** A reader's filter. */
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

/** The events of a workspace that a reader may see. */
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

/** True if a reader may see an event, by the rule of `readVisible`. */
export const isVisible = (event: LoggedEvent, { workspaceId, accountId, role }: EventReader): boolean =>
  event.workspaceId === workspaceId &&
  (event.audience === 'workspace' || (event.audience === 'admin' ? role === 'ADMIN' : event.accountId === accountId))

export const matches = (event: LoggedEvent, { types, issueId, actorId }: EventFilter): boolean =>
  (types === undefined || types.includes(event.type)) &&
  (issueId === undefined || event.issueId === issueId) &&
  (actorId === undefined || event.actor?.id === actorId)

/** SQL: the position up to which a consumer has committed its work. @param consumer `plugin/name` */
export const positionOf = (consumer: string): RawBuilder<number> => sql`(
  select position from event_consumer where name = ${sql.lit(consumer)} and partition = ${sql.lit(PARTITION)})`

/** The position of the last event that retention removed. */
export async function removedTo(db: Db): Promise<number> {
  const row = await db
    .selectFrom('eventPartition')
    .select('removedTo')
    .where('partition', '=', PARTITION)
    .executeTakeFirstOrThrow()
  return row.removedTo
}

/** The last committed position up to another. (After a crash, an uncommitted one may be reassigned.) */
export async function lastPosition(db: Db, upTo: number): Promise<number> {
  const row = await db
    .selectFrom('event')
    .select('position')
    .where('partition', '=', PARTITION)
    .where('position', '<=', upTo)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.position ?? 0
}
