import { hash } from 'node:crypto'
import { sql, type RawBuilder, type Transaction } from 'kysely'
import { jsonObject, jsonRow, newId, notDeletedIn, writeTogether } from '../../../../core/api/database/queries.ts'
import type { Id } from '../../../../core/api/database/types.ts'
import { conflict, notFound } from '../../../../core/api/errors.ts'
import type { IssuesDatabase } from '../../contract.ts'
import type { Field, LinksField } from '../../fields/field.ts'
import { ownFields } from '../../fields/fields.ts'
import { keyOf } from '../filter/conditions.ts'
import { storedValue, storedValues } from '../filter/fields.ts'
import { issueJoins } from '../read/json.ts'
import type { Named, State } from '../read/lookup.ts'
import type { Trx } from '../../context.ts'

/* Raw SQL where columns follow from the fields, which other plugins contribute, too, or for sets in one parameter. */

export interface LockedIssue {
  id: Id
  key: string
  title: string
  team: Named
  state: State
  assignee: Named | null
  assignedAt: string | null
  criteriaMet: number
  /** By the key of the field: the value, or `{id, name}` of what it refers to. */
  values: Record<string, unknown>
  rev: number
}

/**
 * Locks an issue and reads all that a change of `fields` may need, by name too. The lock is taken on the bare row: a
 * lock on a join would, after waiting, not find rows of the other tables that the new row refers to.
 * @param keyChanges true if its team and number may change, which foreign keys to it must wait for
 * @throws 404
 */
export async function lockIssue(
  trx: Trx,
  workspaceId: Id,
  id: Id,
  fields: readonly Field[],
  { keyChanges = false } = {}
): Promise<LockedIssue> {
  const json = jsonObject<LockedIssue>({
    id: sql`issue.id`,
    key: sql`team.identifier || '-' || issue.number`,
    title: sql`issue.title`,
    team: jsonRow(sql`select team.id, team.name`),
    state: jsonRow(sql`select state.id, state.name, state.category`),
    assignee: storedValue(workspaceId, ownFields.assignee),
    assignedAt: sql`issue.assigned_at`,
    criteriaMet: sql`issue.criteria_met`,
    values: storedValues(workspaceId, fields),
    rev: sql`issue.rev`
  })
  const locked = sql<{ issue: LockedIssue }>`
    with locked as materialized (
      select * from issue where workspace_id = ${workspaceId} and id = ${id} and deleted_at is null
      for ${sql.raw(keyChanges ? 'update' : 'no key update')})
    select ${json} as issue from locked issue ${issueJoins(workspaceId)}`
  const { rows } = await locked.execute(trx)
  const [row] = rows
  if (!row) throw notFound('issue', id)
  return row.issue
}

export async function lockDescription(trx: Trx, workspaceId: Id, id: Id): Promise<string | null> {
  const issue = await trx
    .selectFrom('issue')
    .select(sql<string | null>`description::text`.as('description'))
    .where(notDeletedIn(workspaceId))
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!issue) throw notFound('issue', id)
  return issue.description
}

/** Both descriptions may be long. */
export async function hasDescription(trx: Trx, workspaceId: Id, id: Id, json: string | null): Promise<boolean> {
  const { digest } = await trx
    .selectFrom('issue')
    .select(sql<string | null>`md5(description::text)`.as('digest'))
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return digest === (json === null ? null : hash('md5', json))
}

export async function descriptionMarkdownOf(trx: Trx, workspaceId: Id, id: Id): Promise<string> {
  const { descriptionMarkdown } = await trx
    .selectFrom('issue')
    .select('descriptionMarkdown')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return descriptionMarkdown
}

/** An entry of the history, with names as they are now. */
export interface Change {
  change: string
  from: string | null
  to: string | null
  /** For its event instead of these names: `{id, name}` of a reference, the value of a field; none for a text. */
  values?: { from?: unknown; to?: unknown }
}

export interface Author {
  accountId: Id
  tokenId: Id | null
  at: Date
}

export async function recordChanges(
  trx: Trx,
  workspaceId: Id,
  { accountId, tokenId, at }: Author,
  changes: ReadonlyArray<Change & { issueId: Id; rev?: number }>
): Promise<void> {
  if (changes.length === 0) return
  const json = JSON.stringify(changes.map(({ values, ...change }) => ({ id: newId(), ...idsOf(values), ...change })))
  await sql`
    insert into ${CHANGE_COLUMNS}
    select ${workspaceId}::uuid, (c->>'id')::uuid, (c->>'issueId')::uuid, ${at}::timestamptz, ${accountId}::uuid,
      ${tokenId}::uuid, c->>'change', c->>'from', c->>'to', (c->>'fromId')::uuid, (c->>'toId')::uuid,
      (c->>'rev')::int
    from json_array_elements(${json}::json) c`.execute(trx)
}
const CHANGE_COLUMNS = sql`
  issue_change (workspace_id, id, issue_id, at, actor_id, token_id, change, from_name, to_name, from_id,
    to_id, rev)`

const idsOf = (values: Change['values']) => ({ fromId: idOf(values?.from), toId: idOf(values?.to) })
const idOf = (value: unknown): Id | null =>
  typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string' ? value.id : null

const changesInsert = (
  workspaceId: Id,
  issueId: Id,
  { accountId, tokenId, at }: Author,
  changes: readonly Change[],
  rev: RawBuilder<number>
): RawBuilder<unknown> => sql`
  insert into ${CHANGE_COLUMNS} values ${sql.join(
    changes.map(
      ({ change, from, to, values }) => sql`(${workspaceId}::uuid, ${newId()}::uuid, ${issueId}::uuid,
        ${at}::timestamptz, ${accountId}::uuid, ${tokenId}::uuid, ${change}, ${from}, ${to},
        ${idsOf(values).fromId}::uuid, ${idsOf(values).toId}::uuid, ${rev})`
    )
  )}`

export interface Revision {
  id: Id
  key: string
  rev: number
}
interface Written extends Revision {
  isCompleted: boolean
  returned: readonly unknown[]
}

export type RevisionSql = Readonly<{ subjectKey: RawBuilder<string>; rev: RawBuilder<number> }>
const WRITTEN_COLUMNS = sql.join(
  ['id', 'team_id', 'number', 'state_id', 'assignee_id', 'rev', 'completed_at', 'deleted_at'].map(column =>
    sql.ref(`issue.${column}`)
  )
)

/**
 * Sets columns (by their SQL names) and makes it a new revision, with its history and its event.
 * `completed_at` is set on entering COMPLETED and cleared on leaving it, by the present category of the state. The row
 * of the state is locked, so that its category stays until the commit.
 * @param key of the issue, where it is known and stays: the statement then needs no other table
 * @param returned JSON over the row `issue` as it is written: see `PendingChange`
 * @param emitting returns the SQL that appends its event
 * @throws 409 when the state was removed meanwhile
 */
export async function updateIssue(
  trx: Trx,
  workspaceId: Id,
  id: Id,
  author: Author,
  {
    columns,
    changes,
    key,
    returned = []
  }: {
    columns: Record<string, unknown>
    changes: readonly Change[]
    key: string | undefined
    returned: ReadonlyArray<RawBuilder<unknown>> | undefined
  },
  emitting: (revision: RevisionSql) => Promise<RawBuilder<unknown>>
): Promise<Written> {
  const { accountId, at } = author
  const stateId = columns['state_id']
  const set = Object.entries(columns).map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
  if (stateId !== undefined) set.push(sql`completed_at = ${completedAt(sql`issue.completed_at`, at)}`)
  set.push(sql`rev = rev + 1`, sql`updated_at = greatest(${at}::timestamptz, updated_at)`)
  set.push(sql`updated_by_id = ${accountId}`)
  const state = sql`(
    select category from workflow_state
    where workspace_id = ${workspaceId} and id = ${stateId} and deleted_at is null for share) as state`
  const keySql = key === undefined ? keyOf(workspaceId) : sql<string>`${key}::text`
  const [written] = await writeTogether<Written>(trx, {
    write: sql`
      update issue set ${sql.join(set)} ${stateId === undefined ? sql`` : sql`from ${state}`}
      where issue.workspace_id = ${workspaceId} and issue.id = ${id}
      returning ${WRITTEN_COLUMNS}`,
    select: sql`
      select id, rev, ${keySql} as key, completed_at is not null as "isCompleted",
        json_build_array(${sql.join(returned)}) as returned
      from written as issue`,
    async follow(row) {
      const rev = row ? sql<number>`${row.rev}::integer` : sql<number>`(select rev from written)`
      const subjectKey = row ? sql<string>`${row.key}::text` : sql<string>`(select ${keySql} from written as issue)`
      return [changesInsert(workspaceId, id, author, changes, rev), await emitting({ subjectKey, rev })]
    }
  })
  if (!written) throw stateIsGone()
  return written
}

/** Makes new revisions of the issues in a state, whose category has changed. @throws 55P03, see `CategoryChange` */
export async function updateIssuesOfState(
  trx: Trx,
  workspaceId: Id,
  stateId: Id,
  { accountId, at }: Author
): Promise<Revision[]> {
  const { rows } = await sql<Revision>`
    with locked as materialized (
      select id from issue where workspace_id = ${workspaceId} and state_id = ${stateId} and deleted_at is null
      order by id for no key update nowait)
    update issue set completed_at = ${completedAt(sql`issue.completed_at`, at)}, rev = rev + 1,
      updated_at = greatest(${at}::timestamptz, updated_at), updated_by_id = ${accountId}
    from locked, workflow_state state
    where issue.workspace_id = ${workspaceId} and issue.id = locked.id
      and state.workspace_id = ${workspaceId} and state.id = ${stateId}
    returning issue.id, issue.rev, ${keyOf(workspaceId)} as key`.execute(trx)
  return rows
}

/** Columns of an issue that gets a new revision; its time never goes back. */
export const revised = ({ accountId, at }: Author) => ({
  rev: sql<number>`rev + 1`,
  updatedAt: sql<Date>`greatest(${at}::timestamptz, updated_at)`,
  updatedById: accountId
})

export const reviseIssues = (trx: Transaction<IssuesDatabase>, workspaceId: Id, ids: readonly Id[], author: Author) =>
  trx
    .updateTable('issue')
    .set(revised(author))
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', sql<Id>`any(${ids}::uuid[])`)
    .returning(['id', 'rev', keyOf(workspaceId).as('key')])
    .execute()

const completedAt = (before: RawBuilder<unknown>, at: Date) =>
  sql`case when state.category = 'COMPLETED' then coalesce(${before}, ${at}::timestamptz) end`

export const stateIsGone = () =>
  conflict('The workflow state was removed meanwhile: read the states of the team again, and choose another one.')

export async function setLinks(
  trx: Trx,
  workspaceId: Id,
  issueId: Id,
  { table, column }: LinksField,
  add: readonly Id[],
  remove: readonly Id[]
): Promise<void> {
  if (remove.length > 0) {
    await sql`
      delete from ${sql.table(table)}
      where workspace_id = ${workspaceId} and issue_id = ${issueId} and ${sql.ref(column)} = any(${remove}::uuid[])
    `.execute(trx)
  }
  if (add.length > 0) {
    await sql`
      insert into ${sql.table(table)} (workspace_id, issue_id, ${sql.ref(column)})
      select ${workspaceId}::uuid, ${issueId}::uuid, added from unnest(${add}::uuid[]) as added
      on conflict do nothing`.execute(trx)
  }
}
