import type { Id } from '../../../core/db/tables.ts'
import type { StateCategory } from '../../workspace/contract.ts'
import type { Db } from '../context.ts'

/** The ids of the states of some categories; undefined for all categories. */
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
