import { sql } from 'kysely'
import { notDeletedIn } from '../../../core/db/workspace-rows.ts'
import type { Id } from '../../../core/db/tables.ts'
import type { SimilarIssue } from '../../issues/contract.ts'
import type { Db } from '../context.ts'
import type { Scored } from './fusion.ts'

/** Similar issues for the answer to filing a new one, in the order of their ranks. */
export async function nameIssues(db: Db, workspaceId: Id, ranked: readonly Scored[]): Promise<SimilarIssue[]> {
  if (ranked.length === 0) return []
  const rows = await db
    .selectFrom('issue as i')
    .innerJoin('team as t', join => join.on('t.workspaceId', '=', workspaceId).onRef('t.id', '=', 'i.teamId'))
    .innerJoin('workflowState as s', join => join.on('s.workspaceId', '=', workspaceId).onRef('s.id', '=', 'i.stateId'))
    .select([
      'i.id',
      sql<string>`t.identifier || '-' || i.number`.as('key'),
      'i.title',
      's.name as state',
      's.category as stateCategory'
    ])
    .where(notDeletedIn(workspaceId, 'i'))
    .where(sql<boolean>`i.id = any(${ranked.map(({ id }) => id)}::uuid[])`)
    .execute()
  return ranked.flatMap(({ id, score }) => {
    const row = rows.find(found => found.id === id)
    if (!row) return []
    const { id: _, ...shown } = row
    return [{ ...shown, score: Math.round(score * 100) / 100 }]
  })
}
