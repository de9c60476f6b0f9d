import { ApiError, type Actor } from '../../../core/api/contract.ts'
import type { Id } from '../../../core/api/database/types.ts'
import { readStoredRichText } from '../../../core/api/text.ts'
import { UNKNOWN_PERSON, type ChangeBatch, type RecordChanges } from '../../transfer/contract.ts'
import type { Ctx, Trx } from '../context.ts'
import type { Field } from '../fields/field.ts'
import { ownFields } from '../fields/fields.ts'
import { lockFound } from '../queries/write/locks.ts'
import * as queries from './queries.ts'
import {
  findListed,
  historyColumns,
  importedReferences,
  importedValues,
  linkColumns,
  nameIn,
  namesIn,
  type ImportedIssue
} from './transfer-fields.ts'
import { addFormerKeys } from './transfer-keys.ts'
import { touchIssues } from '../write/changes.ts'
import { patchIssue } from '../write/update.ts'
import type { Writer } from '../queries/write/writer.ts'

const PARTS = ['descriptionMarkdown', 'links', 'formerKeys', 'history']

export function issueChanges(ctx: Ctx, fields: readonly Field[]): RecordChanges<ImportedIssue> {
  const compared = fields.filter(({ transfer, key }) => transfer !== undefined && key !== ownFields.sortOrder.key)
  return {
    fields: [...PARTS, ...compared.map(({ key }) => key)],
    // History and former keys only grow, without conflicts.
    current: (workspaceId, ids) => queries.comparedIssues(workspaceId, ids, compared),
    apply: batch => changeIssues(ctx, fields, batch)
  }
}

async function changeIssues(ctx: Ctx, fields: readonly Field[], batch: ChangeBatch<ImportedIssue>): Promise<void> {
  const { trx, caller, workspaceId, items, changed, find, people, skip } = batch
  const db: Trx = trx
  const writer = { ctx, fields }
  const accounts = await people([
    UNKNOWN_PERSON,
    ...items.flatMap(({ record }) => [record.assignee, ...(record.history ?? []).map(({ actor }) => actor)])
  ])
  const ids = items.map(({ id }) => id)
  await lockFound(db, workspaceId, ids)
  const lists = await findListed(ctx, fields, batch)
  // The source does not name the author of a change.
  const author = { ...caller, accountId: accounts.get(UNKNOWN_PERSON)! }
  for (const item of items) {
    const { record } = item
    const names = changed.get(item.id)!
    const isChanged = ({ key }: Field) => names.has(key)
    const patch: Record<string, unknown> = {}
    for (const field of importedValues(fields).filter(isChanged)) {
      patch[field.property] = record[field.key] ?? field.initial?.(batch.now) ?? null
    }
    for (const { field, ids } of lists) {
      if (isChanged(field)) patch[field.property] = namesIn(record, field).map(name => ids.get(name)!)
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
      batch.noteCut(item, text?.cutCharacters ?? 0)
      await patchIssue(writer, db, author, item.id, patch, { text })
    } catch (error) {
      if (!(error instanceof ApiError) && !(error instanceof Refused)) throw error
      skip(item, error.message)
      continue
    }
    if (names.has('links')) await changeLinks(writer, db, author, item.id, record, batch.now)
    if (names.has('history')) await addHistory(db, workspaceId, item.id, record, accounts)
    if (names.has('formerKeys')) await addFormerKeys(ctx, batch, [{ id: item.id, keys: record.formerKeys ?? [] }])
    if (names.has('state') && record.completedAt !== undefined) {
      await queries.setCompletedAt(db, workspaceId, item.id, new Date(record.completedAt))
    }
  }
}

class Refused extends Error {}

async function referred(find: ChangeBatch<ImportedIssue>['find'], key: string, name: unknown): Promise<Id | null> {
  if (typeof name !== 'string') return null
  const id = (await find(key, [name])).get(name)
  if (id === undefined) throw new Refused(`there is no ${key} '${name}'`)
  return id
}

async function stateNamed(db: Trx, workspaceId: Id, issueId: Id, name: string): Promise<Id> {
  const state = await queries.findStateNamed(db, workspaceId, issueId, name)
  if (!state) throw new Refused(`its team has no state '${name}' any more: add it, or map it to another one`)
  return state.id
}

async function changeLinks(
  writer: Writer,
  db: Trx,
  author: Actor,
  issueId: Id,
  { links = [] }: ImportedIssue,
  at: Date
): Promise<void> {
  const { workspaceId } = author
  const there = await queries.listLinks(db, workspaceId, issueId)
  const isSame = (a: { url: string; title: string }, b: { url: string; title: string }) =>
    a.url === b.url && a.title === b.title
  const removed = there.filter(one => !links.some(link => isSame(link, one)))
  const added = links.filter(link => !there.some(one => isSame(link, one)))
  const ids = removed.map(({ id }) => id)
  const rows = added.map(link => ({ issueId, ...linkColumns(link, at) }))
  await queries.removeLinks(db, workspaceId, ids, at)
  await queries.insertLinks(db, workspaceId, rows)
  const change = 'link'
  for (const { title } of removed) await touchIssues(writer, db, author, [issueId], { change, from: title, to: null })
  for (const { title } of added) await touchIssues(writer, db, author, [issueId], { change, from: null, to: title })
}

async function addHistory(
  db: Trx,
  workspaceId: Id,
  issueId: Id,
  { history = [] }: ImportedIssue,
  accounts: ReadonlyMap<string, Id>
): Promise<void> {
  const there = await queries.listHistory(db, workspaceId, issueId)
  const keyOf = (at: Date, change: string, to: string | null) => JSON.stringify([at.toISOString(), change, to])
  const known = new Set(there.map(({ at, change, toName }) => keyOf(at, change, toName)))
  const added = history.filter(({ at, change, to }) => !known.has(keyOf(new Date(at), change, to)))
  const rows = added.map(entry => ({ issueId, ...historyColumns(entry, name => accounts.get(name)!) }))
  await queries.insertHistory(db, workspaceId, rows)
}
