import type { Id } from '../../../core/api/database/types.ts'
import { readStoredRichText, type RichText } from '../../../core/api/text.ts'
import { recordKind, UNKNOWN_PERSON, type Batch } from '../../transfer/contract.ts'
import { afterMoves } from '../write/participants.ts'
import { issueCreated } from '../contract.ts'
import { isDescribed } from '../write/description.ts'
import type { Ctx, Trx } from '../context.ts'
import type { Field, LinksField, ReferenceField, ValueField } from '../fields/field.ts'
import * as queries from './queries.ts'
import { allIssueFields } from '../service.ts'
import { issueChanges } from './transfer-changes.ts'
import {
  findListed,
  historyColumns,
  importedFields,
  importedReferences,
  importedValues,
  linkColumns,
  nameIn,
  namesIn,
  type ImportedIssue
} from './transfer-fields.ts'
import { addFormerKeys, numbersFor, takeReservedNumbers } from './transfer-keys.ts'

export function issueRecords(ctx: Ctx) {
  const fields = allIssueFields(ctx)
  return recordKind({
    kind: 'issue',
    summary: 'An issue with its labels, links, history and former keys.',
    table: 'issue',
    fields: importedFields(fields),
    rows: (workspaceId, externalId) =>
      queries.exportedIssues(
        workspaceId,
        fields.filter(({ transfer }) => transfer !== undefined),
        externalId
      ),
    add: batch => addIssues(ctx, fields, batch),
    changes: issueChanges(ctx, fields),
    identities: queries.issueIdentities,
    inTexts: { prefix: 'issue', names: queries.issueKeys }
  })
}

interface State {
  id: Id
  teamId: Id
  isStarted: boolean
  isCompleted: boolean
}

interface NewIssue {
  id: Id
  record: ImportedIssue
  state: State
  text: RichText & { cutCharacters: number }
  createdAt: Date
  updatedAt: Date
}

async function addIssues(ctx: Ctx, fields: readonly Field[], batch: Batch<ImportedIssue>): Promise<void> {
  const { trx, caller, workspaceId, now, items } = batch
  const db: Trx = trx
  const resolved = await findReferred(ctx, db, fields, batch)
  const rows: NewIssue[] = []
  for (const item of items) {
    const row = await readIssue(item, resolved, now)
    if (typeof row === 'string') batch.skip(item, row)
    else {
      batch.noteCut(item, row.text.cutCharacters)
      rows.push(row)
    }
  }
  if (rows.length === 0) return
  const numbers = await numbersOf(db, batch, rows)
  const keyed = rows.map((row, n) => ({ ...row, key: `${row.record.team.toUpperCase()}-${numbers[n]}` }))
  const accountId = (name: string) => resolved.accounts.get(name)!
  const columns = rows.map((row, n) => ({ number: numbers[n]!, ...columnsOf(row, resolved, accountId) }))
  await queries.insertIssueRows(db, workspaceId, columns)
  await addListed(db, workspaceId, rows, resolved)
  await addParts(db, workspaceId, rows, accountId)
  const formerKeys = keyed.map(({ id, record, key }) => ({
    id,
    keys: record.formerKeys?.filter(former => former.toUpperCase() !== key) ?? []
  }))
  await addFormerKeys(ctx, batch, formerKeys)
  const events = keyed.map(({ id, record, state, key }) => ({
    subjectId: id,
    subjectKey: key,
    parentId: id,
    rev: record.rev ?? 1,
    data: {
      title: record.title,
      teamId: state.teamId,
      stateId: state.id,
      assigneeId: record.assignee === undefined ? null : accountId(record.assignee),
      parentId: null
    }
  }))
  await ctx.emit(trx, issueCreated, caller, events)
  const begun = rows.filter(({ record, state }) => state.isStarted && record.assignee !== undefined).map(({ id }) => id)
  await afterMoves(ctx, caller, db, begun)
}

async function numbersOf(db: Trx, { workspaceId, find }: Batch<ImportedIssue>, rows: readonly NewIssue[]) {
  const names = rows.map(({ record }) => record.externalId)
  const reserved = await takeReservedNumbers(db, workspaceId, await find('issueKey', names))
  const requests = rows.map(({ record: { number, externalId }, state: { teamId } }) => ({
    teamId,
    requested: number,
    reserved: reserved.get(externalId)
  }))
  return numbersFor(db, workspaceId, requests)
}

async function addListed(db: Trx, workspaceId: Id, rows: readonly NewIssue[], { lists }: Referred): Promise<void> {
  for (const { field, ids } of lists) {
    const linked = rows.flatMap(({ id, record }) =>
      [...new Set(namesIn(record, field))].map(name => ({ id, thing: ids.get(name)! }))
    )
    await queries.insertLinked(db, workspaceId, field, linked)
  }
}

interface Referred {
  states: Map<string, State>
  accounts: ReadonlyMap<string, Id>
  values: ValueField[]
  references: Array<{ field: ReferenceField; ids: ReadonlyMap<string, Id> }>
  lists: Array<{ field: LinksField; ids: ReadonlyMap<string, Id> }>
}

async function findReferred(
  ctx: Ctx,
  db: Trx,
  fields: readonly Field[],
  batch: Batch<ImportedIssue>
): Promise<Referred> {
  const { workspaceId, items, find, people } = batch
  const states = await statesByName(db, workspaceId)
  const accounts = await people(
    items.flatMap(({ record }) => [
      authorOf(record),
      updaterOf(record),
      record.assignee,
      ...(record.history ?? []).map(entry => entry.actor)
    ])
  )
  const references: Referred['references'] = []
  for (const field of importedReferences(fields)) {
    const names = items.map(({ record }) => nameIn(record, field))
    references.push({ field, ids: await find(field.key, names) })
  }
  const lists = await findListed(ctx, fields, batch)
  return { states, accounts, values: importedValues(fields), references, lists }
}

/** @returns the issue, or the reason for skipping it */
async function readIssue(
  { record, id }: Batch<ImportedIssue>['items'][number],
  { states, references }: Referred,
  now: Date
): Promise<NewIssue | string> {
  const state = states.get(stateName(record.team, record.state))
  if (state === undefined) {
    return `there is no state '${record.state}' in a team '${record.team}': a team's line stands before its issues`
  }
  for (const { field, ids } of references) {
    const name = nameIn(record, field)
    if (name !== undefined && !ids.has(name)) return `there is no ${field.key} '${name}'`
  }
  const text = await readStoredRichText(record.description, record.descriptionMarkdown ?? '')
  if (typeof text === 'string') return text
  const createdAt = new Date(record.createdAt ?? now)
  return { id, record, state, text, createdAt, updatedAt: new Date(record.updatedAt ?? createdAt) }
}

const authorOf = ({ author = UNKNOWN_PERSON }: ImportedIssue): string => author
const updaterOf = (record: ImportedIssue): string => {
  const { updatedBy, createdAt, updatedAt = createdAt } = record
  return updatedBy ?? (updatedAt === createdAt ? authorOf(record) : UNKNOWN_PERSON)
}

function columnsOf(
  { id, record, state, text, createdAt, updatedAt }: NewIssue,
  { values, references }: Referred,
  accountId: (name: string) => Id
) {
  const { assignee } = record
  return {
    id,
    teamId: state.teamId,
    title: record.title,
    priority: 0,
    sortOrder: createdAt.getTime(),
    ...Object.fromEntries(
      values.map(field => [camelCase(field.column), record[field.key] ?? field.initial?.(createdAt) ?? null])
    ),
    description: text.json,
    descriptionMarkdown: text.markdown,
    described: isDescribed(text, record.title),
    criteriaMet: text.criteria.met,
    criteriaTotal: text.criteria.total,
    stateId: state.id,
    assigneeId: assignee === undefined ? null : accountId(assignee),
    assignedAt: assignee !== undefined ? new Date(record.assignedAt ?? updatedAt) : null,
    parentId: null,
    createdById: accountId(authorOf(record)),
    updatedById: accountId(updaterOf(record)),
    createdAt,
    updatedAt,
    completedAt: state.isCompleted ? new Date(record.completedAt ?? updatedAt) : null,
    rev: record.rev ?? 1,
    ...Object.fromEntries(
      references.map(({ field, ids }) => [field.column, ids.get(nameIn(record, field) ?? '') ?? null])
    )
  }
}

/** A column as the tables' types name it. */
const camelCase = (column: string) => column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

async function addParts(
  db: Trx,
  workspaceId: Id,
  rows: readonly NewIssue[],
  accountId: (name: string) => Id
): Promise<void> {
  const links = rows.flatMap(({ id, record, createdAt }) =>
    (record.links ?? []).map(link => ({ issueId: id, ...linkColumns(link, createdAt) }))
  )
  const history = rows.flatMap(({ id, record }) =>
    (record.history ?? []).map(entry => ({ issueId: id, ...historyColumns(entry, accountId) }))
  )
  await queries.insertLinks(db, workspaceId, links)
  await queries.insertHistory(db, workspaceId, history)
}

const stateName = (team: string, state: string) => JSON.stringify([team.toUpperCase(), state.toLowerCase()])

async function statesByName(db: Trx, workspaceId: Id): Promise<Map<string, State>> {
  const rows = await queries.lockStates(db, workspaceId)
  return new Map(
    rows.map(({ id, teamId, name, category, identifier }) => [
      stateName(identifier, name),
      { id, teamId, isStarted: category === 'STARTED', isCompleted: category === 'COMPLETED' }
    ])
  )
}
