import { sql, type RawBuilder } from 'kysely'
import type { Id } from '../../../core/api/database/types.ts'
import type { ReferenceField } from '../../issues/contract.ts'
import type { MeasureSource, Span } from '../contract.ts'

export const GROUPINGS = ['week', 'assignee', 'label', 'agent'] as const
export type Grouping = (typeof GROUPINGS)[number]

export interface Selection {
  workspaceId: Id
  teamId: Id | undefined
  /** Values of fields that plugins have added to issues, such as the project. */
  references: ReadonlyArray<{ field: ReferenceField; id: Id }>
  span: Span
  /** The end of the present millisecond; that of the span, or of the week whose issues are listed, if it is earlier. */
  until: Date
  by: Grouping
  /** The labels that there are, if the figures are grouped by them: a join would look each of an issue's up. */
  labelIds: readonly Id[]
}

/** Over the row `issue`: it exists, and is selected. The team and the project are those that it has now. */
export function isSelected({ workspaceId, teamId, references }: Selection): RawBuilder<boolean> {
  return sql.join(
    [
      sql`issue.workspace_id = ${workspaceId} and issue.deleted_at is null`,
      ...(teamId === undefined ? [] : [sql`issue.team_id = ${teamId}`]),
      ...references.map(({ field, id }) => sql`issue.${sql.id(field.column)} = ${id}`)
    ],
    sql` and `
  )
}

/** Over the row `s` of `insight_step`: its issue is selected. */
export function isSelectedStep(selection: Selection): RawBuilder<boolean> {
  const { workspaceId, teamId, references } = selection
  return sql.join(
    [
      sql`s.workspace_id = ${workspaceId}`,
      ...(teamId === undefined ? [] : [sql`s.team_id = ${teamId}`]),
      ...(references.length === 0
        ? []
        : [sql`s.issue_id in (select issue.id from issue where ${isSelected(selection)})`])
    ],
    sql` and `
  )
}

export const isWithin = (at: RawBuilder<unknown>, { from, to }: Span): RawBuilder<boolean> =>
  sql<boolean>`${at} >= ${from}::timestamptz and ${at} < ${to}::timestamptz`

export const isByAccount = ({ by }: Selection): boolean => by === 'assignee' || by === 'agent'

export const weekOf = (at: RawBuilder<unknown>): RawBuilder<Date> =>
  sql<Date>`date_trunc('week', ${at} at time zone 'UTC')::date`

/** The id may be null; by agent, rows without one are in no group. Ids become text after they are grouped: faster. */
export function groupOf(
  { workspaceId, by, labelIds }: Selection,
  { at, issueId, accountId }: MeasureSource
): { joins: RawBuilder<unknown>; id: RawBuilder<unknown>; isGrouped: RawBuilder<boolean> } {
  const isGrouped = sql<boolean>`true`
  if (by === 'week') return { joins: sql``, id: weekOf(at), isGrouped }
  if (by === 'label') {
    const labels = sql`
      left join issue_label il on il.workspace_id = ${workspaceId} and il.issue_id = ${issueId}
        and il.label_id = any(${labelIds}::uuid[])`
    return { joins: labels, id: sql`il.label_id`, isGrouped }
  }
  const account = accountId === undefined ? assigneeAt(workspaceId, at) : { joins: sql``, id: accountId }
  if (by === 'assignee') return { joins: account.joins, id: account.id, isGrouped }
  const agents = sql`${account.joins}
    left join account agent
      on agent.workspace_id = ${workspaceId} and agent.id = ${account.id} and agent.kind = 'AGENT'`
  return { joins: agents, id: sql`agent.id`, isGrouped: sql`agent.id is not null` }
}

/** The one that the next change replaces. Older releases have stored only its name. */
export function assigneeAt(workspaceId: Id, at: RawBuilder<Date>) {
  const joins = sql`
    left join lateral (
      select true as there, next.from_id, next.from_name from issue_change next
      where next.workspace_id = ${workspaceId} and next.issue_id = issue.id and next.change = 'assignee'
        and next.at > ${at}
      order by next.at, next.id limit 1) later on true`
  const named = sql`(
    select a.id from account a where a.workspace_id = ${workspaceId} and a.fullname = later.from_name
    order by a.deleted_at nulls first, a.id limit 1)`
  const id = sql<Id | null>`
    case when later.there then coalesce(later.from_id, ${named}) else issue.assignee_id end`
  return { joins, id }
}
