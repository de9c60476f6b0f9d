import { sql, type RawBuilder } from 'kysely'
import { boundedList, type ListWithLimit } from '../../../core/db/bounded-list.ts'
import { iso, jsonArray, jsonObject, jsonRow } from '../../../core/db/sql.ts'
import type { ContextSection, IssueReference, RowSection } from '../contract.ts'

/*
 * The JSON of an issue, made by the database. All expressions stand over the rows
 * `issue`, `team` and `state` (its workflow state).
 */

export const issueJoins = sql`
  join team on team.workspace_id = issue.workspace_id and team.id = issue.team_id
  join workflow_state state on state.workspace_id = issue.workspace_id and state.id = issue.state_id`

const column = (name: string) => sql`${sql.ref(name)}`
const key = sql<string>`team.identifier || '-' || issue.number`

const labelIds = jsonArray(sql`
  select il.label_id from issue_label il join label l on l.workspace_id = il.workspace_id and l.id = il.label_id and l.deleted_at is null
  where il.workspace_id = issue.workspace_id and il.issue_id = issue.id order by il.label_id`)

/** The id of the record that an issue refers to; of one that was removed, null. */
export const referenceId = ({ table, column }: IssueReference, issue = 'issue'): RawBuilder<string | null> => sql`(
  select r.id from ${sql.table(table)} r
  where r.workspace_id = ${sql.ref(`${issue}.workspace_id`)} and r.id = ${sql.ref(`${issue}.${column}`)}
    and r.deleted_at is null)`

/** A row of the board: no description. */
export const listRow = (references: readonly IssueReference[], sections: readonly RowSection[]): RawBuilder<object> =>
  jsonObject({
    id: column('issue.id'),
    key,
    title: column('issue.title'),
    stateId: column('issue.state_id'),
    stateCategory: column('state.category'),
    assigneeId: column('issue.assignee_id'),
    priority: column('issue.priority'),
    labelIds,
    ...Object.fromEntries(references.filter(r => r.field === 'projectId').map(r => [r.field, referenceId(r)])),
    ...Object.fromEntries(sections.map(({ name, json }) => [name, json])),
    updatedAt: iso('issue.updated_at')
  })

/** Every column; the stored description only if `raw`. */
export const fullRow = (references: readonly IssueReference[], raw = true): RawBuilder<object> =>
  jsonObject({
    id: column('issue.id'),
    number: column('issue.number'),
    key,
    title: column('issue.title'),
    ...(raw && { description: column('issue.description') }),
    descriptionMarkdown: column('issue.description_markdown'),
    priority: column('issue.priority'),
    estimate: column('issue.estimate'),
    dueDate: column('issue.due_date'),
    sortOrder: column('issue.sort_order'),
    teamId: column('issue.team_id'),
    stateId: column('issue.state_id'),
    stateCategory: column('state.category'),
    assigneeId: column('issue.assignee_id'),
    ...Object.fromEntries(references.map(r => [r.field, referenceId(r)])),
    parentId: column('issue.parent_id'),
    labelIds,
    createdById: column('issue.created_by_id'),
    updatedById: column('issue.updated_by_id'),
    createdAt: iso('issue.created_at'),
    updatedAt: iso('issue.updated_at'),
    completedAt: iso('issue.completed_at'),
    rev: column('issue.rev')
  })

/** The changes that people read in a history. */
export const READABLE_CHANGES = ['state', 'assignee', 'priority', 'estimate', 'team', 'label', 'parent']

/** An issue that another one names; `issue` and `team` are aliases of rows. */
const linked = (issue: string, team: string) => ({
  id: column(`${issue}.id`),
  key: sql`${column(`${team}.identifier`)} || '-' || ${column(`${issue}.number`)}`,
  title: column(`${issue}.title`)
})

/** The lists of a context that issues have themselves; each is one row over the row `issue`. */
function ownLists(references: readonly IssueReference[]): Record<string, ListWithLimit> {
  const changes = [...READABLE_CHANGES, ...references.map(r => r.key)]
  return {
    labels: boundedList(
      sql`
      select ${jsonObject({ id: sql`l.id`, name: sql`l.name` })} as json, lower(l.name) as name, l.id
      from issue_label il join label l on l.workspace_id = il.workspace_id and l.id = il.label_id and l.deleted_at is null
      where il.workspace_id = issue.workspace_id and il.issue_id = issue.id`,
      { order: sql`name, id` }
    ),
    subIssues: boundedList(
      sql`
      select ${jsonObject({ ...linked('c', 'ct'), stateCategory: sql`cs.category` })} as json,
        c.sort_order, c.created_at, c.id
      from issue c join team ct on ct.workspace_id = c.workspace_id and ct.id = c.team_id
        join workflow_state cs on cs.workspace_id = c.workspace_id and cs.id = c.state_id
      where c.workspace_id = issue.workspace_id and c.parent_id = issue.id and c.deleted_at is null`,
      { order: sql`sort_order, created_at, id` }
    ),
    relations,
    linkedIssues: boundedList(
      sql`
      select ${jsonObject({ id: sql`k.id`, url: sql`k.url`, title: sql`k.title` })} as json, k.created_at, k.id
      from issue_link k
      where k.workspace_id = issue.workspace_id and k.issue_id = issue.id and k.deleted_at is null`,
      { order: sql`created_at, id` }
    ),
    history: boundedList(
      sql`
      select ${jsonObject({
        at: iso('h.at'),
        actor: sql`a.fullname`,
        change: sql`h.change`,
        from: sql`h.from_name`,
        to: sql`h.to_name`
      })} as json, h.at, h.id
      from issue_change h join account a on a.workspace_id = h.workspace_id and a.id = h.actor_id
      where h.workspace_id = issue.workspace_id and h.issue_id = issue.id
        and h.change = any(${sql.lit(`{${changes.join(',')}}`)}::text[])`,
      { order: sql`at, id`, keep: sql`at desc, id desc` }
    )
  }
}

/**
 * What blocks the issue comes first where there is no room for all. The other issue is read laterally and fenced
 * (offset 0), so that no plan begins with the board and looks for relations of each issue.
 */
const relations = boundedList(
  sql`
  select ${jsonObject({
    id: sql`r.id`,
    type: sql`r.type`,
    issue: jsonObject({ ...linked('o', 'o'), stateCategory: sql`o.category` })
  })} as json,
    r.type = 'BLOCKED' and o.category not in ('COMPLETED', 'CANCELED') as is_open_blocker, r.created_at, r.id
  from (
    select type, related_issue_id as other_id, created_at, id from issue_relation
    where workspace_id = issue.workspace_id and issue_id = issue.id and deleted_at is null
    union all
    select case type when 'BLOCKS' then 'BLOCKED' when 'DUPLICATE_OF' then 'DUPLICATE' else type end, issue_id,
      created_at, id from issue_relation
    where workspace_id = issue.workspace_id and related_issue_id = issue.id and deleted_at is null
  ) r
  cross join lateral (
    select o.id, ot.identifier, o.number, o.title, os.category
    from issue o join team ot on ot.workspace_id = o.workspace_id and ot.id = o.team_id
      join workflow_state os on os.workspace_id = o.workspace_id and os.id = o.state_id
    where o.workspace_id = issue.workspace_id and o.id = r.other_id and o.deleted_at is null offset 0
  ) o`,
  { order: sql`created_at, id`, keep: sql`is_open_blocker desc, created_at, id` }
)

/** What a context is made of: an expression, the joins that it needs, and what its lists leave out. */
export interface ContextSql {
  json: RawBuilder<object>
  joins: RawBuilder<unknown>
  /** The text of a JSON object of numbers; null when nothing is left out. */
  omitted: RawBuilder<string | null>
}

/** All that is known about one issue, with the sections of the other plugins: part of one statement. */
export function contextSql(references: readonly IssueReference[], sections: readonly ContextSection[]): ContextSql {
  const { history, ...before } = ownLists(references)
  const lists = {
    ...before,
    ...Object.fromEntries(sections.flatMap(section => ('list' in section ? [[section.name, section.list]] : []))),
    history: history!
  }
  const ofList = (name: string, column: 'items' | 'omitted') => sql.ref(`list ${name}.${column}`)
  const json = jsonObject({
    id: column('issue.id'),
    key,
    title: column('issue.title'),
    descriptionMarkdown: column('issue.description_markdown'),
    state: jsonRow(sql`select state.id, state.name, state.category`),
    assignee: jsonRow(
      sql`select a.id, a.fullname from account a where a.workspace_id = issue.workspace_id and a.id = issue.assignee_id`
    ),
    team: jsonRow(sql`select team.id, team.identifier, team.name`),
    labels: ofList('labels', 'items'),
    priority: column('issue.priority'),
    estimate: column('issue.estimate'),
    dueDate: column('issue.due_date'),
    ...Object.fromEntries(
      references.map(r => [
        r.key,
        jsonRow(sql`
      select r.id, r.name from ${sql.table(r.table)} r
      where r.workspace_id = issue.workspace_id and r.id = ${sql.ref(`issue.${r.column}`)} and r.deleted_at is null`)
      ])
    ),
    parent: jsonRow(sql`
      select p.id, pt.identifier || '-' || p.number as key, p.title
      from issue p join team pt on pt.workspace_id = p.workspace_id and pt.id = p.team_id
      where p.workspace_id = issue.workspace_id and p.id = issue.parent_id and p.deleted_at is null`),
    ...Object.fromEntries(['subIssues', 'relations', 'linkedIssues'].map(name => [name, ofList(name, 'items')])),
    ...Object.fromEntries(
      sections.map(section => [section.name, 'list' in section ? ofList(section.name, 'items') : section.json])
    ),
    history: ofList('history', 'items'),
    definitionOfDone: jsonRow(sql`select issue.criteria_met as met, issue.criteria_total as total`),
    rev: column('issue.rev'),
    createdAt: iso('issue.created_at'),
    updatedAt: iso('issue.updated_at')
  })
  const counts = Object.keys(lists).map(name => [name, sql`nullif(${ofList(name, 'omitted')}, 0)`] as const)
  return {
    json,
    joins: sql.join(
      Object.entries(lists).map(([name, list]) => sql`cross join lateral (${list}) ${sql.ref(`list ${name}`)}`),
      sql` `
    ),
    omitted: sql`nullif(json_strip_nulls(${jsonObject(Object.fromEntries(counts))})::text, '{}')`
  }
}
