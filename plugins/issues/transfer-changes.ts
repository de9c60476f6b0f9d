import { sql, type Transaction } from 'kysely'
import { ApiError } from '../../core/contract.ts'
import { jsonArray, jsonRows } from '../../core/db/sql.ts'
import type { Id } from '../../core/db/tables.ts'
import { newId } from '../../core/id.ts'
import { readStoredRichText } from '../../core/text/conversions.ts'
import type { ChangeBatch, RecordChanges } from '../transfer/contract.ts'
import type { IssueReference, IssuesDatabase } from './contract.ts'
import type { Ctx } from './context.ts'
import type { Patch } from './schemas.ts'
import type { ImportedFields } from './transfer-fields.ts'
import { addFormerKeys } from './transfer-keys.ts'
import { makeUpdates } from './update.ts'

type Trx = Transaction<IssuesDatabase>
type Record = ImportedFields & { [reference: string]: unknown }

const FIELDS = [
  'title',
  'descriptionMarkdown',
  'state',
  'priority',
  'estimate',
  'dueDate',
  'labels',
  'links',
  'assignee',
  'formerKeys',
  'history'
]

/** What changed in an issue where it comes from is changed here by the same rules as any other change. */
export function issueChanges(ctx: Ctx, references: readonly IssueReference[]): RecordChanges<ImportedFields> {
  return {
    fields: [...FIELDS, ...references.map(({ key }) => key)],
    // History and former keys only grow: they are never in conflict.
    current: (workspaceId, ids) => sql`
      select i.id, i.title, md5(i.description_markdown) as "descriptionMarkdown", i.state_id as state, i.priority,
        i.estimate, i.due_date as "dueDate", i.assignee_id as assignee,
        ${jsonArray(sql`
          select il.label_id from issue_label il
          join label l on l.workspace_id = il.workspace_id and l.id = il.label_id and l.deleted_at is null
          where il.workspace_id = i.workspace_id and il.issue_id = i.id order by 1`)} as labels,
        ${jsonRows(sql`
          select k.url, k.title from issue_link k
          where k.workspace_id = i.workspace_id and k.issue_id = i.id and k.deleted_at is null
          order by k.url, k.title`)} as links
        ${sql.join(
          references.map(({ key, column }) => sql`, ${sql.ref(`i.${column}`)} as ${sql.ref(key)}`),
          sql``
        )}
      from issue i
      where i.workspace_id = ${workspaceId} and i.id = any(${ids}::uuid[]) and i.deleted_at is null`,
    apply: batch => changeIssues(ctx, references, batch)
  }
}

async function changeIssues(
  ctx: Ctx,
  references: readonly IssueReference[],
  batch: ChangeBatch<ImportedFields>
): Promise<void> {
  const { trx, caller, workspaceId, actorId, items, changed, find, people, skip } = batch
  const db: Trx = trx
  const updates = makeUpdates(ctx, references)
  const accounts = await people(
    items.flatMap(({ record }) => [record.assignee, ...(record.history ?? []).map(({ actor }) => actor)])
  )
  const labels = await ctx.use.workspace.labelsNamed(
    caller,
    db,
    items.flatMap(({ record }) => record.labels ?? []),
    batch.now
  )
  const author = { ...caller, accountId: actorId }
  for (const item of items) {
    const record: Record = item.record
    const fields = changed.get(item.id)!
    const patch = patchOf(record, fields)
    if (fields.has('assignee')) {
      patch['assigneeId'] = record.assignee === undefined ? null : (accounts.get(record.assignee) ?? null)
    }
    if (fields.has('labels')) patch['labelIds'] = (record.labels ?? []).map(name => labels.get(name.toLowerCase())!)
    try {
      for (const { key, field } of references) {
        if (fields.has(key)) patch[field] = await referred(find, key, record[key])
      }
      if (fields.has('state')) patch['stateId'] = await stateNamed(db, workspaceId, item.id, record.state)
      const text = fields.has('descriptionMarkdown')
        ? await readStoredRichText(record.description, record.descriptionMarkdown ?? '')
        : undefined
      if (typeof text === 'string') throw new Refused(text)
      await updates.patch(db, author, item.id, patch, { text })
    } catch (error) {
      if (!(error instanceof ApiError) && !(error instanceof Refused)) throw error
      skip(item, error.message)
      continue
    }
    if (fields.has('links')) await changeLinks(db, workspaceId, item.id, record, batch.now)
    if (fields.has('history')) await addHistory(db, workspaceId, item.id, record, accounts, actorId)
    if (fields.has('formerKeys')) await addFormerKeys(db, workspaceId, [{ id: item.id, keys: record.formerKeys ?? [] }])
    await keepTimes(db, workspaceId, item.id, record, fields)
  }
}

/** Ends the change of one issue: the others go on. */
class Refused extends Error {}

function patchOf(record: Record, fields: ReadonlySet<string>): Patch {
  const patch: Patch = {}
  if (fields.has('title')) patch['title'] = record.title
  if (fields.has('priority')) patch['priority'] = record.priority ?? 0
  if (fields.has('estimate')) patch['estimate'] = record.estimate ?? null
  if (fields.has('dueDate')) patch['dueDate'] = record.dueDate ?? null
  return patch
}

async function referred(find: ChangeBatch<ImportedFields>['find'], key: string, name: unknown): Promise<Id | null> {
  if (typeof name !== 'string') return null
  const id = (await find(key, [name])).get(name)
  if (id === undefined) throw new Refused(`there is no ${key} '${name}'`)
  return id
}

/** Of the team that the issue is in now. */
async function stateNamed(db: Trx, workspaceId: Id, issueId: Id, name: string): Promise<Id> {
  const state = await db
    .selectFrom('workflowState as s')
    .innerJoin('issue as i', join =>
      join.onRef('i.workspaceId', '=', 's.workspaceId').onRef('i.teamId', '=', 's.teamId')
    )
    .select('s.id')
    .where('s.workspaceId', '=', workspaceId)
    .where('i.id', '=', issueId)
    .where('s.deletedAt', 'is', null)
    .where(sql`lower(s.name)`, '=', name.toLowerCase())
    .executeTakeFirst()
  if (!state) throw new Refused(`its team has no state '${name}' any more: add it, or map it to another one`)
  return state.id
}

async function changeLinks(db: Trx, workspaceId: Id, issueId: Id, { links = [] }: Record, at: Date): Promise<void> {
  const there = await db
    .selectFrom('issueLink')
    .select(['id', 'url', 'title'])
    .where('workspaceId', '=', workspaceId)
    .where('issueId', '=', issueId)
    .where('deletedAt', 'is', null)
    .execute()
  const isSame = (a: { url: string; title: string }, b: { url: string; title: string }) =>
    a.url === b.url && a.title === b.title
  const gone = there.filter(one => !links.some(link => isSame(link, one)))
  const added = links.filter(link => !there.some(one => isSame(link, one)))
  if (gone.length > 0) {
    await db
      .updateTable('issueLink')
      .set({ deletedAt: at })
      .where('workspaceId', '=', workspaceId)
      .where(
        'id',
        'in',
        gone.map(({ id }) => id)
      )
      .execute()
  }
  if (added.length > 0) {
    await db
      .insertInto('issueLink')
      .values(
        added.map(({ url, title, createdAt }) => ({
          workspaceId,
          id: newId(),
          issueId,
          url,
          title,
          createdAt: new Date(createdAt ?? at)
        }))
      )
      .execute()
  }
}

/** The entries that are not there yet. */
async function addHistory(
  db: Trx,
  workspaceId: Id,
  issueId: Id,
  { history = [] }: Record,
  accounts: ReadonlyMap<string, Id>,
  actorId: Id
): Promise<void> {
  const there = await db
    .selectFrom('issueChange')
    .select(['at', 'change', 'toName'])
    .where('workspaceId', '=', workspaceId)
    .where('issueId', '=', issueId)
    .execute()
  const keyOf = (at: Date, change: string, to: string | null) => JSON.stringify([at.toISOString(), change, to])
  const known = new Set(there.map(({ at, change, toName }) => keyOf(at, change, toName)))
  const added = history.filter(({ at, change, to }) => !known.has(keyOf(new Date(at), change, to)))
  if (added.length === 0) return
  await db
    .insertInto('issueChange')
    .values(
      added.map(({ at, actor, change, from, to }) => ({
        workspaceId,
        id: newId(),
        issueId,
        at: new Date(at),
        actorId: accounts.get(actor) ?? actorId,
        tokenId: null,
        change,
        fromName: from,
        toName: to
      }))
    )
    .execute()
}

/** When it was completed is known where it comes from. */
async function keepTimes(
  db: Trx,
  workspaceId: Id,
  issueId: Id,
  { completedAt }: Record,
  fields: ReadonlySet<string>
): Promise<void> {
  if (!fields.has('state') || completedAt === undefined) return
  await db
    .updateTable('issue')
    .set({ completedAt: new Date(completedAt) })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', issueId)
    .where('completedAt', 'is not', null)
    .execute()
}
