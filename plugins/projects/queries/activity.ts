import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { Id } from '../../../core/api/database/types.ts'
import type { ChangesData } from '../../../core/api/events.ts'
import type { Db } from '../context.ts'
import type { Health } from '../states.ts'

type FieldChange = Static<typeof ChangesData>['changes'][number]
export interface ActivityRow {
  at: Date
  type: string
  actor: { id: Id; fullname: string; kind: 'PERSON' | 'AGENT' } | null
  issue: { id: Id; key: string; title: string } | null
  milestone: { id: Id; name: string } | null
  data: { changes?: FieldChange[]; health?: Health } | null
}

/**
 * What happened in a project, newest first: its own events, those of its milestones and updates, and the issues that
 * came, went and were closed. Events that the log no longer keeps are not there; the history of issues is.
 */
export async function projectActivity(
  db: Db,
  workspaceId: Id,
  { id, name }: { id: Id; name: string },
  limit: number
): Promise<ActivityRow[]> {
  const refs = sql`${[id, name]}::text[]`
  // Raw: a union of the log and the history, each by an index of its own.
  const { rows } = await sql<ActivityRow>`
    with subject as (
      select ${id}::uuid as id
      union all
      select id from milestone where workspace_id = ${workspaceId} and project_id = ${id}
      union all
      (select id from project_update where workspace_id = ${workspaceId} and project_id = ${id}
        order by created_at desc limit ${limit})),
    entry as (
      (select e.at, e.type, e.actor_id, e.subject_id, null::uuid as issue_id, e.data::jsonb as data
        from event e join subject on subject.id = e.subject_id
        where e.workspace_id = ${workspaceId} and e.subject_type in ('project', 'milestone', 'project_update')
        order by e.position desc limit ${limit})
      union all
      (select at, 'issue.added', actor_id, null, issue_id, null from issue_change
        where workspace_id = ${workspaceId} and change = 'project' and coalesce(to_id::text, to_name) = any(${refs})
        order by at desc limit ${limit})
      union all
      (select at, 'issue.removed', actor_id, null, issue_id, null from issue_change
        where workspace_id = ${workspaceId} and change = 'project' and coalesce(from_id::text, from_name) = any(${refs})
        order by at desc limit ${limit})
      union all
      (select i.created_at, 'issue.created', i.created_by_id, null, i.id, null from issue i
        where i.workspace_id = ${workspaceId} and i.project_id = ${id} and i.deleted_at is null
          and not exists (select from issue_change h
            where h.workspace_id = ${workspaceId} and h.issue_id = i.id and h.change = 'project')
        order by i.created_at desc limit ${limit})
      union all
      (select h.at, case s.category when 'COMPLETED' then 'issue.completed' else 'issue.canceled' end, h.actor_id, null,
          i.id, null
        from issue i
        join issue_change h on h.workspace_id = ${workspaceId} and h.issue_id = i.id and h.change = 'state'
        join workflow_state s on s.workspace_id = ${workspaceId} and (s.id = h.to_id
          or (h.to_id is null and s.team_id = i.team_id and s.name = h.to_name))
        where i.workspace_id = ${workspaceId} and i.project_id = ${id} and i.deleted_at is null
          and s.category in ('COMPLETED', 'CANCELED')
        order by h.at desc limit ${limit}))
    select entry.at, entry.type, entry.data,
      case when a.id is not null then json_build_object('id', a.id, 'fullname', a.fullname, 'kind', a.kind) end
        as actor,
      case when i.id is not null then
        json_build_object('id', i.id, 'key', t.identifier || '-' || i.number, 'title', i.title) end as issue,
      case when m.id is not null then json_build_object('id', m.id, 'name', m.name) end as milestone
    from entry
    left join account a on a.workspace_id = ${workspaceId} and a.id = entry.actor_id
    left join issue i on i.workspace_id = ${workspaceId} and i.id = entry.issue_id and i.deleted_at is null
    left join team t on t.workspace_id = ${workspaceId} and t.id = i.team_id
    left join milestone m on m.workspace_id = ${workspaceId} and m.id = entry.subject_id
    where entry.issue_id is null or i.id is not null
    order by entry.at desc, entry.type limit ${limit}`.execute(db)
  return rows
}
