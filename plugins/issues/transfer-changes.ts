import { sql } from 'kysely'
import { ApiError } from '../../core/contract.ts'
import { notDeletedIn } from '../../core/db/workspace-rows.ts'
import { insertGroups } from '../../core/db/insert-groups.ts'
import { jsonRows } from '../../core/db/sql.ts'
import type { Id } from '../../core/db/tables.ts'
import { newId } from '../../core/id.ts'
import { readStoredRichText } from '../../core/text/conversions.ts'
import type { ChangeBatch, RecordChanges } from '../transfer/contract.ts'
import type { Trx } from './changes.ts'
import type { Ctx } from './context.ts'
import type { Field } from './field.ts'
import { ownFields } from './fields.ts'
import { rowValue } from './queries/fields.ts'
import {
  findListed,
  importedReferences,
  importedValues,
  linkColumns,
  nameIn,
  namesIn,
  type ImportedIssue
} from './transfer-fields.ts'
import { addFormerKeys } from './transfer-keys.ts'
import { patchIssue } from './update.ts'

/** What is compared beside the fields of issues. */
const PARTS = ['descriptionMarkdown', 'links', 'formerKeys', 'history']

/** Applies changes that an issue had in its source, by the same rules as any other change. */
export function issueChanges(ctx: Ctx, fields: readonly Field[]): RecordChanges<ImportedIssue> {
  const compared = fields.filter(({ transfer, key }) => transfer !== undefined && key !== ownFields.sortOrder.key)
  return {
    fields: [...PARTS, ...compared.map(({ key }) => key)],
    // History and former keys only grow: they are never in conflict.
    current: (workspaceId, ids) => sql`
      select issue.id, md5(issue.description_markdown) as "descriptionMarkdown",
        ${sql.join(compared.map(field => sql`${comparedValue(workspaceId, field)} as ${sql.raw(`"${field.key}"`)}`))},
        ${jsonRows(sql`
          select k.url, k.title from issue_link k
          where k.workspace_id = ${workspaceId} and k.issue_id = issue.id and k.deleted_at is null
          order by k.url, k.title`)} as links
      from issue
      where issue.workspace_id = ${workspaceId} and issue.id = any(${ids}::uuid[]) and issue.deleted_at is null`,
    apply: batch => changeIssues(ctx, fields, batch)
  }
}
/** A field as it is stored: what it refers to by its id. */
const comparedValue = (workspaceId: Id, field: Field) =>
  field.kind === 'links' ? rowValue(workspaceId, field) : sql`${sql.ref(`issue.${field.column}`)}`

async function changeIssues(ctx: Ctx, fields: readonly Field[], batch: ChangeBatch<ImportedIssue>): Promise<void> {
  const { trx, caller, workspaceId, actorId, items, changed, find, people, skip } = batch
  const db: Trx = trx
  const writer = { ctx, fields }
  const accounts = await people(
    items.flatMap(({ record }) => [record.assignee, ...(record.history ?? []).map(({ actor }) => actor)])
  )
  const lists = await findListed(ctx, fields, batch)
  const author = { ...caller, accountId: actorId }
  for (const item of items) {
    const { record } = item
    const names = changed.get(item.id)!
    const isChanged = ({ key }: Field) => names.has(key)
    const patch: Record<string, unknown> = {}
    for (const field of importedValues(fields).filter(isChanged)) {
      patch[field.property] = record[field.key] ?? field.initial?.(batch.now) ?? null
    }
    for (const { field, ids } of lists) {
      if (isChanged(field)) patch[field.property] = namesIn(record, field).map(name => ids.get(name.toLowerCase())!)
    }
    if (names.has('assignee')) {
      patch['assigneeId'] = record.assignee === undefined ? null : (accounts.get(record.assignee) ?? null)
    }
    try {
      for (const field of importedReferences(fields).filter(isChanged)) {
        patch[field.property] = await referred(find, field.key, nameIn(record, field))
      }
      if (names.has('state')) patch['stateId'] = await stateNamed(db, workspaceId, item.id, record.state)
      const text = names.has('descriptionMarkdown')
        ? await readStoredRichText(record.description, record.descriptionMarkdown ?? '')
        : undefined
      if (typeof text === 'string') throw new Refused(text)
      await patchIssue(writer, db, author, item.id, patch, { text })
    } catch (error) {
      if (!(error instanceof ApiError) && !(error instanceof Refused)) throw error
      skip(item, error.message)
      continue
    }
    if (names.has('links')) await changeLinks(db, workspaceId, item.id, record, batch.now)
    if (names.has('history')) await addHistory(db, workspaceId, item.id, record, accounts, actorId)
    if (names.has('formerKeys')) await addFormerKeys(ctx, batch, [{ id: item.id, keys: record.formerKeys ?? [] }])
    await keepTimes(db, workspaceId, item.id, record, names)
  }
}

/** Ends the change of one issue: the others go on. */
class Refused extends Error {}

async function referred(find: ChangeBatch<ImportedIssue>['find'], key: string, name: unknown): Promise<Id | null> {
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
    .where(notDeletedIn(workspaceId, 's'))
    .where('i.id', '=', issueId)
    .where(sql`lower(s.name)`, '=', name.toLowerCase())
    .executeTakeFirst()
  if (!state) throw new Refused(`its team has no state '${name}' any more: add it, or map it to another one`)
  return state.id
}

async function changeLinks(
  db: Trx,
  workspaceId: Id,
  issueId: Id,
  { links = [] }: ImportedIssue,
  at: Date
): Promise<void> {
  const there = await db
    .selectFrom('issueLink')
    .select(['id', 'url', 'title'])
    .where(notDeletedIn(workspaceId))
    .where('issueId', '=', issueId)
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
  for (const group of insertGroups(added)) {
    await db
      .insertInto('issueLink')
      .values(group.map(link => ({ workspaceId, id: newId(), issueId, ...linkColumns(link, at) })))
      .execute()
  }
}

/** The entries that are not there yet. */
async function addHistory(
  db: Trx,
  workspaceId: Id,
  issueId: Id,
  { history = [] }: ImportedIssue,
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
  for (const group of insertGroups(added)) {
    await db
      .insertInto('issueChange')
      .values(
        group.map(({ at, actor, change, from, to }) => ({
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
}

/** When it was completed is known where it comes from. */
async function keepTimes(
  db: Trx,
  workspaceId: Id,
  issueId: Id,
  { completedAt }: ImportedIssue,
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
