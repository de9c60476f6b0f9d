import { sql } from 'kysely'
import { statement } from '../../../../core/api/database/queries.ts'
import type { Id, Reader } from '../../../../core/api/database/types.ts'
import type { IssuesDatabase } from '../../contract.ts'

type Reach = 'within' | 'near' | 'outside'

// Raw: three recursions, each made of the one before; a builder only makes them longer.
const reach = statement<{ workspaceId: Id; id: Id; rootId: Id }, { within: boolean; near: boolean }>(
  import.meta,
  'reach',
  ({ workspaceId, id, rootId }) => sql`
  with recursive beginning as (
    select ${id}::uuid as id
    union
    select case when r.issue_id = ${id} then r.related_issue_id else r.issue_id end
    from issue_relation r
    where r.workspace_id = ${workspaceId} and r.deleted_at is null
      and (r.issue_id = ${id} or r.related_issue_id = ${id})),
  upward as (
    select beginning.id as beginning, i.id, i.parent_id
    from beginning join issue i on i.workspace_id = ${workspaceId} and i.id = beginning.id and i.deleted_at is null
    union
    select upward.beginning, p.id, p.parent_id
    from upward join issue p on p.workspace_id = ${workspaceId} and p.id = upward.parent_id and p.deleted_at is null),
  above as (
    select i.id, i.parent_id from issue i where i.workspace_id = ${workspaceId} and i.id = ${rootId}
    union
    select p.id, p.parent_id
    from above join issue p on p.workspace_id = ${workspaceId} and p.id = above.parent_id and p.deleted_at is null)
  select exists (select from upward where beginning = ${id} and id = ${rootId}) as within,
    exists (select from upward where id = ${rootId}) or exists (select from above where id = ${id}) as near`
)

/**
 * The position of the issue `id` relative to `rootId`. Near are the issues above the root, and those related to an
 * issue of its tree.
 */
export async function reachOf(
  db: Reader<IssuesDatabase>,
  workspaceId: Id,
  { id, rootId }: { id: Id; rootId: Id }
): Promise<Reach> {
  const [row] = await reach(db, { workspaceId, id, rootId })
  return row?.within ? 'within' : row?.near ? 'near' : 'outside'
}
