import { sql, type Transaction } from 'kysely'
import { Type } from 'typebox'
import { iso, jsonArray, jsonRows } from '../../core/db/sql.ts'
import type { Id } from '../../core/db/tables.ts'
import { newId } from '../../core/id.ts'
import { unlikeMarkdown } from '../../core/rich-text-field.ts'
import { readStoredRichText, type RichText } from '../../core/text/conversions.ts'
import { ExternalId, recordKind, type Batch } from '../transfer/contract.ts'
import { issueCreated, issueReferences, type IssueReference, type IssuesDatabase } from './contract.ts'
import { isDescribed } from './description.ts'
import type { Ctx } from './context.ts'
import { referenceId } from './queries/json.ts'
import { issueChanges } from './transfer-changes.ts'
import { fields, type ImportedFields } from './transfer-fields.ts'
import { addFormerKeys, issueKeys, numbersFor, takeReservedNumbers } from './transfer-keys.ts'

type Trx = Transaction<IssuesDatabase>

/** Issues with their labels, links, history and former keys. */
export function issueRecords(ctx: Ctx) {
  const references = ctx.contributions(issueReferences).map(({ item }) => item)
  return recordKind({
    kind: 'issue',
    summary: 'An issue with its labels, links, history and former keys.',
    table: 'issue',
    fields: {
      ...fields,
      ...Object.fromEntries(references.map(({ key }) => [key, Type.Optional(ExternalId)]))
    } as typeof fields,
    rows: (workspaceId, externalId) => sql`
      select ${externalId('issue', 'i.id')} as "externalId", t.identifier as team, i.number,
        ${jsonArray(sql`
          select ft.identifier || '-' || f.number from issue_former_key f
          join team ft on ft.workspace_id = f.workspace_id and ft.id = f.team_id
          where f.workspace_id = i.workspace_id and f.issue_id = i.id
          union select o.key from issue_old_key o where o.workspace_id = i.workspace_id and o.issue_id = i.id
          order by 1`)} as "formerKeys",
        i.title, i.description_markdown as "descriptionMarkdown", ${unlikeMarkdown('i.description', 'i.description_markdown')} as description,
        s.name as state, nullif(i.priority, 0) as priority, i.estimate, i.due_date as "dueDate",
        ${jsonArray(sql`select l.name from issue_label il join label l on l.workspace_id = il.workspace_id and l.id = il.label_id and l.deleted_at is null
          where il.workspace_id = i.workspace_id and il.issue_id = i.id order by lower(l.name)`)} as labels,
        ${jsonRows(sql`select k.url, k.title, ${iso('k.created_at')} as "createdAt" from issue_link k where k.workspace_id = i.workspace_id and k.issue_id = i.id and k.deleted_at is null order by k.created_at, k.url, k.title`)} as links,
        ${externalId('account', 'i.assignee_id')} as assignee, ${iso('i.assigned_at')} as "assignedAt",
        ${externalId('account', 'i.created_by_id')} as author, ${externalId('account', 'i.updated_by_id')} as "updatedBy",
        ${iso('i.created_at')} as "createdAt", ${iso('i.updated_at')} as "updatedAt", ${iso('i.completed_at')} as "completedAt", i.rev, i.sort_order as "sortOrder",
        ${jsonRows(sql`select ${iso('h.at')} as at, ${externalId('account', 'h.actor_id')} as actor, h.change, h.from_name as "from", h.to_name as "to"
          from issue_change h where h.workspace_id = i.workspace_id and h.issue_id = i.id order by h.at, h.id`)} as history
        ${sql.join(
          references.map(
            r => sql`, case when ${referenceId(r, 'i')} is not null then ${externalId(r.key, `i.${r.column}`)} end
              as ${sql.raw(`"${r.key}"`)}`
          ),
          sql``
        )}
      from issue i
      join team t on t.workspace_id = i.workspace_id and t.id = i.team_id
      join workflow_state s on s.workspace_id = i.workspace_id and s.id = i.state_id
      where i.workspace_id = ${workspaceId} and i.deleted_at is null order by t.identifier, i.number`,
    add: batch => addIssues(ctx, references, batch),
    changes: issueChanges(ctx, references),
    inTexts: { prefix: 'issue', names: issueKeys }
  })
}

type Imported = ImportedFields
export interface State {
  id: Id
  teamId: Id
  isCompleted: boolean
}

interface ImportedIssue {
  id: Id
  record: Imported
  state: State
  text: RichText
  createdAt: Date
  updatedAt: Date
}

async function addIssues(
  ctx: Ctx,
  references: readonly IssueReference[],
  { trx, caller, workspaceId, actorId, now, items, find, people, skip }: Batch<Imported>
): Promise<void> {
  const db: Trx = trx
  const states = await statesByName(db, workspaceId)
  const labels = await ctx.use.workspace.labelsNamed(
    caller,
    db,
    items.flatMap(({ record }) => record.labels ?? []),
    now
  )
  const accounts = await people(
    items.flatMap(({ record }) => [
      record.author,
      record.updatedBy,
      record.assignee,
      ...(record.history ?? []).map(entry => entry.actor)
    ])
  )
  const accountId = (name: string | undefined) => accounts.get(name ?? '') ?? actorId
  const referred = await Promise.all(
    references.map(async ({ key, column }) => ({
      key,
      column,
      ids: await find(
        key,
        items.map(({ record }) => referenceOf(record, key))
      )
    }))
  )

  const rows: ImportedIssue[] = []
  for (const item of items) {
    const { record, id } = item
    const state = states.get(stateName(record.team, record.state))
    if (state === undefined) {
      skip(
        item,
        `there is no state '${record.state}' in a team '${record.team}': a team's line stands before its issues`
      )
      continue
    }
    const lost = referred.find(({ key, ids }) => {
      const name = referenceOf(record, key)
      return name !== undefined && !ids.has(name)
    })
    if (lost) {
      skip(item, `there is no ${lost.key} '${referenceOf(record, lost.key)}'`)
      continue
    }
    const text = await readStoredRichText(record.description, record.descriptionMarkdown ?? '')
    if (typeof text === 'string') {
      skip(item, text)
      continue
    }
    const createdAt = new Date(record.createdAt ?? now)
    rows.push({ id, record, state, text, createdAt, updatedAt: new Date(record.updatedAt ?? createdAt) })
  }
  if (rows.length === 0) return
  const reserved = await takeReservedNumbers(
    db,
    workspaceId,
    await find(
      'issueKey',
      rows.map(({ record }) => record.externalId)
    )
  )
  const numbers = await numbersFor(
    db,
    workspaceId,
    rows.map(({ record, state }) => ({
      teamId: state.teamId,
      asked: record.number,
      reserved: reserved.get(record.externalId)
    }))
  )

  await db
    .insertInto('issue')
    .values(
      rows.map(({ id, record, state, text, createdAt, updatedAt }, n) => ({
        workspaceId,
        id,
        teamId: state.teamId,
        number: numbers[n]!,
        title: record.title,
        description: text.json,
        descriptionMarkdown: text.markdown,
        described: isDescribed(text, record.title),
        criteriaMet: text.criteria.met,
        criteriaTotal: text.criteria.total,
        stateId: state.id,
        assigneeId: record.assignee === undefined ? null : accountId(record.assignee),
        assignedAt: record.assignee === undefined ? null : new Date(record.assignedAt ?? updatedAt),
        priority: record.priority ?? 0,
        estimate: record.estimate ?? null,
        dueDate: record.dueDate ?? null,
        sortOrder: record.sortOrder ?? createdAt.getTime(),
        parentId: null,
        createdById: accountId(record.author),
        updatedById: accountId(record.updatedBy ?? record.author),
        createdAt,
        updatedAt,
        completedAt: state.isCompleted ? new Date(record.completedAt ?? updatedAt) : null,
        rev: record.rev ?? 1,
        ...Object.fromEntries(
          referred.map(({ key, column, ids }) => [column, ids.get(referenceOf(record, key) ?? '') ?? null])
        )
      }))
    )
    .execute()

  const labelled = rows.flatMap(({ id, record }) =>
    [...new Set(record.labels?.map(name => labels.get(name.toLowerCase())!))].map(labelId => ({
      workspaceId,
      issueId: id,
      labelId
    }))
  )
  const links = rows.flatMap(({ id, record, createdAt }) =>
    (record.links ?? []).map(link => ({
      workspaceId,
      id: newId(),
      issueId: id,
      url: link.url,
      title: link.title,
      createdAt: new Date(link.createdAt ?? createdAt)
    }))
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
  if (labelled.length > 0) await db.insertInto('issueLabel').values(labelled).execute()
  if (links.length > 0) await db.insertInto('issueLink').values(links).execute()
  for (let n = 0; n < history.length; n += MOST_ROWS) {
    await db
      .insertInto('issueChange')
      .values(history.slice(n, n + MOST_ROWS))
      .execute()
  }
  await addFormerKeys(
    db,
    workspaceId,
    rows.map(({ id, record }, n) => ({
      id,
      keys: (record.formerKeys ?? []).filter(key => key.toUpperCase() !== `${record.team.toUpperCase()}-${numbers[n]}`)
    }))
  )
  await ctx.emit(
    trx,
    issueCreated,
    caller,
    rows.map(({ id, record, state }, n) => ({
      subjectId: id,
      subjectKey: `${record.team.toUpperCase()}-${numbers[n]}`,
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
  )
}

/** PostgreSQL takes 65,535 parameters in a statement. */
const MOST_ROWS = 5000

export const referenceOf = (record: Imported & Record<string, unknown>, key: string): string | undefined =>
  record[key] as string | undefined
export const stateName = (team: string, state: string) => JSON.stringify([team.toUpperCase(), state.toLowerCase()])

export async function statesByName(db: Trx, workspaceId: Id): Promise<Map<string, State>> {
  const rows = await db
    .selectFrom('workflowState as s')
    .innerJoin('team as t', join => join.onRef('t.workspaceId', '=', 's.workspaceId').onRef('t.id', '=', 's.teamId'))
    .select(['s.id', 's.teamId', 's.name', 's.category', 't.identifier'])
    .where('s.workspaceId', '=', workspaceId)
    .where('s.deletedAt', 'is', null)
    .where('t.deletedAt', 'is', null)
    .orderBy('s.id')
    .forShare('s')
    .execute()
  return new Map(
    rows.map(({ id, teamId, name, category, identifier }) => [
      stateName(identifier, name),
      { id, teamId, isCompleted: category === 'COMPLETED' }
    ])
  )
}
