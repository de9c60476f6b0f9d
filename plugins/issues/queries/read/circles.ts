import { sql, type RawBuilder } from 'kysely'
import type { Id } from '../../../../core/api/database/types.ts'
import { conflict } from '../../../../core/api/errors.ts'
import type { Trx } from '../../context.ts'

/* Raw: recursions, which typed builders only make longer. */

interface Edge {
  id: Id
  otherId: Id
}

/** The issues that an issue blocks, looked up (`offset 0`): without statistics, each step would read all relations. */
const blockedBy = (workspaceId: Id, id: RawBuilder<unknown>) => sql`
  select r.issue_id, r.related_issue_id from issue_relation r
  where r.workspace_id = ${workspaceId} and r.issue_id = ${id} and r.type = 'BLOCKS' and r.deleted_at is null offset 0`

/** @throws 409 that names the path, when `id` would become an ancestor of itself */
export async function refuseParentCircle(trx: Trx, workspaceId: Id, id: Id, parentId: Id): Promise<void> {
  const { rows } = await sql<{ keys: string[] }>`
    with recursive up (id, parent_id, keys) as (
      select i.id, i.parent_id, array[t.identifier || '-' || i.number]
      from issue i join team t on t.workspace_id = i.workspace_id and t.id = i.team_id
      where i.workspace_id = ${workspaceId} and i.id = ${parentId}
      union all
      select i.id, i.parent_id, up.keys || (t.identifier || '-' || i.number)
      from up join issue i on i.workspace_id = ${workspaceId} and i.id = up.parent_id
      join team t on t.workspace_id = i.workspace_id and t.id = i.team_id
      where up.id <> ${id}
    )
    select keys from up where id = ${id}`.execute(trx)
  refuseCircle(rows[0]?.keys, 'a parent of itself')
}

/** @throws 409 that names the path, when one of `blockedIds` already blocks `blockerId`, directly or not */
export async function refuseBlockingCircle(
  trx: Trx,
  workspaceId: Id,
  blockerId: Id,
  blockedIds: readonly Id[]
): Promise<void> {
  const { rows } = await sql<{ keys: string[] }>`
    with recursive down (id, path) as (
      select blocked.id, array[blocked.id] from unnest(${blockedIds}::uuid[]) blocked (id)
      union
      select r.related_issue_id, down.path || r.related_issue_id from down
      cross join lateral (${blockedBy(workspaceId, sql`down.id`)}) r
      join issue o on o.workspace_id = ${workspaceId} and o.id = r.related_issue_id and o.deleted_at is null
      where down.id <> ${blockerId} and not r.related_issue_id = any(down.path)
    )
    select (
      select array_agg(t.identifier || '-' || i.number order by p.n) from unnest(down.path) with ordinality p (id, n)
      join issue i on i.workspace_id = ${workspaceId} and i.id = p.id
      join team t on t.workspace_id = i.workspace_id and t.id = i.team_id) as keys
    from down where id = ${blockerId} limit 1`.execute(trx)
  refuseCircle(rows[0]?.keys, 'blocked by itself')
}

function refuseCircle(keys: string[] | undefined, what: string): void {
  if (keys) {
    throw conflict(`This would make an issue ${what}: ${[keys.at(-1), ...keys].join(' -> ')}.`, {
      path: [keys.at(-1), ...keys]
    })
  }
}

export async function loadParents(trx: Trx, workspaceId: Id, ids: readonly Id[]): Promise<Edge[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<Edge>`
    with recursive up (id, parent_id) as (
      select i.id, i.parent_id from unnest(${ids}::uuid[]) start (id)
      join issue i on i.workspace_id = ${workspaceId} and i.id = start.id
      union
      select i.id, i.parent_id from up join issue i on i.workspace_id = ${workspaceId} and i.id = up.parent_id
    )
    select id, parent_id as other_id from up where parent_id is not null`.execute(trx)
  return rows
}

export async function loadBlocks(trx: Trx, workspaceId: Id, ids: readonly Id[]): Promise<Edge[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<Edge>`
    with recursive down (id, other_id) as (
      select r.issue_id, r.related_issue_id from unnest(${ids}::uuid[]) start (id)
      cross join lateral (${blockedBy(workspaceId, sql`start.id`)}) r
      union
      select r.issue_id, r.related_issue_id from down
      cross join lateral (${blockedBy(workspaceId, sql`down.other_id`)}) r
    )
    select id, other_id from down`.execute(trx)
  return rows
}
