import { sql, type Transaction } from 'kysely'
import { Type, type Static, type TObject, type TProperties } from 'typebox'
import { iso, jsonArray, jsonRows } from '../../core/db/sql.ts'
import type { Id } from '../../core/db/tables.ts'
import { newId } from '../../core/id.ts'
import { RawRichText, unlikeMarkdown } from '../../core/rich-text-field.ts'
import { Closed, Day, Line, Nullable } from '../../core/schemas.ts'
import { readStoredRichText, type RichText } from '../../core/text/conversions.ts'
import { ExternalId, Person, recordKind, When, type Batch } from '../transfer/contract.ts'
import { issueCreated, issueReferences, issueUpdated, type IssueReference, type IssuesDatabase } from './contract.ts'
import { storedRelation } from './create.ts'
import { isDescribed } from './description.ts'
import type { Ctx } from './context.ts'
import { referenceId } from './queries/json.ts'
import { lockFound, lockGraph } from './queries/locks.ts'

type Trx = Transaction<IssuesDatabase>

const fields = {
  externalId: ExternalId,
  team: Type.String({ maxLength: 20, description: 'Its identifier.' }),
  number: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 2_000_000_000,
      description: 'In its key; taken if it is free in the team, otherwise it gets the next.'
    })
  ),
  formerKeys: Type.Optional(
    Type.Array(Type.String({ pattern: '^[A-Za-z][A-Za-z0-9]{0,9}-[1-9][0-9]{0,8}$' }), {
      description: 'Keys that led to it before it was moved.'
    })
  ),
  title: Line(1000),
  descriptionMarkdown: Type.Optional(Type.String({ description: 'Acceptance criteria are its task list.' })),
  description: Type.Optional(RawRichText),
  state: Type.String({ maxLength: 100, description: 'Its name.' }),
  priority: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 4, description: '0 none, 1 urgent, 2 high, 3 medium, 4 low.' })
  ),
  estimate: Type.Optional(Type.Number({ minimum: 0, maximum: 1e9 })),
  dueDate: Type.Optional(Day),
  labels: Type.Optional(Type.Array(Line(100), { maxItems: 100, description: 'Their names.' })),
  links: Type.Optional(
    Type.Array(
      Closed({
        url: Type.String({ pattern: '^https?://', maxLength: 2048 }),
        title: Line(500),
        createdAt: Type.Optional(When)
      })
    )
  ),
  assignee: Type.Optional(Person),
  assignedAt: Type.Optional(Type.String({ ...When, description: 'Since when the assignee has it.' })),
  author: Type.Optional(Person),
  updatedBy: Type.Optional(Person),
  createdAt: Type.Optional(When),
  updatedAt: Type.Optional(When),
  completedAt: Type.Optional(When),
  rev: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_000_000_000 })),
  sortOrder: Type.Optional(Type.Number()),
  history: Type.Optional(
    Type.Array(
      Closed({
        at: When,
        actor: Person,
        change: Line(100, { description: 'What changed: `state`, `assignee`, …' }),
        from: Nullable(Type.String()),
        to: Nullable(Type.String())
      })
    )
  )
} satisfies TProperties

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
        ${jsonArray(sql`select ft.identifier || '-' || f.number from issue_former_key f join team ft on ft.workspace_id = f.workspace_id and ft.id = f.team_id
          where f.workspace_id = i.workspace_id and f.issue_id = i.id order by 1`)} as "formerKeys",
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
    add: batch => addIssues(ctx, references, batch)
  })
}

type Imported = Static<TObject<typeof fields>>
interface State {
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
  const numbers = await numbersFor(
    db,
    workspaceId,
    rows.map(({ record, state }) => ({ teamId: state.teamId, asked: record.number }))
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
  await addFormerKeys(db, workspaceId, rows)
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

const referenceOf = (record: Imported & Record<string, unknown>, key: string): string | undefined =>
  record[key] as string | undefined
const stateName = (team: string, state: string) => JSON.stringify([team.toUpperCase(), state.toLowerCase()])

async function statesByName(db: Trx, workspaceId: Id): Promise<Map<string, State>> {
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

/** The numbers that are asked for where they are free, otherwise the team's next. */
async function numbersFor(
  db: Trx,
  workspaceId: Id,
  rows: ReadonlyArray<{ teamId: Id; asked: number | undefined }>
): Promise<number[]> {
  const numbers = new Array<number>(rows.length)
  for (const [teamId, of] of Map.groupBy(
    rows.map((row, n) => ({ ...row, n })),
    row => row.teamId
  )) {
    const asked = of.flatMap(row => row.asked ?? [])
    const before = await raiseNumber(db, workspaceId, teamId, Math.max(0, ...asked))
    const taken = new Set(
      asked.length === 0
        ? []
        : (
            await db
              .selectFrom('issue')
              .select('number')
              .where('workspaceId', '=', workspaceId)
              .where('teamId', '=', teamId)
              .where('number', 'in', asked)
              .execute()
          ).map(row => row.number)
    )
    let last = before
    for (const { n, asked } of of) {
      numbers[n] = asked !== undefined && !taken.has(asked) ? asked : ++last
      taken.add(numbers[n])
    }
    if (last > before) await raiseNumber(db, workspaceId, teamId, last)
  }
  return numbers
}

/** The last number given in a team is at least this one. @returns it */
async function raiseNumber(db: Trx, workspaceId: Id, teamId: Id, to: number): Promise<number> {
  const { last } = await db
    .insertInto('issueCounter')
    .values({ workspaceId, teamId, last: to })
    .onConflict(c =>
      c.columns(['workspaceId', 'teamId']).doUpdateSet({ last: sql`greatest(issue_counter.last, excluded.last)` })
    )
    .returning('last')
    .executeTakeFirstOrThrow()
  return last
}

async function addFormerKeys(
  db: Trx,
  workspaceId: Id,
  rows: ReadonlyArray<{ id: Id; record: Imported }>
): Promise<void> {
  const keys = rows.flatMap(({ id, record }) =>
    (record.formerKeys ?? []).map(key => ({
      id,
      team: key.split('-')[0]!.toUpperCase(),
      number: Number(key.split('-')[1])
    }))
  )
  if (keys.length === 0) return
  const teams = await db
    .selectFrom('team')
    .select(['id', 'identifier'])
    .where('workspaceId', '=', workspaceId)
    .execute()
  const values = keys.flatMap(({ id, team, number }) =>
    teams
      .filter(t => t.identifier.toUpperCase() === team)
      .map(t => ({ workspaceId, teamId: t.id, number, issueId: id }))
  )
  if (values.length > 0) {
    await db
      .insertInto('issueFormerKey')
      .values(values)
      .onConflict(c => c.doNothing())
      .execute()
  }
}

/** How issues are related, and which are parts of which. */
export const relationRecords = (ctx: Ctx) =>
  recordKind({
    kind: 'relation',
    summary:
      'How two issues are related: “`issue` blocks `relatedIssue`”; with `PARENT`, `issue` is a sub-issue of\n' +
      '`relatedIssue`.',
    table: 'issue_relation',
    fields: {
      issue: ExternalId,
      type: Type.Enum(['BLOCKS', 'RELATED', 'DUPLICATE_OF', 'SIMILAR', 'PARENT']),
      relatedIssue: ExternalId,
      createdBy: Type.Optional(Person),
      createdAt: Type.Optional(When)
    },
    rows: (workspaceId, externalId) => sql`
    select ${externalId('issue', 'i.id')} as issue, 'PARENT' as type, ${externalId('issue', 'i.parent_id')} as "relatedIssue", null as "createdBy", null as "createdAt"
    from issue i join team t on t.workspace_id = i.workspace_id and t.id = i.team_id
    where i.workspace_id = ${workspaceId} and i.deleted_at is null and i.parent_id is not null
    union all
    select ${externalId('issue', 'r.issue_id')}, r.type, ${externalId('issue', 'r.related_issue_id')}, ${externalId('account', 'r.created_by_id')}, ${iso('r.created_at')}
    from issue_relation r
    join issue a on a.workspace_id = r.workspace_id and a.id = r.issue_id and a.deleted_at is null
    join issue b on b.workspace_id = r.workspace_id and b.id = r.related_issue_id and b.deleted_at is null
    where r.workspace_id = ${workspaceId} and r.deleted_at is null
    order by 1, 2, 3`,
    async add({ trx, caller, workspaceId, actorId, now, items, find, people, skip, isThere }) {
      const db: Trx = trx
      const ids = await find(
        'issue',
        items.flatMap(({ record }) => [record.issue, record.relatedIssue])
      )
      const accounts = await people(items.map(({ record }) => record.createdBy))
      await lockGraph(db, workspaceId)
      await lockFound(db, workspaceId, [...ids.values()])
      const changed = new Map<Id, Set<string>>()
      const note = (issueId: Id, field: string) => changed.set(issueId, (changed.get(issueId) ?? new Set()).add(field))
      for (const item of items) {
        const { issue, type, relatedIssue, createdBy, createdAt } = item.record
        const [id, otherId] = [ids.get(issue), ids.get(relatedIssue)]
        if (id === undefined || otherId === undefined) {
          skip(item, `there is no issue '${id === undefined ? issue : relatedIssue}'`)
          continue
        }
        if (id === otherId) {
          skip(item, 'an issue has no relation to itself')
          continue
        }
        const n =
          type === 'PARENT'
            ? (
                await db
                  .updateTable('issue')
                  .set({ parentId: otherId })
                  .where('workspaceId', '=', workspaceId)
                  .where('id', '=', id)
                  .where('parentId', 'is', null)
                  .executeTakeFirstOrThrow()
              ).numUpdatedRows
            : (
                await db
                  .insertInto('issueRelation')
                  .values({
                    workspaceId,
                    id: newId(),
                    ...storedRelation(id, type, otherId),
                    createdById: accounts.get(createdBy ?? '') ?? actorId,
                    createdAt: new Date(createdAt ?? now)
                  })
                  .onConflict(c => c.doNothing())
                  .executeTakeFirstOrThrow()
              ).numInsertedOrUpdatedRows
        if (n === 0n) isThere(item)
        else if (type === 'PARENT') note(id, 'parent')
        else for (const issueId of [id, otherId]) note(issueId, 'relation')
      }
      await ctx.emit(
        trx,
        issueUpdated,
        caller,
        [...changed].map(([issueId, fields]) => ({
          subjectId: issueId,
          issueId,
          data: { changes: [...fields].map(field => ({ field })) }
        }))
      )
    }
  })

/** The last number that each team gave: no other issue ever gets it, be it of one that was deleted. */
export const lastNumberRecords = recordKind({
  kind: 'lastNumber',
  summary: 'No issue of the team gets this number or a lower one from now on.',
  table: 'issue_counter',
  fields: {
    team: Type.String({ maxLength: 20, description: 'Its identifier.' }),
    number: Type.Integer({ minimum: 0, maximum: 2_000_000_000 })
  },
  rows: workspaceId => sql`
    select t.identifier as team, c.last as number from issue_counter c join team t on t.workspace_id = c.workspace_id and t.id = c.team_id
    where c.workspace_id = ${workspaceId} and t.deleted_at is null and c.last > 0 order by t.identifier`,
  async add({ trx, workspaceId, items, skip }) {
    const db: Trx = trx
    for (const item of items) {
      const team = await db
        .selectFrom('team')
        .select('id')
        .where('workspaceId', '=', workspaceId)
        .where(sql`upper(identifier)`, '=', item.record.team.toUpperCase())
        .where('deletedAt', 'is', null)
        .executeTakeFirst()
      if (team) await raiseNumber(db, workspaceId, team.id, item.record.number)
      else skip(item, `there is no team '${item.record.team}'`)
    }
  }
})
