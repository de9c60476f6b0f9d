import { sql, type Insertable } from 'kysely'
import type { Static } from 'typebox'
import {
  boundedRows,
  firstRows,
  type FirstRows,
  isId,
  iso,
  type ItemsText,
  jsonObject,
  mayBeNamed,
  notDeletedIn,
  readBounded
} from '../../../core/api/database/queries.ts'
import type { Id } from '../../../core/api/database/types.ts'
import type { FileSubject, FileTexts } from '../../files/contract.ts'
import type { Db, Trx } from '../context.ts'
import type { TemplatesTables } from '../contract.ts'
import type { Template } from '../schemas.ts'

const valueColumns = ['name', 'title', 'descriptionMarkdown', 'labelIds', 'criteria', 'priority'] as const
const columns = ['id', 'teamId', ...valueColumns, 'createdAt', 'updatedAt'] as const

export type NewRow = Insertable<TemplatesTables['issueTemplate']>
type TemplateValues = Pick<NewRow, (typeof valueColumns)[number]>

/** Without the labels that were removed. */
const row = (workspaceId: Id) =>
  jsonObject({
    id: sql`e.id`,
    teamId: sql`e.team_id`,
    name: sql`e.name`,
    title: sql`e.title`,
    descriptionMarkdown: sql`e.description_markdown`,
    labelIds: sql`array(
      select of_template.id from unnest(e.label_ids) with ordinality as of_template (id, n)
      join label on label.workspace_id = ${workspaceId} and label.id = of_template.id and label.deleted_at is null
      order by n)`,
    criteria: sql`e.criteria`,
    priority: sql`e.priority`,
    createdAt: iso('e.created_at'),
    updatedAt: iso('e.updated_at')
  })

/** SQL: `e`, with their teams `t`. */
export const ofTeams = (workspaceId: Id, teamId?: Id) => sql`
  issue_template e join team t on t.workspace_id = ${workspaceId} and t.id = e.team_id and t.deleted_at is null
  where ${notDeletedIn(workspaceId, 'e')} ${teamId === undefined ? sql`` : sql`and e.team_id = ${teamId}`}`

/** By name. Raw, like all queries with `boundedRows`. */
export async function* listTemplates(db: Db, workspaceId: Id, teamId?: Id): AsyncGenerator<ItemsText> {
  const rowsOf = sql`
    select (${row(workspaceId)})::text as json
    from wanted join issue_template e on ${notDeletedIn(workspaceId, 'e')} and e.id = wanted.id
    order by wanted.n`
  const { rows } = await sql<FirstRows>`
    with ${boundedRows(sql`
      select e.id, row_number() over (order by lower(e.name), t.identifier, e.id) as n,
        2000 + octet_length(e.description_markdown) + octet_length(e.criteria::text) as bytes
      from ${ofTeams(workspaceId, teamId)}`)}
    select ${firstRows(rowsOf)}`.execute(db)
  yield* readBounded(db, rows[0]!, rowsOf)
}

/** Raw, because the row is an expression shared with the list. */
export async function readTemplates(
  db: Db,
  workspaceId: Id,
  ids: readonly Id[]
): Promise<Array<Static<typeof Template>>> {
  const { rows } = await sql<{ template: Static<typeof Template> }>`
    select ${row(workspaceId)} as template from ${ofTeams(workspaceId)} and e.id = any(${ids}::uuid[])`.execute(db)
  return rows.map(({ template }) => template)
}

/** Their names may only resemble these. Raw, as `ofTeams` is. */
export async function templatesCalled(db: Db, workspaceId: Id, refs: readonly string[]) {
  const { rows } = await sql<{ id: Id; name: string; teamId: Id; identifier: string }>`
    select e.id, e.name, e.team_id as "teamId", t.identifier from ${ofTeams(workspaceId)}
      and (e.id = any(${refs.filter(isId)}::uuid[]) or ${mayBeNamed(sql.ref('e.name'), refs)})
    order by lower(e.name), t.identifier`.execute(db)
  return rows
}

/** For errors. Raw, as `ofTeams` is. */
export async function templateNames(db: Db, workspaceId: Id, teamId?: Id): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select e.name from ${ofTeams(workspaceId, teamId)} order by lower(e.name), t.identifier`.execute(db)
  return rows.map(({ name }) => name)
}

/** Also if it is in the trash. */
export const hasTexts = async (db: Db, workspaceId: Id, id: Id): Promise<boolean> =>
  (await db
    .selectFrom('issueTemplate')
    .select('id')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .where('purgedAt', 'is', null)
    .executeTakeFirst()) !== undefined

export async function countTemplates(db: Db, workspaceId: Id, teamId: Id): Promise<number> {
  const { count } = await db
    .selectFrom('issueTemplate')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where(notDeletedIn(workspaceId))
    .where('teamId', '=', teamId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export const lockTemplate = (trx: Trx, workspaceId: Id, id: Id) =>
  trx
    .selectFrom('issueTemplate')
    .select(columns)
    .where(notDeletedIn(workspaceId))
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()

export const insertTemplate = (trx: Trx, row: NewRow) => trx.insertInto('issueTemplate').values(row).execute()

export const updateTemplate = (
  trx: Trx,
  workspaceId: Id,
  id: Id,
  values: Partial<TemplateValues> & ({ updatedAt: Date } | { deletedAt: Date; deletedById: Id })
) =>
  trx
    .updateTable('issueTemplate')
    .set(values)
    .where(notDeletedIn(workspaceId))
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst()

/** In any case. */
export const templateNamed = (db: Db, workspaceId: Id, teamId: Id, name: string) =>
  db
    .selectFrom('issueTemplate')
    .select('id')
    .where(notDeletedIn(workspaceId))
    .where('teamId', '=', teamId)
    .where(sql<boolean>`lower(name) = lower(${name})`)
    .executeTakeFirst()

export const labelsWithIds = (db: Db, workspaceId: Id, ids: readonly Id[]) =>
  db
    .selectFrom('label')
    .select('id')
    .where(notDeletedIn(workspaceId))
    .where('id', '=', sql<Id>`any(${ids}::uuid[])`)
    .execute()

/** Raw: a part of other statements. */
export const namedTemplates: FileSubject['named'] = workspaceId => sql`
  select e.id, null::text as key, e.name as title from ${ofTeams(workspaceId)}`

/** Raw: a part of another statement. */
export const textsOfTemplates: FileTexts = workspaceId => sql`
  select 'issue_template' as type, id, description_markdown as markdown, deleted_at is not null as is_deleted
  from issue_template where workspace_id = ${workspaceId}`
