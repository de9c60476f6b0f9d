import { sql, type Insertable } from 'kysely'
import { jsonRows, newId, notDeletedIn } from '../../../core/api/database/queries.ts'
import type { Id } from '../../../core/api/database/types.ts'
import type { Trx } from '../context.ts'
import type { WorkspaceTables } from '../contract.ts'
import type { NewState } from './teams.ts'

/* Raw: the rows of an export become parts of a statement of `transfer`. */

type New<T extends keyof WorkspaceTables> = Omit<Insertable<WorkspaceTables[T]>, 'workspaceId'>
const stateColumns = ['id', 'teamId', 'name', 'category'] as const

export const exportedTeams = (workspaceId: Id) => sql<object>`
  select t.identifier, t.name, nullif(t.closing_criteria, 'ANY') as "closingCriteria", ${jsonRows(sql`
    select s.name, s.category, s.position, s.color
    from workflow_state s
    where ${notDeletedIn(workspaceId, 's')} and s.team_id = t.id
    order by s.position, s.name`)} as states
  from team t where ${notDeletedIn(workspaceId, 't')} order by t.identifier`

export const exportedLabels = (workspaceId: Id) => sql<object>`
    select l.name, l.color
  from label l
  where ${notDeletedIn(workspaceId, 'l')}
  order by lower(l.name)`

/** Removed or not. @param identifier uppercase */
export const findAnyTeam = (trx: Trx, workspaceId: Id, identifier: string) =>
  trx
    .selectFrom('team')
    .select(['id', 'name', 'closingCriteria', 'deletedAt'])
    .where('workspaceId', '=', workspaceId)
    .where(sql`upper(identifier)`, '=', identifier)
    .executeTakeFirst()

export const addTeam = (trx: Trx, workspaceId: Id, team: New<'team'>) =>
  trx
    .insertInto('team')
    .values({ workspaceId, ...team })
    .execute()

export const removeStates = (trx: Trx, workspaceId: Id, teamId: Id, at: Date) =>
  trx
    .updateTable('workflowState')
    .set({ deletedAt: at })
    .where(notDeletedIn(workspaceId))
    .where('teamId', '=', teamId)
    .returning(stateColumns)
    .execute()

export const listStateNames = (trx: Trx, workspaceId: Id, teamId: Id) =>
  trx.selectFrom('workflowState').select('name').where(notDeletedIn(workspaceId)).where('teamId', '=', teamId).execute()

export const addStates = (
  trx: Trx,
  workspaceId: Id,
  teamId: Id,
  states: ReadonlyArray<Required<NewState>>,
  createdAt: Date
) =>
  trx
    .insertInto('workflowState')
    .values(states.map(state => ({ workspaceId, id: newId(), teamId, ...state, createdAt })))
    .returning(stateColumns)
    .execute()

/** @returns false when the name is taken */
export async function addLabel(trx: Trx, workspaceId: Id, label: New<'label'>): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('label')
    .values({ workspaceId, ...label })
    .onConflict(c => c.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows !== 0n
}
