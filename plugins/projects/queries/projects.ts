import { sql } from 'kysely'
import {
  boundedRows,
  firstRows,
  type FirstRows,
  iso,
  type ItemsText,
  jsonObject,
  newId,
  notDeletedIn,
  readBounded
} from '../../../core/api/database/queries.ts'
import type { Id } from '../../../core/api/database/types.ts'
import type { FileSubject, FileTexts } from '../../files/contract.ts'
import type { Db, Trx } from '../context.ts'
import type { ProjectState } from '../states.ts'

/** `markdown`: the description as markdown; `full`: also the stored JSON. */
export type ProjectView = 'list' | 'markdown' | 'full'

const row = (workspaceId: Id, shown: ProjectView) =>
  jsonObject({
    id: sql`p.id`,
    name: sql`p.name`,
    ...(shown === 'full' && { description: sql`p.description` }),
    ...(shown !== 'list' && { descriptionMarkdown: sql`p.description_markdown` }),
    teamId: sql`p.team_id`,
    state: sql`p.state`,
    leadId: sql`p.lead_id`,
    memberIds: sql`p.member_ids`,
    startsOn: sql`p.starts_on`,
    targetOn: sql`p.target_on`,
    health: sql`(
      select u.health from project_update u where u.workspace_id = ${workspaceId} and u.project_id = p.id
      order by u.created_at desc, u.id desc limit 1)`,
    createdAt: iso('p.created_at'),
    updatedAt: iso('p.updated_at')
  })

/** Raw, like all queries with `boundedRows`, whose relations have no types. */
export async function* listProjects(db: Db, workspaceId: Id, shown: ProjectView): AsyncGenerator<ItemsText> {
  const rowsOf = sql`
    select (${row(workspaceId, shown)})::text as json
    from wanted join project p on ${notDeletedIn(workspaceId, 'p')} and p.id = wanted.id
    order by wanted.n`
  const bytes = shown === 'list' ? sql`5000` : sql`5000 + description_bytes + octet_length(description_markdown)`
  const { rows } = await sql<FirstRows>`
    with ${boundedRows(sql`
      select id, row_number() over (order by created_at, id) as n, ${bytes} as bytes from project
      where ${notDeletedIn(workspaceId)}`)}
    select ${firstRows(rowsOf)}`.execute(db)
  yield* readBounded(db, rows[0]!, rowsOf)
}

export async function findProject(db: Db, workspaceId: Id, id: Id, shown: ProjectView): Promise<string | undefined> {
  // Raw, because the row is an expression shared with the list.
  const { rows } = await sql<{ json: string }>`
    select (${row(workspaceId, shown)})::text as json from project p
    where ${notDeletedIn(workspaceId, 'p')} and p.id = ${id}`.execute(db)
  return rows[0]?.json
}

export const nameProjects = (db: Db, workspaceId: Id, ids: readonly Id[]) =>
  db
    .selectFrom('project')
    .select(['id', 'name'])
    .where(notDeletedIn(workspaceId))
    .where('id', '=', sql<Id>`any(${ids}::uuid[])`)
    .execute()

/** Raw: a part of other statements. */
export const namedProjects: FileSubject['named'] = workspaceId => sql`
  select id, null::text as key, name as title from project where ${notDeletedIn(workspaceId)}`

/** Raw: a part of another statement. */
export const textsOfProjects: FileTexts = workspaceId => sql`
  select 'project' as type, id, description_markdown as markdown, deleted_at is not null as is_deleted
  from project where workspace_id = ${workspaceId}
  union all
  select 'project', project_id, body_markdown, false from project_update where workspace_id = ${workspaceId}`

interface ProjectValues {
  name: string
  description: string | null
  descriptionMarkdown: string
  teamId: Id | null
  state?: ProjectState
  leadId?: Id | null
  memberIds?: Id[]
  startsOn?: string | null
  targetOn?: string | null
}

export const insertProject = (trx: Trx, workspaceId: Id, createdById: Id, at: Date, values: ProjectValues) =>
  trx
    .insertInto('project')
    .values({ workspaceId, id: newId(), createdById, createdAt: at, updatedAt: at, ...values })
    .returning('id')
    .executeTakeFirstOrThrow()

/** Raw: Kysely has no md5. */
const comparedColumns = [
  ...(['id', 'name', 'teamId', 'state', 'leadId', 'memberIds', 'startsOn', 'targetOn'] as const),
  sql<string | null>`md5(description::text)`.as('description')
] as const

export const lockProject = (trx: Trx, workspaceId: Id, id: Id) =>
  trx
    .selectFrom('project')
    .select([...comparedColumns, 'descriptionMarkdown'])
    .where(notDeletedIn(workspaceId))
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()

export const updateProject = (trx: Trx, workspaceId: Id, id: Id, at: Date, values: Partial<ProjectValues>) =>
  trx
    .updateTable('project')
    .set({ ...values, updatedAt: at })
    .where(notDeletedIn(workspaceId))
    .where('id', '=', id)
    .returning(comparedColumns)
    .executeTakeFirst()

export const removeProject = (trx: Trx, workspaceId: Id, id: Id, at: Date, by: Id) =>
  trx
    .updateTable('project')
    .set({ deletedAt: at, deletedById: by })
    .where(notDeletedIn(workspaceId))
    .where('id', '=', id)
    .returning(['id', 'name', 'teamId'])
    .executeTakeFirst()
