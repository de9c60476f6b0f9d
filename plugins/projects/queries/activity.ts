import { sql, type RawBuilder } from 'kysely'
import type { Static } from 'typebox'
import type { Id } from '../../../core/api/database/types.ts'
import type { ChangesData } from '../../../core/api/events.ts'
import type { Place } from '../../../core/api/http.ts'
import type { Db } from '../context.ts'
import type { Health } from '../states.ts'

type FieldChange = Static<typeof ChangesData>['changes'][number]
/** Ids of events, changes and issues are all different. */
export interface ActivityRow extends Place {
  type: string
  actor: { id: Id; fullname: string; kind: 'PERSON' | 'AGENT' } | null
  issue: { id: Id; key: string; title: string } | null
  milestone: { id: Id; name: string } | null
  data: { changes?: FieldChange[]; health?: Health } | null
}

interface NamedProject {
  id: Id
  name: string
}
/** Limits a query of entries to the page, by the names of their columns. */
type PageOf = (at: string, id: string) => RawBuilder<unknown>

/**
 * Newest first. Events that the log no longer keeps are missing; the history of issues is complete.
 * @param before the place of the last entry that is known
 */
export async function projectActivity(
  db: Db,
  workspaceId: Id,
  project: NamedProject,
  { before, limit }: { before: Place | undefined; limit: number }
): Promise<ActivityRow[]> {
  const { id } = project
  const page: PageOf = (at, id) => {
    const [atColumn, idColumn] = [sql.ref(at), sql.ref(id)]
    const isBefore = before ? sql`and (${atColumn}, ${idColumn}) < (${before.at}, ${before.id})` : sql``
    return sql`${isBefore} order by ${atColumn} desc, ${idColumn} desc limit ${limit}`
  }
  // Raw: a union of the log and the history, each by an index of its own.
  const { rows } = await sql<ActivityRow>`
    with subject as (
      select ${id}::uuid as id
      union all
      select id from milestone where workspace_id = ${workspaceId} and project_id = ${id}
      union all
      select id from project_update where workspace_id = ${workspaceId} and project_id = ${id}),
    entry as (
      (select e.at, e.id, e.type, e.actor_id, e.subject_id, null::uuid as issue_id, e.data::jsonb as data
        from event e join subject on subject.id = e.subject_id
        where e.workspace_id = ${workspaceId} and e.subject_type in ('project', 'milestone', 'project_update')
        ${page('e.at', 'e.id')})
      union all ${entriesOfIssues(workspaceId, project, page)})
    select entry.at, entry.id, entry.type, entry.data,
      case when a.id is not null then json_build_object('id', a.id, 'fullname', a.fullname, 'kind', a.kind) end
        as actor,
      case when i.id is not null then
        json_build_object('id', i.id, 'key', t.identifier || '-' || i.number, 'title', i.title) end as issue,
      case when m.id is not null then json_build_object('id', m.id, 'name', m.name) end as milestone
    from entry
    left join account a on a.workspace_id = ${workspaceId} and a.id = entry.actor_id
    left join issue i on i.workspace_id = ${workspaceId} and i.id = entry.issue_id
    left join team t on t.workspace_id = ${workspaceId} and t.id = i.team_id
    left join milestone m on m.workspace_id = ${workspaceId} and m.id = entry.subject_id
    order by entry.at desc, entry.id desc limit ${limit}`.execute(db)
  return rows
}

/** Raw: a part of another statement. */
const entriesOfIssues = (workspaceId: Id, { id, name }: NamedProject, page: PageOf) => {
  const refs = sql`${[id, name]}::text[]`
  return sql`
    (select h.at, h.id, 'issue.added', h.actor_id, null, i.id, null
      from issue_change h
      join issue i on i.workspace_id = ${workspaceId} and i.id = h.issue_id and i.deleted_at is null
      where h.workspace_id = ${workspaceId} and h.change = 'project'
        and coalesce(h.to_id::text, h.to_name) = any(${refs})
      ${page('h.at', 'h.id')})
    union all
    (select h.at, h.id, 'issue.removed', h.actor_id, null, i.id, null
      from issue_change h
      join issue i on i.workspace_id = ${workspaceId} and i.id = h.issue_id and i.deleted_at is null
      where h.workspace_id = ${workspaceId} and h.change = 'project'
        and coalesce(h.from_id::text, h.from_name) = any(${refs})
      ${page('h.at', 'h.id')})
    union all
    (select i.created_at, i.id, 'issue.created', i.created_by_id, null, i.id, null from issue i
      where i.workspace_id = ${workspaceId} and i.project_id = ${id} and i.deleted_at is null
        and not exists (select from issue_change h
          where h.workspace_id = ${workspaceId} and h.issue_id = i.id and h.change = 'project')
      ${page('i.created_at', 'i.id')})
    union all
    (select h.at, h.id, case s.category when 'COMPLETED' then 'issue.completed' else 'issue.canceled' end, h.actor_id,
        null, i.id, null
      from issue i
      join issue_change h on h.workspace_id = ${workspaceId} and h.issue_id = i.id and h.change = 'state'
      join workflow_state s on s.workspace_id = ${workspaceId} and (s.id = h.to_id
        or (h.to_id is null and s.team_id = i.team_id and s.name = h.to_name))
      where i.workspace_id = ${workspaceId} and i.project_id = ${id} and i.deleted_at is null
        and s.category in ('COMPLETED', 'CANCELED')
      ${page('h.at', 'h.id')})`
}
