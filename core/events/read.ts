import { sql, type RawBuilder } from 'kysely'
import type { CoreTables, Id, Reader } from '../api/database/types.ts'
import type { Origin } from '../api/contract.ts'
import type { LoggedEvent } from './contract.ts'

type Db = Reader<CoreTables>

/** The only partition. A distributed engine could have one per shard, each with a horizon of its own. */
export const PARTITION = 0

/** A part of a partition: after one position, up to and including another. */
export interface Range {
  readonly after: number
  readonly upTo: number
  readonly limit: number
}

/** The rows of events, with the current names of their actors; `loggedEvent` makes events of them. */
export function selectEvents(db: Db, { after, upTo, limit }: Range) {
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
      'event.issueId as parentId',
      'event.rev',
      'event.origin',
      'event.audience',
      'event.accountId',
      'event.data',
      'event.position'
    ])
    .where('event.partition', '=', PARTITION)
    .where('event.position', '>', after)
    .where('event.position', '<=', upTo)
    .orderBy('event.position')
    .limit(limit)
}
type Row = Awaited<ReturnType<ReturnType<typeof selectEvents>['execute']>>[number]

export const loggedEvent = (row: Row): LoggedEvent => {
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

/** SQL: the position up to which a consumer has committed its work. @param consumer `plugin/name` */
export const positionOf = (consumer: string): RawBuilder<number> => sql`(
  select position from event_consumer where name = ${sql.lit(consumer)} and partition = ${sql.lit(PARTITION)})`

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
