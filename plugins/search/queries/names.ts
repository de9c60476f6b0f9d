import { sql, type RawBuilder } from 'kysely'
import { jsonRows, notDeletedIn } from '../../../core/api/database/queries.ts'
import type { Id, WorkspaceId } from '../../../core/api/database/types.ts'
import type { SimilarIssue } from '../../issues/contract.ts'
import type { Db, Trx } from '../context.ts'
import type { Scored } from './fusion.ts'

export async function nameIssues(
  db: Db,
  workspaceId: Id,
  ranked: readonly Scored[]
): Promise<Array<SimilarIssue & { id: Id }>> {
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
    const row = rows.find(candidate => candidate.id === id)
    return row ? [{ ...row, score: Math.round(score * 100) / 100 }] : []
  })
}

export const keepSimilar = async (
  trx: Trx,
  workspaceId: Id,
  issueId: Id,
  similar: ReadonlyArray<{ id: Id; score: number }>,
  foundAt: Date
): Promise<void> => {
  await trx
    .insertInto('issueSimilar')
    .values({
      workspaceId,
      issueId,
      similarIds: similar.map(({ id }) => id),
      scores: similar.map(({ score }) => score),
      foundAt
    })
    .execute()
}

export async function forgetSimilar(trx: Trx, time: Date): Promise<void> {
  await trx.deleteFrom('issueSimilar').where('foundAt', '<', time).execute()
}

const storedSimilar = (workspaceId: WorkspaceId) => sql`
  issue_similar kept where kept.workspace_id = ${workspaceId} and kept.issue_id = issue.id`

export const hasSimilar = (workspaceId: WorkspaceId) => sql<boolean>`exists (select from ${storedSimilar(workspaceId)})`

export const similarJson = (workspaceId: WorkspaceId): RawBuilder<unknown> =>
  jsonRows(sql`
  select t.identifier || '-' || i.number as key, i.title, s.name as state, s.category as "stateCategory", near.score
  from (
    select near.id, near.score, near.n
    from issue_similar kept, unnest(kept.similar_ids, kept.scores) with ordinality as near (id, score, n)
    where kept.workspace_id = ${workspaceId} and kept.issue_id = issue.id) near
  join issue i on i.workspace_id = ${workspaceId} and i.id = near.id and i.deleted_at is null
  join team t on t.workspace_id = ${workspaceId} and t.id = i.team_id
  join workflow_state s on s.workspace_id = ${workspaceId} and s.id = i.state_id
  order by near.n`)
