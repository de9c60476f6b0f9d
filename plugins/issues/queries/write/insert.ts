import { sql, type RawBuilder, type Selectable, type Transaction } from 'kysely'
import type { Id, Reader } from '../../../../core/api/database/types.ts'
import { statement, writeTogether } from '../../../../core/api/database/queries.ts'
import type { IssuesDatabase, StoredRelationType } from '../../contract.ts'
import type { Field } from '../../fields/field.ts'
import { stateIsGone } from './write.ts'

/* Raw SQL: columns follow from the fields, which other plugins contribute, too. */

/**
 * Takes the next `n` numbers of a team, and returns the last of them. A statement and commit of its own, so that
 * concurrent creates wait for each other only here; it need not reach the disk by itself, because the commit of
 * whatever uses the numbers follows it in the log.
 */
export const takeNumbers = async (
  db: Reader<IssuesDatabase>,
  workspaceId: Id,
  teamId: Id,
  n: number
): Promise<number> => (await takeNumbersStatement(db, { workspaceId, teamId, n }))[0]!.last
const takeNumbersStatement = statement<{ workspaceId: Id; teamId: Id; n: number }, { last: number }>(
  import.meta,
  'takeNumbers',
  ({ workspaceId, teamId, n }) => sql`
  insert into issue_counter (workspace_id, team_id, last)
  values (${workspaceId}::uuid, ${teamId}::uuid,
    case when set_config('synchronous_commit', 'off', true) = 'off' then ${n}::int end)
  on conflict (workspace_id, team_id) do update set last = issue_counter.last + excluded.last
  returning last`,
  'write'
)

export interface IssueRow {
  id: Id
  number: number
  key: string
  description: string | null
  descriptionMarkdown: string
  described: boolean
  isCompleted: boolean
  criteriaMet: number
  criteriaTotal: number
  values: Record<string, unknown>
  /** Ids, by the keys of fields. */
  linked: Record<string, Id[]>
  relations: Array<{ id: Id; issueId: Id; relatedIssueId: Id; type: StoredRelationType }>
  links: Array<{ id: Id; url: string; title: string }>
}

/** Rows of a list per statement: PostgreSQL allows 65,535 parameters. */
const MAX_ROWS = 2_000

/**
 * Inserts issues with their lists, relations and links, and locks their states, which may change their category or be
 * removed otherwise. Very long lists take further statements.
 * @param fields the settable ones
 * @param eventSql the result of `emitting`
 * @throws 409 when a state was removed meanwhile
 */
export async function insertIssues(
  trx: Transaction<IssuesDatabase>,
  workspaceId: Id,
  actorId: Id,
  at: Date,
  rows: readonly IssueRow[],
  fields: readonly Field[],
  eventSql: RawBuilder<unknown>
): Promise<void> {
  const links = rows.flatMap(row => row.links.map(({ id, url, title }) => [workspaceId, id, row.id, url, title, at]))
  const relations = rows
    .flatMap(row => row.relations)
    .map(({ id, issueId, relatedIssueId, type }) => [workspaceId, id, issueId, relatedIssueId, type, actorId, at])
  const lists = [
    ...linkedRows(workspaceId, rows, fields),
    { into: sql`issue_link (workspace_id, id, issue_id, url, title, created_at)`, rows: links },
    {
      into: sql`issue_relation (workspace_id, id, issue_id, related_issue_id, type, created_by_id, created_at)`,
      rows: relations
    }
  ]
  const stateIds = [...new Set(rows.map(row => row.values['state_id']))]
  const states = await writeTogether<LockedState>(trx, {
    write: sql`
      select id, category from workflow_state
      where workspace_id = ${workspaceId} and id = any(${stateIds}::uuid[]) and deleted_at is null
      order by id for share`,
    select: sql`select id, category from written`,
    follow: async () => [
      insertion(issueRows(workspaceId, actorId, at, rows, fields)),
      ...lists
        .filter(list => list.rows.length > 0)
        .map(list => insertion({ ...list, rows: list.rows.slice(0, MAX_ROWS) })),
      eventSql
    ]
  })
  if (states.length < stateIds.length) throw stateIsGone()
  // A state may have another category than when the request read it.
  await correctCompletion(trx, workspaceId, at, rows, states)
  for (const { into, rows } of lists) {
    for (let from = MAX_ROWS; from < rows.length; from += MAX_ROWS) {
      await insertion({ into, rows: rows.slice(from, from + MAX_ROWS) }).execute(trx)
    }
  }
}

function issueRows(
  workspaceId: Id,
  actorId: Id,
  at: Date,
  rows: readonly IssueRow[],
  fields: readonly Field[]
): Insertion {
  const columns = fields.flatMap(field => (field.kind === 'links' ? [] : [field.column]))
  const named = columns.map(column => sql`, ${sql.ref(column)}`)
  return {
    into: sql`issue (workspace_id, id, number, description, description_markdown, described, criteria_met,
      criteria_total, assigned_at, created_by_id, updated_by_id, created_at, updated_at,
      completed_at ${sql.join(named, sql``)})`,
    rows: rows.map(row => {
      const { assignee_id: assigneeId = null } = row.values
      return [
        ...[workspaceId, row.id, row.number, row.description, row.descriptionMarkdown, row.described],
        ...[row.criteriaMet, row.criteriaTotal, assigneeId === null ? null : at],
        ...[actorId, actorId, at, at, row.isCompleted ? at : null],
        ...columns.map(column => row.values[column] ?? null)
      ]
    })
  }
}

type LockedState = Pick<Selectable<IssuesDatabase['workflowState']>, 'id' | 'category'>

async function correctCompletion(
  trx: Transaction<IssuesDatabase>,
  workspaceId: Id,
  at: Date,
  rows: readonly IssueRow[],
  states: readonly LockedState[]
): Promise<void> {
  const completed = new Set<unknown>(states.filter(({ category }) => category === 'COMPLETED').map(({ id }) => id))
  for (const row of rows) {
    if (row.isCompleted === completed.has(row.values['state_id'])) continue
    await trx
      .updateTable('issue')
      .set({ completedAt: row.isCompleted ? null : at })
      .where('workspaceId', '=', workspaceId)
      .where('id', '=', row.id)
      .execute()
  }
}

interface Insertion {
  into: RawBuilder<unknown>
  rows: ReadonlyArray<readonly unknown[]>
}

const insertion = ({ into, rows }: Insertion): RawBuilder<unknown> =>
  sql`insert into ${into} values ${sql.join(rows.map(values => sql`(${sql.join(values)})`))}`

const linkedRows = (workspaceId: Id, rows: readonly IssueRow[], fields: readonly Field[]): Insertion[] =>
  fields.flatMap(field => {
    if (field.kind !== 'links') return []
    const linked = rows.flatMap(row => [...new Set(row.linked[field.key])].map(id => [workspaceId, row.id, id]))
    return [{ into: sql`${sql.table(field.table)} (workspace_id, issue_id, ${sql.ref(field.column)})`, rows: linked }]
  })
