import { sql } from 'kysely'
import { boundedList, columnsOf, jsonArray } from '../../../../core/api/database/queries.ts'
import type { WorkspaceId } from '../../../../core/api/database/types.ts'
import { parseRelation, RELATION_TYPES } from '../../fields/relation.ts'
import { parseIssueName } from '../../keys.ts'
import type { RelationType } from '../../tables.ts'
import { isIn, not } from './conditions.ts'
import { badValue, describeValue, listOf, type Entry, type FilterKey } from './filter-keys.ts'

/** Over a row `taken` with `number` and `team_id`. */
export const otherKey = (workspaceId: WorkspaceId) => sql`(
  select t.identifier || '-' || taken.number from team t
  where t.workspace_id = ${workspaceId} and t.id = taken.team_id)`
export const categoryOf = (workspaceId: WorkspaceId, row: string) => sql`(
  select s.category from workflow_state s
  where s.workspace_id = ${workspaceId} and s.id = ${sql.ref(`${row}.state_id`)})`

/**
 * The relations of the issue as it sees them: `r`, with `type` and `other_id`, and `o`, the other issue. `o` is read
 * laterally and fenced (`offset 0`), and `o.deleted_at` is tested outside the fence, so that only the primary key fits:
 * without statistics, the planner may choose a partial index of the whole board instead.
 */
const seenRelations = (workspaceId: WorkspaceId) => sql`(
    select type, related_issue_id as other_id, created_at, id from issue_relation
    where workspace_id = ${workspaceId} and issue_id = issue.id and deleted_at is null
    union all
    select case type when 'BLOCKS' then 'BLOCKED' when 'DUPLICATE_OF' then 'DUPLICATE' else type end, issue_id,
      created_at, id from issue_relation
    where workspace_id = ${workspaceId} and related_issue_id = issue.id and deleted_at is null
  ) r
  cross join lateral (
    select o.number, o.title, o.team_id, o.state_id, o.deleted_at from issue o
    where o.workspace_id = ${workspaceId} and o.id = r.other_id offset 0
  ) o`

/** Open blockers are kept if there is no room for all. */
export const relations = (workspaceId: WorkspaceId) =>
  boundedList(
    sql`
  select r.id, r.type, r.created_at, r.other_id, o.number, o.title, o.team_id, o.state_id,
    r.type = 'BLOCKED' and ${categoryOf(workspaceId, 'o')} not in ('COMPLETED', 'CANCELED') as is_open_blocker
  from ${seenRelations(workspaceId)}
  where o.deleted_at is null`,
    {
      item: {
        id: sql`taken.id`,
        type: sql`taken.type`,
        issue: sql`row_to_json(other)`
      },
      joins: sql`cross join lateral (
        select ${columnsOf({
          id: sql`taken.other_id`,
          key: otherKey(workspaceId),
          title: sql`taken.title`,
          stateCategory: categoryOf(workspaceId, 'taken')
        })}) other`,
      order: sql`created_at, id`,
      keep: sql`is_open_blocker desc, created_at, id`
    }
  )

const MAX_SHOWN = 10

/** The first relations as rows with names show them, such as `BLOCKED ENG-2`; null when there are none. */
export const relationNames = (workspaceId: WorkspaceId) => sql`(
  select nullif(${jsonArray(sql`
    select r.type || ' ' || t.identifier || '-' || o.number from ${seenRelations(workspaceId)}
    join team t on t.workspace_id = ${workspaceId} and t.id = o.team_id
    where o.deleted_at is null order by r.type <> 'BLOCKED', r.created_at, r.id
    limit ${sql.lit(MAX_SHOWN)}`)}::text, '[]')::json)`

/** The columns of a stored relation with the issue that sees it as this type, and with the other one. */
const FORWARD = ['issue_id', 'related_issue_id'] as const
const BACKWARD = ['related_issue_id', 'issue_id'] as const

const idsOfRelated = (workspaceId: WorkspaceId, type: RelationType, otherId: string | undefined) => {
  const stored = type === 'BLOCKED' ? 'BLOCKS' : type === 'DUPLICATE' ? 'DUPLICATE_OF' : type
  const isSymmetric = type === 'RELATED' || type === 'SIMILAR'
  const ends = isSymmetric ? [FORWARD, BACKWARD] : [stored === type ? FORWARD : BACKWARD]
  return ends.map(
    ([end, other]) => sql`
      select ${sql.ref(`r.${end}`)} from issue_relation r
      join issue o on o.workspace_id = ${workspaceId} and o.id = ${sql.ref(`r.${other}`)} and o.deleted_at is null
      where r.workspace_id = ${workspaceId} and r.type = ${stored} and r.deleted_at is null
        ${otherId === undefined ? sql`` : sql`and ${sql.ref(`r.${other}`)} = ${otherId}::uuid`}`
  )
}

const relationsIn = (entry: Entry, name: string) =>
  listOf(entry, name).map(value => {
    const relation = typeof value === 'string' ? parseRelation(value) : undefined
    if (relation && (relation.issue === undefined || parseIssueName(relation.issue))) return relation
    const forms = `a type (${RELATION_TYPES.join(', ')}) alone or with an issue, such as BLOCKED ENG-2`
    throw badValue(name, `must hold relations: ${forms}; '${describeValue(value)}' is none`)
  })

export const relationFilter = (workspaceId: WorkspaceId): FilterKey => ({
  types: ['IS', 'IS_NOT'],
  collect(entry, name, references) {
    for (const { issue } of relationsIn(entry, name)) {
      if (issue !== undefined) references.issues.set(issue, `filters.${name}`)
    }
  },
  condition(entry, name, resolved) {
    const ids = relationsIn(entry, name).flatMap(({ type, issue }) =>
      idsOfRelated(workspaceId, type, issue && resolved.issue(issue).id)
    )
    const has = ids.length === 0 ? sql<boolean>`false` : isIn(sql.join(ids, sql` union all `))
    return entry.filterType === 'IS' ? has : not(has)
  }
})
