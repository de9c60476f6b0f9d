import { sql, type RawBuilder } from 'kysely'
import { notDeletedIn } from '../../core/db/workspace-rows.ts'
import { insertGroups } from '../../core/db/insert-groups.ts'
import { iso, jsonArray, jsonRows } from '../../core/db/sql.ts'
import type { Id } from '../../core/db/tables.ts'
import { newId } from '../../core/id.ts'
import { unlikeMarkdown } from '../../core/rich-text-field.ts'
import { readStoredRichText, type RichText } from '../../core/text/conversions.ts'
import { recordKind, type Batch } from '../transfer/contract.ts'
import type { Trx } from './changes.ts'
import { keepClaims } from './claims/keep.ts'
import { issueCreated } from './contract.ts'
import { isDescribed } from './description.ts'
import type { Ctx } from './context.ts'
import type { Field, LinksField, ReferenceField, ValueField } from './field.ts'
import { namedValue, referenceId } from './queries/fields.ts'
import { issueJoins } from './queries/json.ts'
import { allIssueFields } from './service.ts'
import { issueChanges } from './transfer-changes.ts'
import {
  findListed,
  importedFields,
  importedReferences,
  importedValues,
  linkColumns,
  nameIn,
  namesIn,
  type ImportedIssue
} from './transfer-fields.ts'
import { addFormerKeys, issueKeys, numbersFor, takeReservedNumbers } from './transfer-keys.ts'

/** Issues with their labels, links, history and former keys. */
export function issueRecords(ctx: Ctx) {
  const fields = allIssueFields(ctx)
  return recordKind({
    kind: 'issue',
    summary: 'An issue with its labels, links, history and former keys.',
    table: 'issue',
    fields: importedFields(fields),
    rows: (workspaceId, externalId) => sql`
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
        ${sql.join(exported(workspaceId, fields, externalId))},
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
      where issue.workspace_id = ${workspaceId} and issue.deleted_at is null order by team.identifier, issue.number`,
    add: batch => addIssues(ctx, fields, batch),
    changes: issueChanges(ctx, fields),
    inTexts: { prefix: 'issue', names: issueKeys }
  })
}

type ExternalIdOf = (kind: string, column: string) => RawBuilder<string>

/** The fields in an export file, each under its key. */
const exported = (workspaceId: Id, fields: readonly Field[], externalId: ExternalIdOf) =>
  fields
    .filter(({ transfer }) => transfer !== undefined)
    .map(field => sql`${exportedValue(workspaceId, field, externalId)} as ${sql.raw(`"${field.key}"`)}`)

function exportedValue(workspaceId: Id, field: Field, externalId: ExternalIdOf) {
  if (field.kind === 'links') return namedValue(workspaceId, field)
  const column = `issue.${field.column}`
  if (field.kind === 'value') return field.words ? sql`nullif(${sql.ref(column)}, 0)` : sql`${sql.ref(column)}`
  if (field.source === 'state') return namedValue(workspaceId, field)
  const kind = typeof field.source === 'string' ? field.source : field.source.table
  return sql`case when ${referenceId(workspaceId, field)} is not null then ${externalId(kind, column)} end`
}

type Imported = ImportedIssue
export interface State {
  id: Id
  teamId: Id
  isStarted: boolean
  isCompleted: boolean
}

interface NewIssue {
  id: Id
  record: Imported
  state: State
  text: RichText
  createdAt: Date
  updatedAt: Date
}

async function addIssues(ctx: Ctx, fields: readonly Field[], batch: Batch<Imported>): Promise<void> {
  const { trx, caller, workspaceId, actorId, now, items } = batch
  const db: Trx = trx
  const found = await findReferred(ctx, db, fields, batch)
  const rows: NewIssue[] = []
  for (const item of items) {
    const row = await readIssue(item, found, now)
    if (typeof row === 'string') batch.skip(item, row)
    else rows.push(row)
  }
  if (rows.length === 0) return
  const numbers = await numbersOf(db, batch, rows)
  const keyed = rows.map((row, n) => ({ ...row, key: `${row.record.team.toUpperCase()}-${numbers[n]}` }))
  const accountId = (name: string | undefined) => found.accounts.get(name ?? '') ?? actorId
  await db
    .insertInto('issue')
    .values(rows.map((row, n) => ({ workspaceId, number: numbers[n]!, ...columnsOf(row, found, accountId) })))
    .execute()
  await addListed(db, workspaceId, rows, found)
  await addParts(db, workspaceId, rows, accountId)
  await addFormerKeys(
    ctx,
    batch,
    keyed.map(({ id, record: { formerKeys = [] }, key }) => ({
      id,
      keys: formerKeys.filter(former => former.toUpperCase() !== key)
    }))
  )
  const events = keyed.map(({ id, record, state, key }) => ({
    subjectId: id,
    subjectKey: key,
    issueId: id,
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
  const begun = rows.filter(({ record, state }) => state.isStarted && record.assignee !== undefined)
  await keepClaims(
    { ctx, fields },
    db,
    caller,
    begun.map(({ id }) => id)
  )
}

/** The numbers of new issues: those that were reserved for them, those that they ask for, or the next ones. */
async function numbersOf(db: Trx, { workspaceId, find }: Batch<Imported>, rows: readonly NewIssue[]) {
  const kept = await find(
    'issueKey',
    rows.map(({ record }) => record.externalId)
  )
  const reserved = await takeReservedNumbers(db, workspaceId, kept)
  return numbersFor(
    db,
    workspaceId,
    rows.map(({ record, state }) => ({
      teamId: state.teamId,
      asked: record.number,
      reserved: reserved.get(record.externalId)
    }))
  )
}

/** Adds what the fields that are lists hold of new issues. */
async function addListed(db: Trx, workspaceId: Id, rows: readonly NewIssue[], { lists }: Referred): Promise<void> {
  for (const { field, ids } of lists) {
    const linked = rows.flatMap(({ id, record }) =>
      [...new Set(namesIn(record, field))].map(name => ({ id, thing: ids.get(name.toLowerCase())! }))
    )
    // Raw, because the table and its column follow from the field, which another plugin may have contributed.
    await sql`
      insert into ${sql.table(field.table)} (workspace_id, issue_id, ${sql.ref(field.column)})
      select distinct ${workspaceId}::uuid, l.id, l.thing
      from unnest(${linked.map(row => row.id)}::uuid[], ${linked.map(row => row.thing)}::uuid[]) as l (id, thing)
    `.execute(db)
  }
}

/** What the records of a batch name. */
interface Referred {
  states: Map<string, State>
  accounts: ReadonlyMap<string, Id>
  /** The plain values that a record has. */
  values: ValueField[]
  /** Contributed references, by their keys in the record. */
  references: Array<{ field: ReferenceField; ids: ReadonlyMap<string, Id> }>
  lists: Array<{ field: LinksField; ids: ReadonlyMap<string, Id> }>
}

async function findReferred(ctx: Ctx, db: Trx, fields: readonly Field[], batch: Batch<Imported>): Promise<Referred> {
  const { workspaceId, items, find, people } = batch
  const states = await statesByName(db, workspaceId)
  const accounts = await people(
    items.flatMap(({ record }) => [
      record.author,
      record.updatedBy,
      record.assignee,
      ...(record.history ?? []).map(entry => entry.actor)
    ])
  )
  const references: Referred['references'] = []
  for (const field of importedReferences(fields)) {
    references.push({
      field,
      ids: await find(
        field.key,
        items.map(({ record }) => nameIn(record, field))
      )
    })
  }
  const lists = await findListed(ctx, fields, batch)
  return { states, accounts, values: importedValues(fields), references, lists }
}

/** @returns why it cannot be added, if so */
async function readIssue(
  { record, id }: Batch<Imported>['items'][number],
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

function columnsOf(
  { id, record, state, text, createdAt, updatedAt }: NewIssue,
  { values, references }: Referred,
  accountId: (name: string | undefined) => Id
) {
  const isAssigned = record.assignee !== undefined
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
    assigneeId: isAssigned ? accountId(record.assignee) : null,
    assignedAt: isAssigned ? new Date(record.assignedAt ?? updatedAt) : null,
    parentId: null,
    createdById: accountId(record.author),
    updatedById: accountId(record.updatedBy ?? record.author),
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

/** Links and history. */
async function addParts(
  db: Trx,
  workspaceId: Id,
  rows: readonly NewIssue[],
  accountId: (name: string | undefined) => Id
): Promise<void> {
  const links = rows.flatMap(({ id, record, createdAt }) =>
    (record.links ?? []).map(link => ({ workspaceId, id: newId(), issueId: id, ...linkColumns(link, createdAt) }))
  )
  const history = rows.flatMap(({ id, record }) =>
    (record.history ?? []).map(({ at, actor, change, from, to }) => ({
      workspaceId,
      id: newId(),
      issueId: id,
      at: new Date(at),
      actorId: accountId(actor),
      tokenId: null,
      change,
      fromName: from,
      toName: to
    }))
  )
  for (const group of insertGroups(links)) await db.insertInto('issueLink').values(group).execute()
  for (const group of insertGroups(history)) await db.insertInto('issueChange').values(group).execute()
}

export const stateName = (team: string, state: string) => JSON.stringify([team.toUpperCase(), state.toLowerCase()])

export async function statesByName(db: Trx, workspaceId: Id): Promise<Map<string, State>> {
  const rows = await db
    .selectFrom('workflowState as s')
    .innerJoin('team as t', join => join.onRef('t.workspaceId', '=', 's.workspaceId').onRef('t.id', '=', 's.teamId'))
    .select(['s.id', 's.teamId', 's.name', 's.category', 't.identifier'])
    .where(notDeletedIn(workspaceId, 's'))
    .where('t.deletedAt', 'is', null)
    .orderBy('s.id')
    .forShare('s')
    .execute()
  return new Map(
    rows.map(({ id, teamId, name, category, identifier }) => [
      stateName(identifier, name),
      { id, teamId, isStarted: category === 'STARTED', isCompleted: category === 'COMPLETED' }
    ])
  )
}
