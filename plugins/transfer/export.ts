import { sql } from 'kysely'
import { iso, jsonArray } from '../../core/db/sql.ts'
import type { Id } from '../../core/db/tables.ts'
import type { Ctx } from './index.ts'

const PAGE = 200

/** Everything of a workspace that the format has, as lines: teams, then issues, then how they are related. */
export async function * exportLines ({ db }: Ctx, workspaceId: Id): AsyncGenerator<string> {
  const { rows: teams } = await sql<{ line: string }>`
    select json_build_object('kind', 'team', 'identifier', t.identifier, 'name', t.name, 'states', ${jsonArray(sql`
      select json_build_object('name', s.name, 'category', s.category) as item from workflow_state s
      where s.workspace_id = t.workspace_id and s.team_id = t.id and s.deleted_at is null order by s.position, s.id`)})::text as line
    from team t where t.workspace_id = ${workspaceId} and t.deleted_at is null order by t.identifier`.execute(db)
  for (const { line } of teams) yield line

  yield * paged(after => sql`
    select i.id, json_strip_nulls(json_build_object('kind', 'issue', 'externalId', ${externalId('i.id')}, 'team', t.identifier, 'number', i.number, 'title', i.title,
      'descriptionMarkdown', i.description_markdown, 'state', s.name, 'priority', i.priority, 'estimate', i.estimate, 'dueDate', i.due_date, 'assignee', a.fullname, 'author', c.fullname,
      'labels', ${jsonArray(sql`select l.name as item from issue_label il join label l on l.workspace_id = il.workspace_id and l.id = il.label_id where il.workspace_id = i.workspace_id and il.issue_id = i.id order by l.name`)},
      'links', ${jsonArray(sql`select json_build_object('url', k.url, 'title', k.title) as item from issue_link k where k.workspace_id = i.workspace_id and k.issue_id = i.id and k.deleted_at is null order by k.id`)},
      'createdAt', ${iso('i.created_at')}, 'updatedAt', ${iso('i.updated_at')}, 'completedAt', ${iso('i.completed_at')},
      'comments', ${threads}))::text as line
    from issue i
    join team t on t.workspace_id = i.workspace_id and t.id = i.team_id
    join workflow_state s on s.workspace_id = i.workspace_id and s.id = i.state_id
    join account c on c.workspace_id = i.workspace_id and c.id = i.created_by_id
    left join account a on a.workspace_id = i.workspace_id and a.id = i.assignee_id
    where i.workspace_id = ${workspaceId} and i.deleted_at is null and i.id > ${after} order by i.id limit ${PAGE}`)

  yield * paged(after => sql`
    select i.id, json_build_object('kind', 'relation', 'issue', ${externalId('i.id')}, 'type', 'PARENT', 'relatedIssue', ${externalId('i.parent_id')})::text as line
    from issue i where i.workspace_id = ${workspaceId} and i.deleted_at is null and i.parent_id is not null and i.id > ${after} order by i.id limit ${PAGE}`)
  yield * paged(after => sql`
    select r.id, json_build_object('kind', 'relation', 'issue', ${externalId('r.issue_id')}, 'type', r.type, 'relatedIssue', ${externalId('r.related_issue_id')})::text as line
    from issue_relation r where r.workspace_id = ${workspaceId} and r.deleted_at is null and r.id > ${after} order by r.id limit ${PAGE}`)

  async function * paged (page: (after: Id) => ReturnType<typeof sql<{ id: Id, line: string }>>): AsyncGenerator<string> {
    for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
      const { rows } = await page(after).execute(db)
      for (const { line } of rows) yield line
      if (rows.length < PAGE) return
      after = rows.at(-1)!.id
    }
  }
}

/** The name that an issue came with, or its id here. */
const externalId = (column: string) => sql`coalesce((select m.external_id from imported_issue m where m.workspace_id = ${sql.ref(`${column.split('.')[0]}.workspace_id`)} and m.issue_id = ${sql.ref(column)} limit 1), ${sql.ref(column)}::text)`

/** Comments with the replies to them. */
const comment = (alias: string, more = sql``) => sql`json_build_object('author', w.fullname, 'createdAt', ${iso(`${alias}.created_at`)}, 'bodyMarkdown', ${sql.ref(`${alias}.body_markdown`)}${more})`
const threads = jsonArray(sql`
  select ${comment('c', sql`, 'replies', ${jsonArray(sql`
    select ${comment('r')} as item from comment r join account w on w.workspace_id = r.workspace_id and w.id = r.author_id
    where r.workspace_id = c.workspace_id and r.issue_id = c.issue_id and r.parent_id = c.id and r.deleted_at is null order by r.created_at, r.id`)}`)} as item
  from comment c join account w on w.workspace_id = c.workspace_id and w.id = c.author_id
  where c.workspace_id = i.workspace_id and c.issue_id = i.id and c.parent_id is null and c.deleted_at is null order by c.created_at, c.id`)
