import { sql, type RawBuilder, type Transaction } from 'kysely'
import { notDeletedIn } from '../../../core/db/workspace-rows.ts'
import type { Id } from '../../../core/db/tables.ts'
import { isDistributed } from '../../../core/db/worker-reads.ts'
import type { IssuesDatabase, StoredRelationType } from '../contract.ts'
import type { Field } from '../field.ts'
import { stateIsGone } from './write.ts'

/** An issue as it is inserted; its other columns have the defaults of a new one. */
export interface IssueRow {
  id: Id
  number: number
  key: string
  description: string | null
  descriptionMarkdown: string
  described: boolean
  criteriaMet: number
  criteriaTotal: number
  /** The values of the fields, by column. */
  values: Record<string, unknown>
  /** The ids of things in lists, by the key of the field. */
  linked: Record<string, Id[]>
  relations: Array<{ id: Id; issueId: Id; relatedIssueId: Id; type: StoredRelationType }>
  links: Array<{ id: Id; url: string; title: string }>
}

/** Rows of a list in one statement: PostgreSQL takes 65,535 parameters. */
const MAX_ROWS = 2_000

/**
 * Inserts issues with their lists, relations and links: one statement, after one that locks their states; very long
 * lists take further ones. Its parts insert values, which a distributed engine sends on as they are, when each is a
 * statement by itself.
 * @param fields those that can be set
 * @param events what `ctx.emitting` returns
 * @throws 409 when a state was removed meanwhile
 */
export async function insertIssues(
  trx: Transaction<IssuesDatabase>,
  workspaceId: Id,
  actorId: Id,
  at: Date,
  rows: readonly IssueRow[],
  fields: readonly Field[],
  events: RawBuilder<unknown>
): Promise<void> {
  const completedStates = await lockStates(trx, workspaceId, rows)
  const columns = fields.flatMap(field => (field.kind === 'links' ? [] : [field.column]))
  const issues = rows.map(row => {
    const { assignee_id: assigneeId = null, state_id: stateId } = row.values
    return [
      ...[workspaceId, row.id, row.number, row.description, row.descriptionMarkdown, row.described],
      ...[row.criteriaMet, row.criteriaTotal, assigneeId === null ? null : at],
      ...[actorId, actorId, at, at, completedStates.has(stateId) ? at : null],
      ...columns.map(column => row.values[column] ?? null)
    ]
  })
  const links = rows.flatMap(row => row.links.map(({ id, url, title }) => [workspaceId, id, row.id, url, title, at]))
  const relations = rows
    .flatMap(row => row.relations)
    .map(({ id, issueId, relatedIssueId, type }) => [workspaceId, id, issueId, relatedIssueId, type, actorId, at])
  const named = columns.map(column => sql`, ${sql.ref(column)}`)
  const lists = [
    ...linkedRows(workspaceId, rows, fields),
    { into: sql`issue_link (workspace_id, id, issue_id, url, title, created_at)`, rows: links },
    {
      into: sql`issue_relation (workspace_id, id, issue_id, related_issue_id, type, created_by_id, created_at)`,
      rows: relations
    }
  ]
  const parts = [
    insertion({
      into: sql`issue (workspace_id, id, number, description, description_markdown, described, criteria_met,
        criteria_total, assigned_at, created_by_id, updated_by_id, created_at, updated_at,
        completed_at ${sql.join(named, sql``)})`,
      rows: issues
    }),
    ...lists
      .filter(list => list.rows.length > 0)
      .map(list => insertion({ ...list, rows: list.rows.slice(0, MAX_ROWS) })),
    events
  ]
  // Raw, because the columns follow from the fields, which other plugins may have contributed.
  if (isDistributed(trx)) {
    for (const part of parts) await part.execute(trx)
  } else {
    const together = parts.map((part, n) => sql`${sql.raw(`part_${n}`)} as (${part})`)
    await sql`with ${sql.join(together)} select`.execute(trx)
  }
  for (const { into, rows } of lists) {
    for (let from = MAX_ROWS; from < rows.length; from += MAX_ROWS) {
      await insertion({ into, rows: rows.slice(from, from + MAX_ROWS) }).execute(trx)
    }
  }
}

/** Locks the states of issues, which may change their category or be removed otherwise. @returns those COMPLETED */
async function lockStates(
  trx: Transaction<IssuesDatabase>,
  workspaceId: Id,
  rows: readonly IssueRow[]
): Promise<Set<unknown>> {
  const ids = new Set(rows.map(row => row.values['state_id']))
  const states = await trx
    .selectFrom('workflowState')
    .select(['id', 'category'])
    .where(notDeletedIn(workspaceId))
    .where(sql<boolean>`id = any(${[...ids]}::uuid[])`)
    .orderBy('id')
    .forShare()
    .execute()
  if (states.length < ids.size) throw stateIsGone()
  return new Set(states.filter(({ category }) => category === 'COMPLETED').map(({ id }) => id))
}

/** Rows of a table. */
interface Insertion {
  /** The table with its columns. */
  into: RawBuilder<unknown>
  rows: ReadonlyArray<readonly unknown[]>
}

const insertion = ({ into, rows }: Insertion): RawBuilder<unknown> =>
  sql`insert into ${into} values ${sql.join(rows.map(values => sql`(${sql.join(values)})`))}`

/** The rows of the link tables. */
const linkedRows = (workspaceId: Id, rows: readonly IssueRow[], fields: readonly Field[]): Insertion[] =>
  fields.flatMap(field => {
    if (field.kind !== 'links') return []
    const linked = rows.flatMap(row => [...new Set(row.linked[field.key])].map(id => [workspaceId, row.id, id]))
    return [{ into: sql`${sql.table(field.table)} (workspace_id, issue_id, ${sql.ref(field.column)})`, rows: linked }]
  })
