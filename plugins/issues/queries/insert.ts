import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { Id } from '../../../core/db/tables.ts'
import type { IssuesDatabase, StoredRelationType } from '../contract.ts'
import type { Field } from '../field.ts'
import { completedAt, stateIsGone } from './write.ts'

/** An issue as it is inserted; its other columns have the defaults of a new one. */
export interface IssueRow {
  id: Id
  number: number
  description: string | null
  descriptionMarkdown: string
  described: boolean
  criteriaMet: number
  criteriaTotal: number
  /** Of the fields, by column. */
  values: Record<string, unknown>
  /** The ids of things in lists, by the key of the field. */
  linked: Record<string, Id[]>
  relations: Array<{ id: Id; issueId: Id; relatedIssueId: Id; type: StoredRelationType }>
  links: Array<{ id: Id; url: string; title: string }>
}

/**
 * Inserts issues with their lists, relations and links: one statement, whatever their number.
 * @param fields those that can be set
 * @param events what `ctx.emitting` returns
 * @throws 409 when a state was removed meanwhile
 */
export async function insertIssues(
  db: Kysely<IssuesDatabase>,
  workspaceId: Id,
  actorId: Id,
  at: Date,
  rows: readonly IssueRow[],
  fields: readonly Field[],
  events: RawBuilder<unknown>
): Promise<void> {
  const json = JSON.stringify(
    rows.map(({ description: _, descriptionMarkdown: __, values, ...row }) => ({ ...row, ...values }))
  )
  // By themselves, because PostgreSQL would read the JSON of a long text several times in the JSON of all.
  const texts = sql.join(
    rows.map(row => sql`(${row.id}::uuid, ${row.description}::json, ${row.descriptionMarkdown}::text)`)
  )
  const columns = fields.flatMap(field => (field.kind === 'links' ? [] : [field]))
  const named = sql.join(columns.map(({ column }) => sql.ref(column)))
  const typed = sql.join(
    columns.map(field => sql`${sql.ref(field.column)} ${sql.raw(field.kind === 'value' ? field.type : 'uuid')}`)
  )
  const time = sql`${at}::timestamptz`
  // Raw, because the columns follow from the fields, which other plugins may have contributed.
  const { rows: inserted } = await sql<{ n: number }>`
    with input as materialized (
      select * from json_to_recordset(${json}::json) as x (
        "id" uuid, "number" int, "described" boolean, "criteriaMet" int, "criteriaTotal" int,
        "linked" json, "relations" json, "links" json, ${typed})),
    state as materialized (
      select id, category from workflow_state
      where workspace_id = ${workspaceId} and id in (select state_id from input) and deleted_at is null
      order by id for share),
    text (id, description, markdown) as (values ${texts}),
    inserted as (
      insert into issue (workspace_id, id, number, description, description_markdown, described,
        criteria_met, criteria_total, assigned_at,
        created_by_id, updated_by_id, created_at, updated_at, completed_at, ${named})
      select ${workspaceId}::uuid, input."id", "number", text.description, text.markdown,
        "described", "criteriaMet", "criteriaTotal", case when assignee_id is not null then ${time} end,
        ${actorId}::uuid, ${actorId}::uuid, ${time}, ${time}, ${completedAt(sql`null`, at)}, ${named}
      from input join text on text.id = input."id" join state on state.id = input.state_id returning 1),
    ${linkedRows(workspaceId, fields)}
    linked as (
      insert into issue_link (workspace_id, id, issue_id, url, title, created_at)
      select ${workspaceId}::uuid, (l->>'id')::uuid, "id", l->>'url', l->>'title', ${time}
      from input, json_array_elements("links") l),
    related as (
      insert into issue_relation (workspace_id, id, issue_id, related_issue_id, type, created_by_id, created_at)
      select ${workspaceId}::uuid, (r->>'id')::uuid, (r->>'issueId')::uuid, (r->>'relatedIssueId')::uuid, r->>'type',
        ${actorId}::uuid, ${time}
      from input, json_array_elements("relations") r),
    told as (${events})
    select count(*) as n from inserted`.execute(db)
  if (inserted[0]!.n < rows.length) throw stateIsGone()
}

/** The rows of the link tables, each table in a part of the statement. */
function linkedRows(workspaceId: Id, fields: readonly Field[]) {
  const parts = fields.flatMap((field, n) =>
    field.kind !== 'links'
      ? []
      : [
          sql`${sql.raw(`linked_${n}`)} as (
            insert into ${sql.table(field.table)} (workspace_id, issue_id, ${sql.ref(field.column)})
            select distinct ${workspaceId}::uuid, "id", l.value::uuid
            from input, json_array_elements_text("linked"->${sql.lit(field.key)}) l),`
        ]
  )
  return parts.length === 0 ? sql`` : sql.join(parts, sql` `)
}
