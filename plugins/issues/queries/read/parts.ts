import { sql, type Insertable } from 'kysely'
import { newId, notDeletedIn } from '../../../../core/api/database/queries.ts'
import type { Id, Reader } from '../../../../core/api/database/types.ts'
import type { GitLink, IssuesDatabase, IssuesTables, RelationType, StoredRelationType } from '../../contract.ts'
import type { Trx } from '../../context.ts'
import { keyOf } from '../filter/conditions.ts'

export interface StoredRelation {
  issueId: Id
  relatedIssueId: Id
  type: StoredRelationType
}

/** Equal relations are one. */
export async function insertRelation(
  trx: Trx,
  workspaceId: Id,
  relation: StoredRelation,
  createdById: Id,
  createdAt: Date
): Promise<{ id: Id; isNew: boolean }> {
  const inserted = await trx
    .insertInto('issueRelation')
    .values({ workspaceId, id: newId(), ...relation, createdById, createdAt })
    .onConflict(oc =>
      oc.columns(['workspaceId', 'issueId', 'relatedIssueId', 'type']).where('deletedAt', 'is', null).doNothing()
    )
    .returning('id')
    .executeTakeFirst()
  if (inserted) return { id: inserted.id, isNew: true }
  const there = await trx
    .selectFrom('issueRelation')
    .select('id')
    .where(notDeletedIn(workspaceId))
    .where('issueId', '=', relation.issueId)
    .where('relatedIssueId', '=', relation.relatedIssueId)
    .where('type', '=', relation.type)
    .executeTakeFirstOrThrow()
  return { id: there.id, isNew: false }
}

/** Not if one of its issues was removed. */
export const findRelation = (trx: Trx, workspaceId: Id, id: Id) =>
  trx
    .selectFrom('issueRelation as r')
    .innerJoin('issue as one', join => join.on(notDeletedIn(workspaceId, 'one')).onRef('one.id', '=', 'r.issueId'))
    .innerJoin('issue as other', join =>
      join.on(notDeletedIn(workspaceId, 'other')).onRef('other.id', '=', 'r.relatedIssueId')
    )
    .select(['r.issueId', 'r.relatedIssueId', 'r.type'])
    .select([keyOf(workspaceId, 'one').as('key'), keyOf(workspaceId, 'other').as('relatedKey')])
    .where(notDeletedIn(workspaceId, 'r'))
    .where('r.id', '=', id)
    .executeTakeFirst()

export async function removeRelation(trx: Trx, workspaceId: Id, id: Id, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('issueRelation')
    .set({ deletedAt: at })
    .where(notDeletedIn(workspaceId))
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export const insertLink = (
  trx: Trx,
  workspaceId: Id,
  issueId: Id,
  link: { url: string; title: string } & Partial<
    Pick<Insertable<IssuesTables['issueLink']>, 'kind' | 'state' | 'stateAt'>
  >,
  createdAt: Date
) =>
  trx
    .insertInto('issueLink')
    .values({ workspaceId, id: newId(), issueId, ...link, createdAt })
    .returning(['id', 'url', 'title'])
    .executeTakeFirstOrThrow()

export const removeLink = (trx: Trx, workspaceId: Id, issueId: Id, id: Id, at: Date) =>
  trx
    .updateTable('issueLink')
    .set({ deletedAt: at })
    .where(notDeletedIn(workspaceId))
    .where('issueId', '=', issueId)
    .where('id', '=', id)
    .returning(['id', 'url', 'title'])
    .executeTakeFirst()

export const findLinkTo = (trx: Trx, workspaceId: Id, issueId: Id, url: string) =>
  trx
    .selectFrom('issueLink')
    .select(['id', 'title', 'state', 'stateAt', 'deletedAt'])
    .where('workspaceId', '=', workspaceId)
    .where('issueId', '=', issueId)
    .where('url', '=', url)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst()

export const updateGitLink = (trx: Trx, workspaceId: Id, id: Id, { at, ...link }: Omit<GitLink, 'url'>) =>
  trx
    .updateTable('issueLink')
    .set({ ...link, stateAt: at })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .execute()

export async function countIssues(
  db: Reader<IssuesDatabase>,
  workspaceId: Id,
  column: 'teamId' | 'stateId',
  id: Id
): Promise<number> {
  const { n } = await db
    .selectFrom('issue')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where(notDeletedIn(workspaceId))
    .where(column, '=', id)
    .executeTakeFirstOrThrow()
  return n
}

export const blockersOf = (trx: Trx, workspaceId: Id, issueId: Id) =>
  trx
    .selectFrom('issueRelation as r')
    .innerJoin('issue as blocker', join =>
      join.on(notDeletedIn(workspaceId, 'blocker')).onRef('blocker.id', '=', 'r.issueId')
    )
    .select(keyOf(workspaceId, 'blocker').as('key'))
    .where(notDeletedIn(workspaceId, 'r'))
    .where('r.relatedIssueId', '=', issueId)
    .where('r.type', '=', 'BLOCKS')
    .orderBy('r.createdAt')
    .execute()

export async function relationsBetween(trx: Trx, workspaceId: Id, issueId: Id, otherIds: readonly Id[]) {
  const others = sql<Id>`any(${otherIds}::uuid[])`
  const rows = await trx
    .selectFrom('issueRelation')
    .select(['id', 'type', 'issueId', 'relatedIssueId'])
    .where(notDeletedIn(workspaceId))
    .where(eb =>
      eb.or([
        eb.and([eb('issueId', '=', issueId), eb('relatedIssueId', '=', others)]),
        eb.and([eb('relatedIssueId', '=', issueId), eb('issueId', '=', others)])
      ])
    )
    .orderBy('createdAt')
    .execute()
  return rows.map(({ relatedIssueId, ...row }) => {
    const isFirst = row.issueId === issueId
    return { ...row, otherId: isFirst ? relatedIssueId : row.issueId, seenType: seenType(row.type, isFirst) }
  })
}

function seenType(type: StoredRelationType, isFirst: boolean): RelationType {
  if (isFirst) return type
  return type === 'BLOCKS' ? 'BLOCKED' : type === 'DUPLICATE_OF' ? 'DUPLICATE' : type
}

export const findTeamWithRule = (db: Reader<IssuesDatabase>) =>
  db
    .selectFrom('team')
    .select('identifier')
    .where('closingCriteria', '<>', 'ANY')
    .where('deletedAt', 'is', null)
    .limit(1)
    .executeTakeFirst()
