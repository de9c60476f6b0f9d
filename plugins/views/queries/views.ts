import { sql, type Insertable, type Updateable } from 'kysely'
import { isId, mayBeNamed } from '../../../core/api/database/queries.ts'
import type { SignedIn } from '../../../core/api/contract.ts'
import type { Id } from '../../../core/api/database/types.ts'
import type { Db, Trx } from '../context.ts'
import type { ViewsTables } from '../contract.ts'

/** Maximum views of a list: more than an account's own and the shared ones together. */
const MAX_LISTED = 1_000

const columns = [
  ...(['id', 'ownerId', 'isShared', 'name', 'icon', 'teamId', 'filters', 'orderBy', 'groupBy'] as const),
  ...(['subGroupBy', 'layout', 'properties', 'hiddenGroups', 'collapsedGroups', 'closedWithinDays'] as const),
  ...(['createdAt', 'updatedAt'] as const)
] as const

export type NewRow = Insertable<ViewsTables['savedView']>
export type ViewValues = Omit<NewRow, 'workspaceId' | 'id' | 'ownerId' | 'createdAt' | 'updatedAt'>

const readable = (db: Db, { workspaceId, accountId }: SignedIn) =>
  db
    .selectFrom('savedView')
    .where('savedView.workspaceId', '=', workspaceId)
    .where(eb => eb.or([eb('isShared', '=', true), eb('ownerId', '=', accountId)]))

const withOwner = (db: Db, reader: SignedIn) =>
  readable(db, reader)
    .innerJoin('account as owner', join =>
      join.on('owner.workspaceId', '=', reader.workspaceId).onRef('owner.id', '=', 'savedView.ownerId')
    )
    .select(columns.map(column => `savedView.${column}` as const))
    .select('owner.fullname as ownerName')

export const listViews = (db: Db, reader: SignedIn) =>
  withOwner(db, reader)
    .orderBy(sql`lower(saved_view.name)`)
    .orderBy('savedView.id')
    .limit(MAX_LISTED)
    .execute()

export type ViewRow = Awaited<ReturnType<typeof listViews>>[number]

export const findView = (db: Db, reader: SignedIn, id: Id) =>
  withOwner(db, reader).where('savedView.id', '=', id).executeTakeFirst()

/** Views with this id, or with a name that may match: the caller compares names exactly. */
export const findViewsCalled = (db: Db, reader: SignedIn, ref: string) =>
  readable(db, reader)
    .select(['id', 'name', 'teamId', 'filters', 'orderBy', 'closedWithinDays'])
    .where(eb => (isId(ref) ? eb('id', '=', ref) : mayBeNamed(eb.ref('name'), [ref])))
    .orderBy('id')
    .limit(MAX_LISTED)
    .execute()

export const listNames = async (db: Db, reader: SignedIn): Promise<string[]> => {
  const rows = await readable(db, reader).select('name').distinct().orderBy('name').limit(MAX_LISTED).execute()
  return rows.map(({ name }) => name)
}

export const lockView = (trx: Trx, reader: SignedIn, id: Id) =>
  trx
    .selectFrom('savedView')
    .select(columns)
    .where('workspaceId', '=', reader.workspaceId)
    .where('id', '=', id)
    .where(eb => eb.or([eb('isShared', '=', true), eb('ownerId', '=', reader.accountId)]))
    .forNoKeyUpdate()
    .executeTakeFirst()

export const countViews = (db: Db, workspaceId: Id, ownerId: Id) =>
  db
    .selectFrom('savedView')
    .select(({ fn }) => [
      fn.countAll<number>().filterWhere('ownerId', '=', ownerId).as('own'),
      fn.countAll<number>().filterWhere('isShared', '=', true).as('shared')
    ])
    .where('workspaceId', '=', workspaceId)
    .executeTakeFirstOrThrow()

export const insertView = (trx: Trx, row: NewRow) => trx.insertInto('savedView').values(row).execute()

export const updateView = (trx: Trx, workspaceId: Id, id: Id, values: Updateable<ViewsTables['savedView']>) =>
  trx
    .updateTable('savedView')
    .set(values)
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()

export const removeView = (trx: Trx, workspaceId: Id, id: Id) =>
  trx.deleteFrom('savedView').where('workspaceId', '=', workspaceId).where('id', '=', id).execute()

export const nameViews = (db: Db, reader: SignedIn, ids: readonly Id[]) =>
  readable(db, reader)
    .select(['id', 'name'])
    .where('id', '=', sql<Id>`any(${ids}::uuid[])`)
    .execute()
