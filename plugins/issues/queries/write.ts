import { sql, type Kysely, type Transaction } from 'kysely'
import { statement } from '../../../core/db/statement.ts'
import { jsonObject, jsonRow, jsonRows } from '../../../core/db/sql.ts'
import type { Id } from '../../../core/db/tables.ts'
import { conflict, notFound } from '../../../core/errors.ts'
import { newId } from '../../../core/id.ts'
import type { DocJson } from '../../../core/rich-text/index.ts'
import type { IssueReference, IssuesDatabase, StoredRelationType } from '../contract.ts'
import type { Named, State } from './lookup.ts'

type Db = Kysely<IssuesDatabase>
type Trx = Transaction<IssuesDatabase>

/**
 * Takes the next `n` numbers of a team, and returns the last of them. A statement and commit of its own, so that
 * concurrent creates wait for each other only here; it need not reach the disk by itself, because the commit of
 * whatever uses the numbers follows it in the log.
 */
export const takeNumbers = async (db: Db, workspaceId: Id, teamId: Id, n: number): Promise<number> =>
  (await takeNumbersStatement(db, { workspaceId, teamId, n }))[0]!.last
const takeNumbersStatement = statement<{ workspaceId: Id; teamId: Id; n: number }, { last: number }>(
  ({ workspaceId, teamId, n }) => sql`
  insert into issue_counter (workspace_id, team_id, last)
  select ${workspaceId}::uuid, ${teamId}::uuid, ${n}::int from (select set_config('synchronous_commit', 'off', true)) as setting
  on conflict (workspace_id, team_id) do update set last = issue_counter.last + excluded.last
  returning last`
)

/** An issue as it is inserted; its other fields have the defaults of a new one. */
export interface IssueRow {
  id: Id
  teamId: Id
  number: number
  title: string
  description: string | null
  descriptionMarkdown: string
  described: boolean
  criteriaMet: number
  criteriaTotal: number
  stateId: Id
  assigneeId: Id | null
  priority: number
  estimate: number | null
  dueDate: string | null
  sortOrder: number
  parentId: Id | null
  completed: boolean
  labelIds: Id[]
  relations: Array<{ id: Id; issueId: Id; relatedIssueId: Id; type: StoredRelationType }>
  links: Array<{ id: Id; url: string; title: string }>
  /** By column. */
  references: Record<string, Id | null>
}

/** Inserts issues with their labels, relations and links: one statement, whatever their number. */
export async function insertIssues(
  db: Db,
  workspaceId: Id,
  actorId: Id,
  at: Date,
  rows: readonly IssueRow[],
  references: readonly IssueReference[]
): Promise<void> {
  const columns = references.map(r => r.column)
  const json = JSON.stringify(
    rows.map(({ description, relations, links, labelIds, references: values, ...row }) => ({
      ...row,
      ...values,
      description: description === null ? null : (JSON.parse(description) as unknown),
      relations,
      links,
      labels: labelIds
    }))
  )
  const named = columns.length === 0 ? sql`` : sql`, ${sql.join(columns.map(c => sql.ref(c)))}`
  await sql`
    with input as materialized (
      select * from json_to_recordset(${json}::json) as x (
        "id" uuid, "teamId" uuid, "number" int, "title" text, "description" json, "descriptionMarkdown" text, "described" boolean, "criteriaMet" int, "criteriaTotal" int,
        "stateId" uuid, "assigneeId" uuid, "priority" smallint, "estimate" float8, "dueDate" date, "sortOrder" float8, "parentId" uuid, "completed" boolean,
        "labels" json, "relations" json, "links" json ${columns.length === 0 ? sql`` : sql`, ${sql.join(columns.map(c => sql`${sql.ref(c)} uuid`))}`})),
    inserted as (
      insert into issue (workspace_id, id, team_id, number, title, description, description_markdown, described, criteria_met, criteria_total,
        state_id, assignee_id, assigned_at, priority, estimate, due_date, sort_order, parent_id, created_by_id, updated_by_id, created_at, updated_at, completed_at ${named})
      select ${workspaceId}::uuid, "id", "teamId", "number", "title", "description", "descriptionMarkdown", "described", "criteriaMet", "criteriaTotal",
        "stateId", "assigneeId", case when "assigneeId" is not null then ${at}::timestamptz end, "priority", "estimate", "dueDate", "sortOrder", "parentId",
        ${actorId}::uuid, ${actorId}::uuid, ${at}::timestamptz, ${at}::timestamptz, case when "completed" then ${at}::timestamptz end ${named}
      from input),
    labelled as (
      insert into issue_label (workspace_id, issue_id, label_id)
      select distinct ${workspaceId}::uuid, "id", l.value::uuid from input, json_array_elements_text("labels") l),
    linked as (
      insert into issue_link (workspace_id, id, issue_id, url, title, created_at)
      select ${workspaceId}::uuid, (l->>'id')::uuid, "id", l->>'url', l->>'title', ${at}::timestamptz from input, json_array_elements("links") l)
    insert into issue_relation (workspace_id, id, issue_id, related_issue_id, type, created_by_id, created_at)
      select ${workspaceId}::uuid, (r->>'id')::uuid, (r->>'issueId')::uuid, (r->>'relatedIssueId')::uuid, r->>'type', ${actorId}::uuid, ${at}::timestamptz
      from input, json_array_elements("relations") r`.execute(db)
}

/** An issue as a change finds it, its row locked until the transaction ends. */
export interface LockedIssue {
  id: Id
  key: string
  title: string
  description: DocJson | null
  team: Named
  state: State
  assignee: Named | null
  assignedAt: string | null
  priority: number
  estimate: number | null
  dueDate: string | null
  sortOrder: number
  parent: { id: Id; name: string } | null
  labels: Named[]
  references: Record<string, Named | null>
  rev: number
}

/**
 * Locks an issue and reads all that a change may need, by name too. The lock is taken on the bare row: a lock on
 * a join would, after waiting, not find rows of the other tables that the new row refers to.
 * @throws 404
 */
export async function lockIssue(
  trx: Trx,
  workspaceId: Id,
  id: Id,
  references: readonly IssueReference[]
): Promise<LockedIssue> {
  const { rows } = await sql<{ issue: LockedIssue }>`
    with locked as materialized (select * from issue where workspace_id = ${workspaceId} and id = ${id} and deleted_at is null for update)
    select ${jsonObject<LockedIssue>({
      id: sql`issue.id`,
      key: sql`team.identifier || '-' || issue.number`,
      title: sql`issue.title`,
      description: sql`issue.description`,
      team: jsonRow(sql`select team.id, team.name`),
      state: jsonRow(sql`select state.id, state.name, state.category`),
      assignee: jsonRow(
        sql`select a.id, a.fullname as name from account a where a.workspace_id = issue.workspace_id and a.id = issue.assignee_id`
      ),
      assignedAt: sql`issue.assigned_at`,
      priority: sql`issue.priority`,
      estimate: sql`issue.estimate`,
      dueDate: sql`issue.due_date`,
      sortOrder: sql`issue.sort_order`,
      parent: jsonRow(sql`
        select p.id, pt.identifier || '-' || p.number as name from issue p join team pt on pt.workspace_id = p.workspace_id and pt.id = p.team_id
        where p.workspace_id = issue.workspace_id and p.id = issue.parent_id`),
      labels: jsonRows(sql`
        select l.id, l.name from issue_label il join label l on l.workspace_id = il.workspace_id and l.id = il.label_id and l.deleted_at is null
        where il.workspace_id = issue.workspace_id and il.issue_id = issue.id order by lower(l.name)`),
      references: jsonObject(
        Object.fromEntries(
          references.map(r => [
            r.key,
            jsonRow(sql`
        select r.id, r.name from ${sql.table(r.table)} r where r.workspace_id = issue.workspace_id and r.id = ${sql.ref(`issue.${r.column}`)}`)
          ])
        )
      ),
      rev: sql`issue.rev`
    })} as issue
    from locked issue
    join team on team.workspace_id = issue.workspace_id and team.id = issue.team_id
    join workflow_state state on state.workspace_id = issue.workspace_id and state.id = issue.state_id`.execute(trx)
  if (!rows[0]) throw notFound('issue', id)
  return rows[0].issue
}

/** One entry of the history: names as they are now; null is none. */
export interface Change {
  change: string
  from: string | null
  to: string | null
}

/** The changes of one write, ready to be appended: who, with which token, when. */
export interface Author {
  accountId: Id
  tokenId: Id
  at: Date
}

const appendChanges = statement<{ workspaceId: Id; changes: string; actorId: Id; tokenId: Id; at: Date }, object>(
  ({ workspaceId, changes, actorId, tokenId, at }) => sql`
  insert into issue_change (workspace_id, id, issue_id, at, actor_id, token_id, change, from_name, to_name)
  select ${workspaceId}::uuid, (c->>'id')::uuid, (c->>'issueId')::uuid, ${at}::timestamptz, ${actorId}::uuid, ${tokenId}::uuid, c->>'change', c->>'from', c->>'to'
  from json_array_elements(${changes}::json) c`
)

export async function recordChanges(
  trx: Trx,
  workspaceId: Id,
  { accountId, tokenId, at }: Author,
  changes: ReadonlyArray<Change & { issueId: Id }>
): Promise<void> {
  if (changes.length === 0) return
  await appendChanges(trx, {
    workspaceId,
    actorId: accountId,
    tokenId,
    at,
    changes: JSON.stringify(changes.map(change => ({ id: newId(), ...change })))
  })
}

/** Sets columns (by their SQL names) and makes it a new revision. */
export async function updateIssue(
  trx: Trx,
  workspaceId: Id,
  id: Id,
  { accountId, at }: Author,
  columns: Record<string, unknown>
): Promise<void> {
  const set = Object.entries(columns).map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
  await sql`update issue set ${sql.join([...set, sql`rev = rev + 1`, sql`updated_at = greatest(${at}::timestamptz, updated_at)`, sql`updated_by_id = ${accountId}`])} where workspace_id = ${workspaceId} and id = ${id}`.execute(
    trx
  )
}

export async function setLabels(
  trx: Trx,
  workspaceId: Id,
  issueId: Id,
  add: readonly Id[],
  remove: readonly Id[]
): Promise<void> {
  if (remove.length > 0) {
    await trx
      .deleteFrom('issueLabel')
      .where('workspaceId', '=', workspaceId)
      .where('issueId', '=', issueId)
      .where('labelId', 'in', [...remove])
      .execute()
  }
  if (add.length > 0) {
    await trx
      .insertInto('issueLabel')
      .values(add.map(labelId => ({ workspaceId, issueId, labelId })))
      .onConflict(oc => oc.doNothing())
      .execute()
  }
}

/** Whoever adds an edge to the graph of parents and blockers waits for the others, so that no two make a circle together. */
export const lockGraph = (trx: Trx, workspaceId: Id) =>
  sql`select pg_advisory_xact_lock(hashtext('issues.graph'), hashtext(${workspaceId}))`.execute(trx)

/** @throws 409 that names the path, when `id` would become an ancestor of itself */
export async function refuseParentCircle(trx: Trx, workspaceId: Id, id: Id, parentId: Id): Promise<void> {
  const { rows } = await sql<{ keys: string[] }>`
    with recursive up (id, parent_id, keys) as (
      select i.id, i.parent_id, array[t.identifier || '-' || i.number] from issue i join team t on t.workspace_id = i.workspace_id and t.id = i.team_id
      where i.workspace_id = ${workspaceId} and i.id = ${parentId}
      union all
      select i.id, i.parent_id, up.keys || (t.identifier || '-' || i.number) from up
      join issue i on i.workspace_id = ${workspaceId} and i.id = up.parent_id join team t on t.workspace_id = i.workspace_id and t.id = i.team_id
      where up.id <> ${id}
    )
    select keys from up where id = ${id}`.execute(trx)
  refuseCircle(rows[0]?.keys, 'a parent of itself')
}

/** @throws 409 that names the path, when `blockedId` already blocks `blockerId`, directly or not */
export async function refuseBlockingCircle(trx: Trx, workspaceId: Id, blockerId: Id, blockedId: Id): Promise<void> {
  const { rows } = await sql<{ keys: string[] }>`
    with recursive down (id, path) as (
      select ${blockedId}::uuid, array[${blockedId}::uuid]
      union
      select r.related_issue_id, down.path || r.related_issue_id from down
      join issue_relation r on r.workspace_id = ${workspaceId} and r.issue_id = down.id and r.type = 'BLOCKS' and r.deleted_at is null
      join issue o on o.workspace_id = r.workspace_id and o.id = r.related_issue_id and o.deleted_at is null
      where down.id <> ${blockerId} and not r.related_issue_id = any(down.path)
    )
    select (select array_agg(t.identifier || '-' || i.number order by p.n) from unnest(down.path) with ordinality p (id, n)
      join issue i on i.workspace_id = ${workspaceId} and i.id = p.id join team t on t.workspace_id = i.workspace_id and t.id = i.team_id) as keys
    from down where id = ${blockerId} limit 1`.execute(trx)
  refuseCircle(rows[0]?.keys, 'blocked by itself')
}

function refuseCircle(keys: string[] | undefined, what: string): void {
  if (keys) {
    throw conflict(`This would make an issue ${what}: ${[keys.at(-1), ...keys].join(' -> ')}.`, {
      path: [keys.at(-1), ...keys]
    })
  }
}
