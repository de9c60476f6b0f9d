import { sql, type RawBuilder } from 'kysely'
import { jsonRow } from '../../core/api/database/queries.ts'
import type { Id, WorkspaceId } from '../../core/api/database/types.ts'
import type { ReferenceField } from '../issues/contract.ts'
import type { Db, Trx } from './context.ts'
import type { Report, Spending, Sums } from './contract.ts'

const MICROS = 1_000_000

/** The groups of reports, beside the fields that plugins add to issues. */
export const GROUPS = ['issue', 'agent', 'model', 'run', 'day'] as const
export type Group = (typeof GROUPS)[number] | ReferenceField

export interface Selection {
  issueId?: Id | undefined
  accountId?: Id | undefined
  /** The values of fields of the issues. */
  references: ReadonlyArray<{ field: ReferenceField; id: Id }>
  /** The first day, and the last one, in UTC. */
  from?: string | undefined
  to?: string | undefined
}

/** Sums over reports as SQL columns; false and unknown values are null, so that JSON can leave them out. */
const sums = sql`
  sum(report.input_tokens)::float8 as "inputTokens", sum(report.output_tokens)::float8 as "outputTokens",
  sum(report.cached_tokens)::float8 as "cachedTokens",
  (sum(report.cost_micros) / ${sql.lit(MICROS)}.0)::float8 as "costUsd",
  nullif(bool_or(report.is_estimated), false) as "estimated",
  nullif(bool_or(report.cost_micros is null), false) as "costUnknown"`

type SumsRow = { [Field in keyof Sums]-?: Sums[Field] | null }

const sumsOf = ({ inputTokens, outputTokens, cachedTokens, costUsd, estimated, costUnknown }: SumsRow): Sums => ({
  inputTokens: inputTokens ?? 0,
  outputTokens: outputTokens ?? 0,
  cachedTokens: cachedTokens ?? 0,
  ...(costUsd !== null && { costUsd }),
  ...(estimated && { estimated }),
  ...(costUnknown && { costUnknown })
})

/** Stores a report, or replaces the one with its id. */
export const writeReport = (
  trx: Trx,
  workspaceId: Id,
  { costUsd, ...report }: Report & { tokenId: Id; accountId: Id; isEstimated: boolean },
  at: Date
) =>
  trx
    .insertInto('usageReport')
    .values({
      workspaceId,
      ...report,
      costMicros: costUsd === undefined ? null : Math.round(costUsd * MICROS),
      createdAt: at,
      updatedAt: at
    })
    .onConflict(conflict =>
      conflict.columns(['workspaceId', 'tokenId', 'reportId']).doUpdateSet(({ ref }) => ({
        issueId: ref('excluded.issueId'),
        runId: ref('excluded.runId'),
        session: ref('excluded.session'),
        model: ref('excluded.model'),
        inputTokens: ref('excluded.inputTokens'),
        outputTokens: ref('excluded.outputTokens'),
        cachedTokens: ref('excluded.cachedTokens'),
        costMicros: ref('excluded.costMicros'),
        isEstimated: ref('excluded.isEstimated'),
        updatedAt: ref('excluded.updatedAt')
      }))
    )
    .execute()

export async function sumSpending(db: Db, workspaceId: Id, of: Spending): Promise<Sums> {
  const condition =
    'issueId' in of
      ? sql`report.issue_id = ${of.issueId}`
      : 'runId' in of
        ? sql`report.run_id = ${of.runId}`
        : sql`report.run_id is not null and report.created_at >= ${of.runsSince}`
  const { rows } = await sql<SumsRow>`
    select ${sums} from usage_report report where report.workspace_id = ${workspaceId} and ${condition}`.execute(db)
  return sumsOf(rows[0]!)
}

export async function sumReports(db: Db, workspaceId: Id, selection: Selection): Promise<Sums> {
  const { rows } = await sql<SumsRow>`select ${sums} ${selected(workspaceId, selection)}`.execute(db)
  return sumsOf(rows[0]!)
}

/** The costliest first, of days the last. @returns one more than `limit` if there are more */
export async function sumGroups(db: Db, workspaceId: Id, selection: Selection, group: Group, limit: number) {
  const { id, name, joins = sql`` } = groupSql(workspaceId, group)
  const order = group === 'day' ? sql`1 desc` : sql`"costUsd" desc nulls last, "outputTokens" desc, 1`
  const { rows } = await sql<SumsRow & { id: string | null; name: string | null }>`
    select (${id})::text as id, min(${name}) as name, ${sums} ${selected(workspaceId, selection, joins)}
    group by 1 order by ${order} limit ${limit + 1}`.execute(db)
  return rows.map(({ id, name, ...row }) => ({ id, name, ...sumsOf(row) }))
}

// Raw, because the columns of `issue` are of other plugins, too.
function selected(workspaceId: Id, selection: Selection, joins: RawBuilder<unknown> = sql``) {
  const { issueId, accountId, references, from, to } = selection
  const conditions = [
    sql`report.workspace_id = ${workspaceId}`,
    ...(issueId === undefined ? [] : [sql`report.issue_id = ${issueId}`]),
    ...(accountId === undefined ? [] : [sql`report.account_id = ${accountId}`]),
    ...references.map(({ field, id }) => sql`issue.${sql.id(field.column)} = ${id}`),
    ...(from === undefined ? [] : [sql`report.created_at >= ${`${from}T00:00:00Z`}::timestamptz`]),
    ...(to === undefined ? [] : [sql`report.created_at < ${`${to}T00:00:00Z`}::timestamptz + interval '1 day'`])
  ]
  return sql`
    from usage_report report
    left join issue on issue.workspace_id = ${workspaceId} and issue.id = report.issue_id
    ${joins}
    where ${sql.join(conditions, sql` and `)}`
}

function groupSql(
  workspaceId: Id,
  group: Group
): { id: RawBuilder<unknown>; name: RawBuilder<string>; joins?: RawBuilder<unknown> } {
  if (typeof group === 'object') {
    const { column, source } = group
    if (typeof source === 'string') throw new Error(`Usage is not grouped by ${group.key}.`)
    const record = sql`named.workspace_id = ${workspaceId} and named.id = issue.${sql.id(column)}`
    return {
      id: sql`issue.${sql.id(column)}`,
      name: sql`named.${sql.id(source.name)}`,
      joins: sql`left join ${sql.table(source.table)} named on ${record}`
    }
  }
  switch (group) {
    case 'issue':
      return {
        id: sql`report.issue_id`,
        name: sql`team.identifier || '-' || issue.number`,
        joins: sql`left join team on team.workspace_id = ${workspaceId} and team.id = issue.team_id`
      }
    case 'agent':
      return {
        id: sql`report.account_id`,
        name: sql`account.fullname`,
        joins: sql`join account on account.workspace_id = ${workspaceId} and account.id = report.account_id`
      }
    case 'model':
      return { id: sql`report.model`, name: sql`report.model` }
    case 'run':
      return { id: sql`report.run_id`, name: sql`report.run_id::text` }
    case 'day': {
      const day = sql<string>`to_char(report.created_at at time zone 'UTC', 'YYYY-MM-DD')`
      return { id: day, name: day }
    }
  }
}

/** The cost of the reports still counts. */
export async function forgetIssues(trx: Trx, workspaceId: Id, issueIds: readonly Id[]): Promise<void> {
  await trx
    .updateTable('usageReport')
    .set({ issueId: null, session: null })
    .where('workspaceId', '=', workspaceId)
    .where('issueId', '=', sql<Id>`any(${issueIds}::uuid[])`)
    .execute()
}

/** Null without reports. */
export const usageOfContext = (workspaceId: WorkspaceId) =>
  jsonRow(sql`
  select ${sums} from usage_report report
  where report.workspace_id = ${workspaceId} and report.issue_id = issue.id having count(*) > 0`)

/** Null if it is unknown. */
export const costOfRow = (workspaceId: WorkspaceId) => sql<number | null>`(
  select (sum(report.cost_micros) / ${sql.lit(MICROS)}.0)::float8 from usage_report report
  where report.workspace_id = ${workspaceId} and report.issue_id = issue.id)`
