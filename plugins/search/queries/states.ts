import type { Id } from '../../../core/db/tables.ts'
import type { StateCategory } from '../../workspace/contract.ts'
import type { Db } from '../context.ts'

/** The states of some categories, as an index knows them; undefined for all. */
export async function statesIn(db: Db, workspaceId: Id, categories: StateCategory[]): Promise<Id[] | undefined> {
  if (categories.length === 0) return undefined
  const states = await db
    .selectFrom('workflowState')
    .select('id')
    .where('workspaceId', '=', workspaceId)
    .where('category', 'in', categories)
    .execute()
  return states.map(state => state.id)
}
