import { sql } from 'kysely'
import { notDeletedIn } from '../../../core/api/database/queries.ts'
import type { SignedIn } from '../../../core/api/contract.ts'
import type { Id } from '../../../core/api/database/types.ts'
import type { Db, Trx } from '../context.ts'

export interface Favourite {
  type: string
  id: Id
}

export const listFavourites = (db: Db, { workspaceId, accountId }: SignedIn): Promise<Favourite[]> =>
  db
    .selectFrom('favourite')
    .select(['subjectType as type', 'subjectId as id'])
    .where('workspaceId', '=', workspaceId)
    .where('accountId', '=', accountId)
    .orderBy('position')
    .execute()

/** Locks an account: of two requests that replace its favourites, one comes after the other. */
export const lockFavourites = (trx: Trx, { workspaceId, accountId }: SignedIn) =>
  trx
    .selectFrom('account')
    .select('id')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', accountId)
    .forNoKeyUpdate()
    .execute()

export async function replaceFavourites(
  trx: Trx,
  { workspaceId, accountId }: SignedIn,
  favourites: readonly Favourite[]
): Promise<void> {
  await trx.deleteFrom('favourite').where('workspaceId', '=', workspaceId).where('accountId', '=', accountId).execute()
  if (favourites.length === 0) return
  const rows = favourites.map(({ type: subjectType, id: subjectId }, position) => ({
    ...{ workspaceId, accountId },
    ...{ subjectType, subjectId, position }
  }))
  await trx.insertInto('favourite').values(rows).execute()
}

export const removeSubjects = (trx: Trx, workspaceId: Id, subjectIds: readonly Id[]) =>
  trx
    .deleteFrom('favourite')
    .where('workspaceId', '=', workspaceId)
    .where('subjectId', '=', sql<Id>`any(${subjectIds}::uuid[])`)
    .execute()

export const nameIssues = (db: Db, { workspaceId }: SignedIn, ids: readonly Id[]) =>
  db
    .selectFrom('issue')
    .innerJoin('team', join => join.on('team.workspaceId', '=', workspaceId).onRef('team.id', '=', 'issue.teamId'))
    .select(['issue.id', 'issue.title as name', sql<string>`team.identifier || '-' || issue.number`.as('key')])
    .where(notDeletedIn(workspaceId, 'issue'))
    .where('issue.id', '=', sql<Id>`any(${ids}::uuid[])`)
    .execute()
