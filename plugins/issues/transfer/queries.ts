import { sql, type Insertable } from 'kysely'
import { insertGroups, iso, jsonArray, jsonRows, newId, notDeletedIn } from '../../../core/api/database/queries.ts'
import type { Id } from '../../../core/api/database/types.ts'
import { unlikeMarkdown } from '../../../core/api/text.ts'
import type { ExternalIdOf, RecordIdentity } from '../../transfer/contract.ts'
import type { IssuesDatabase } from '../contract.ts'
import type { Field, LinksField } from '../fields/field.ts'
import { namedValue, referenceId, rowValue } from '../queries/filter/fields.ts'
import { issueJoins } from '../queries/read/json.ts'
import type { Trx } from '../context.ts'

/*
 * Raw for exports: they become parts of statements of the plugin `transfer`, and the columns follow from the fields.
 * `compared…` is the form that a later import compares.
 */

type New<T extends keyof IssuesDatabase> = Omit<Insertable<IssuesDatabase[T]>, 'workspaceId'>

export const lockStates = (trx: Trx, workspaceId: Id) =>
  trx
    .selectFrom('workflowState as s')
    .innerJoin('team as t', join => join.onRef('t.workspaceId', '=', 's.workspaceId').onRef('t.id', '=', 's.teamId'))
    .select(['s.id', 's.teamId', 's.name', 's.category', 't.identifier'])
    .where(notDeletedIn(workspaceId, 's'))
    .where('t.deletedAt', 'is', null)
    .orderBy('s.id')
    .forShare('s')
    .execute()

export const findStateNamed = (trx: Trx, workspaceId: Id, issueId: Id, name: string) =>
  trx
    .selectFrom('workflowState as s')
    .innerJoin('issue as i', join =>
      join.onRef('i.workspaceId', '=', 's.workspaceId').onRef('i.teamId', '=', 's.teamId')
    )
    .select('s.id')
    .where(notDeletedIn(workspaceId, 's'))
    .where('i.id', '=', issueId)
    .where(sql<boolean>`lower(s.name) = lower(${name})`)
    .executeTakeFirst()

export const insertIssueRows = (trx: Trx, workspaceId: Id, rows: ReadonlyArray<New<'issue'>>) =>
  trx
    .insertInto('issue')
    .values(rows.map(row => ({ workspaceId, ...row })))
    .execute()

export async function insertLinked(
  trx: Trx,
  workspaceId: Id,
  { table, column }: LinksField,
  linked: ReadonlyArray<{ id: Id; thing: Id }>
): Promise<void> {
  await sql`
    insert into ${sql.table(table)} (workspace_id, issue_id, ${sql.ref(column)})
    select distinct ${workspaceId}::uuid, l.id, l.thing
    from unnest(${linked.map(row => row.id)}::uuid[], ${linked.map(row => row.thing)}::uuid[]) as l (id, thing)
  `.execute(trx)
}

export const setCompletedAt = (trx: Trx, workspaceId: Id, issueId: Id, at: Date) =>
  trx
    .updateTable('issue')
    .set({ completedAt: at })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', issueId)
    .where('completedAt', 'is not', null)
    .execute()

export const listLinks = (trx: Trx, workspaceId: Id, issueId: Id) =>
  trx
    .selectFrom('issueLink')
    .select(['id', 'url', 'title'])
    .where(notDeletedIn(workspaceId))
    .where('issueId', '=', issueId)
    .execute()

export async function insertLinks(
  trx: Trx,
  workspaceId: Id,
  links: ReadonlyArray<Omit<New<'issueLink'>, 'id'>>
): Promise<void> {
  for (const group of insertGroups(links)) {
    await trx
      .insertInto('issueLink')
      .values(group.map(link => ({ workspaceId, id: newId(), ...link })))
      .execute()
  }
}

export async function removeLinks(trx: Trx, workspaceId: Id, ids: readonly Id[], at: Date): Promise<void> {
  if (ids.length === 0) return
  await trx
    .updateTable('issueLink')
    .set({ deletedAt: at })
    .where('workspaceId', '=', workspaceId)
    .where('id', 'in', [...ids])
    .execute()
}

export const listHistory = (trx: Trx, workspaceId: Id, issueId: Id) =>
  trx
    .selectFrom('issueChange')
    .select(['at', 'change', 'toName'])
    .where('workspaceId', '=', workspaceId)
    .where('issueId', '=', issueId)
    .execute()

export async function insertHistory(
  trx: Trx,
  workspaceId: Id,
  history: ReadonlyArray<Omit<New<'issueChange'>, 'id' | 'tokenId'>>
): Promise<void> {
  for (const group of insertGroups(history)) {
    await trx
      .insertInto('issueChange')
      .values(group.map(entry => ({ workspaceId, id: newId(), tokenId: null, ...entry })))
      .execute()
  }
}

export async function setParents(
  trx: Trx,
  workspaceId: Id,
  parents: ReadonlyArray<{ id: Id; parentId: Id }>
): Promise<void> {
  if (parents.length === 0) return
  await sql`
    update issue set parent_id = p.parent_id
    from unnest(${parents.map(({ id }) => id)}::uuid[], ${parents.map(({ parentId }) => parentId)}::uuid[])
      as p (id, parent_id)
    where issue.workspace_id = ${workspaceId} and issue.id = p.id`.execute(trx)
}

/** Adds those that do not exist. @returns their ids */
export async function insertRelations(
  trx: Trx,
  workspaceId: Id,
  relations: ReadonlyArray<New<'issueRelation'>>
): Promise<Set<Id>> {
  if (relations.length === 0) return new Set()
  const added = await trx
    .insertInto('issueRelation')
    .values(relations.map(relation => ({ workspaceId, ...relation })))
    .onConflict(c => c.doNothing())
    .returning('id')
    .execute()
  return new Set(added.map(({ id }) => id))
}

const named = ({ key }: Field) => sql.raw(`"${key}"`)

export const exportedIssues = (workspaceId: Id, fields: readonly Field[], externalId: ExternalIdOf) => sql<object>`
  select ${externalId('issue', 'issue.id')} as "externalId", team.identifier as team, issue.number,
    ${jsonArray(sql`
      select ft.identifier || '-' || f.number from issue_former_key f
      join team ft on ft.workspace_id = f.workspace_id and ft.id = f.team_id
      where f.workspace_id = ${workspaceId} and f.issue_id = issue.id
      union select o.key from issue_old_key o
      where o.workspace_id = ${workspaceId} and o.issue_id = issue.id
      order by 1`)} as "formerKeys",
    issue.description_markdown as "descriptionMarkdown",
    ${unlikeMarkdown('issue.description', 'issue.description_markdown')} as description,
    ${sql.join(fields.map(field => sql`${exportedValue(workspaceId, field, externalId)} as ${named(field)}`))},
    json_strip_nulls(${jsonRows(sql`
      select k.url, k.title, k.kind, k.state, ${iso('k.state_at')} as "stateAt",
        ${iso('k.created_at')} as "createdAt"
      from issue_link k
      where k.workspace_id = ${workspaceId} and k.issue_id = issue.id and k.deleted_at is null
      order by k.created_at, k.url, k.title`)}) as links,
    ${iso('issue.assigned_at')} as "assignedAt",
    ${externalId('account', 'issue.created_by_id')} as author,
    ${externalId('account', 'issue.updated_by_id')} as "updatedBy",
    ${iso('issue.created_at')} as "createdAt", ${iso('issue.updated_at')} as "updatedAt",
    ${iso('issue.completed_at')} as "completedAt", issue.rev,
    ${jsonRows(sql`
      select ${iso('h.at')} as at, ${externalId('account', 'h.actor_id')} as actor, h.change,
        h.from_name as "from", h.to_name as "to"
      from issue_change h where h.workspace_id = ${workspaceId} and h.issue_id = issue.id
      order by h.at, h.id`)} as history
  from issue ${issueJoins(workspaceId)}
  where issue.workspace_id = ${workspaceId} and issue.deleted_at is null order by team.identifier, issue.number`

function exportedValue(workspaceId: Id, field: Field, externalId: ExternalIdOf) {
  if (field.kind === 'links') return namedValue(workspaceId, field)
  const column = `issue.${field.column}`
  if (field.kind === 'value') return field.words ? sql`nullif(${sql.ref(column)}, 0)` : sql`${sql.ref(column)}`
  if (field.source === 'state') return namedValue(workspaceId, field)
  const kind = typeof field.source === 'string' ? field.source : field.source.table
  return sql`case when ${referenceId(workspaceId, field)} is not null then ${externalId(kind, column)} end`
}

export const comparedIssues = (workspaceId: Id, ids: readonly Id[], fields: readonly Field[]) => sql<{ id: Id }>`
  select issue.id, md5(issue.description_markdown) as "descriptionMarkdown",
    ${sql.join(fields.map(field => sql`${comparedValue(workspaceId, field)} as ${named(field)}`))},
    ${jsonRows(sql`
      select k.url, k.title from issue_link k
      where k.workspace_id = ${workspaceId} and k.issue_id = issue.id and k.deleted_at is null
      order by k.url, k.title`)} as links
  from issue
  where issue.workspace_id = ${workspaceId} and issue.id = any(${ids}::uuid[]) and issue.deleted_at is null`

const comparedValue = (workspaceId: Id, field: Field) =>
  field.kind === 'links' ? rowValue(workspaceId, field) : sql`${sql.ref(`issue.${field.column}`)}`

export const issueKeys = (workspaceId: Id, ids: readonly Id[]) => sql<{ id: Id; name: string }>`
  select i.id, t.identifier || '-' || i.number as name from issue i
  join team t on t.workspace_id = i.workspace_id and t.id = i.team_id
  where i.workspace_id = ${workspaceId} and i.id = any(${ids}::uuid[])`

/** Issues, including deleted ones, with their present and former teams. */
export const issueIdentities = (workspaceId: Id, ids: readonly Id[]) => sql<RecordIdentity>`
  select i.id, i.created_at as "createdAt", array(
    select t.identifier from team t
    where t.workspace_id = ${workspaceId} and (t.id = i.team_id or t.id in (
      select f.team_id from issue_former_key f where f.workspace_id = ${workspaceId} and f.issue_id = i.id))
    order by t.id <> i.team_id) as teams
  from issue i where i.workspace_id = ${workspaceId} and i.id = any(${ids}::uuid[])`

export const reservedKeys = (workspaceId: Id, ids: readonly Id[]) => sql<{ id: Id; name: string }>`
  select r.id, t.identifier || '-' || r.number as name from issue_key_reservation r
  join team t on t.workspace_id = r.workspace_id and t.id = r.team_id
  where r.workspace_id = ${workspaceId} and r.id = any(${ids}::uuid[])`

export const exportedReservations = () => sql<object>`select null as "externalId" where false`

export const exportedLastNumbers = (workspaceId: Id) => sql<object>`
  select t.identifier as team, c.last as number
  from issue_counter c join team t on t.workspace_id = c.workspace_id and t.id = c.team_id
  where c.workspace_id = ${workspaceId} and t.deleted_at is null and c.last > 0 order by t.identifier`

export const exportedRelations = (workspaceId: Id, externalId: ExternalIdOf) => sql<object>`
  select ${externalId('issue', 'i.id')} as issue, 'PARENT' as type,
    ${externalId('issue', 'i.parent_id')} as "relatedIssue", null as "createdBy", null as "createdAt"
  from issue i join team t on t.workspace_id = i.workspace_id and t.id = i.team_id
  where i.workspace_id = ${workspaceId} and i.deleted_at is null and i.parent_id is not null
  union all
  select ${externalId('issue', 'r.issue_id')}, r.type, ${externalId('issue', 'r.related_issue_id')},
    ${externalId('account', 'r.created_by_id')}, ${iso('r.created_at')}
  from issue_relation r
  join issue a on a.workspace_id = r.workspace_id and a.id = r.issue_id and a.deleted_at is null
  join issue b on b.workspace_id = r.workspace_id and b.id = r.related_issue_id and b.deleted_at is null
  where r.workspace_id = ${workspaceId} and r.deleted_at is null
  order by 1, 2, 3`

export const comparedRelations = (workspaceId: Id, ids: readonly Id[]) => sql<{ id: Id }>`
  select id, related_issue_id as "relatedIssue" from issue_relation
  where workspace_id = ${workspaceId} and id = any(${ids}::uuid[]) and deleted_at is null
  union all
  select id, parent_id from issue
  where workspace_id = ${workspaceId} and id = any(${ids}::uuid[]) and deleted_at is null and parent_id is not null`
