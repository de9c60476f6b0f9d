import { sql } from 'kysely'
import { newId, notDeletedIn } from '../../../core/api/database/queries.ts'
import type { Id } from '../../../core/api/database/types.ts'
import type { Db, Trx } from '../context.ts'

const columns = ['id', 'projectId', 'name', 'date', 'createdAt'] as const

/** By date, those without one last. */
export const listMilestones = (db: Db, workspaceId: Id, selected: { projectId?: Id; id?: Id }) =>
  db
    .selectFrom('milestone')
    .select(columns)
    // Raw: the numbers of a milestone’s issues are counted for each row, by an index.
    .select(
      sql<{ total: number; completed: number }>`(
        select json_build_object('total', count(*) filter (where s.category <> 'CANCELED'),
          'completed', count(*) filter (where s.category = 'COMPLETED'))
        from issue i join workflow_state s on s.workspace_id = ${workspaceId} and s.id = i.state_id
        where i.workspace_id = ${workspaceId} and i.milestone_id = milestone.id and i.deleted_at is null)`.as('issues')
    )
    .where(notDeletedIn(workspaceId))
    .$if(selected.id !== undefined, query => query.where('id', '=', selected.id!))
    .$if(selected.projectId !== undefined, query => query.where('projectId', '=', selected.projectId!))
    .orderBy('date', order => order.asc().nullsLast())
    .orderBy('createdAt')
    .orderBy('id')
    .execute()

export const lockMilestone = (trx: Trx, workspaceId: Id, id: Id) =>
  trx
    .selectFrom('milestone')
    .select(columns)
    .where(notDeletedIn(workspaceId))
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()

export const insertMilestone = (
  trx: Trx,
  workspaceId: Id,
  values: { id?: Id; projectId: Id; name: string; date: string | null; createdAt: Date }
) =>
  trx
    .insertInto('milestone')
    .values({ workspaceId, id: newId(), ...values })
    .returning(columns)
    .executeTakeFirstOrThrow()

export const updateMilestone = (
  trx: Trx,
  workspaceId: Id,
  id: Id,
  values: { name: string; date: string | null } | { deletedAt: Date }
) =>
  trx
    .updateTable('milestone')
    .set(values)
    .where(notDeletedIn(workspaceId))
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()

export const removeWithProject = (trx: Trx, workspaceId: Id, projectId: Id, at: Date) =>
  trx
    .updateTable('milestone')
    .set({ deletedAt: at })
    .where(notDeletedIn(workspaceId))
    .where('projectId', '=', projectId)
    .execute()

export const restoreWithProject = (trx: Trx, workspaceId: Id, projectId: Id, deletedAt: Date) =>
  trx
    .updateTable('milestone')
    .set({ deletedAt: null })
    .where('workspaceId', '=', workspaceId)
    .where('projectId', '=', projectId)
    .where('deletedAt', '=', deletedAt)
    .execute()

/** Raw: a part of another statement. */
export const milestoneOfIssue = (workspaceId: Id) => sql`
  (select row_to_json(one) from (
    select m.id, m.name, m.date from milestone m
    where m.workspace_id = ${workspaceId} and m.id = issue.milestone_id and m.deleted_at is null) one)`
