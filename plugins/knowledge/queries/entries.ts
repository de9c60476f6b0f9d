import { sql, type Insertable, type RawBuilder, type Updateable } from 'kysely'
import { iso, notDeletedIn } from '../../../core/api/database/queries.ts'
import type { Id } from '../../../core/api/database/types.ts'
import { cleanLine } from '../../../core/api/text.ts'
import type { FileSubject, FileTexts } from '../../files/contract.ts'
import type { Db, Trx } from '../context.ts'
import type { Doubt, Kind, KnowledgeTables, STANDINGS, STATUSES, StoredStatus } from '../contract.ts'
import { hasStanding, standingJson, standingOf, trust, type Standing } from './outcomes.ts'

export interface Entry {
  id: Id
  content: string
  kind: Kind
  tags: string[]
  teamId: Id | null
  projectId: Id | null
  issueId: Id | null
  createdBy: { id: Id; fullname: string }
  createdAt: string
  supersedesId: Id | null
  status: (typeof STATUSES)[number]
  expiresAt: string | null
  doubt: Doubt | null
  standing: Standing
}

/** Raw: a part of other statements. */
export const namedEntries: FileSubject['named'] = workspaceId => sql`
  select id, null::text as key, left(content, 200) as title from knowledge_entry where ${notDeletedIn(workspaceId)}`

/** Raw: a part of another statement. */
export const textsOfEntries: FileTexts = workspaceId => sql`
  select 'knowledge' as type, id, content as markdown, deleted_at is not null as is_deleted
  from knowledge_entry where workspace_id = ${workspaceId}`

// Raw, like all reads of entries: they share expressions over the row `e`, whose status depends on the time.
const statusAt = (now: Date) =>
  sql<Entry['status']>`case when e.status <> 'SUPERSEDED' and e.expires_at <= ${now} then 'EXPIRED' else e.status end`
const columns = (now: Date) => sql`
  e.id, e.content, e.kind, e.tags, e.team_id, e.project_id, e.issue_id,
  json_build_object('id', a.id, 'fullname', a.fullname) as created_by, ${iso('e.created_at')} as created_at,
  e.supersedes_id, ${statusAt(now)} as status, ${iso('e.expires_at')} as expires_at,
  e.doubt, ${standingJson} as standing`
const author = sql`join account a on a.workspace_id = e.workspace_id and a.id = e.created_by_id`
const servable = (now: Date) =>
  sql<boolean>`e.deleted_at is null and e.status <> 'SUPERSEDED' and (e.expires_at is null or e.expires_at > ${now})`

export async function findEntry(db: Db, workspaceId: Id, id: Id, now: Date): Promise<Entry | undefined> {
  // Raw: see `statusAt`.
  const { rows } = await sql<Entry>`
    select ${columns(now)} from knowledge_entry e ${author} ${standingOf(workspaceId)}
    where ${notDeletedIn(workspaceId, 'e')} and e.id = ${id}`.execute(db)
  return rows[0]
}

export async function findEntries(db: Db, workspaceId: Id, ids: readonly Id[], now: Date): Promise<Entry[]> {
  // Raw: see `statusAt`.
  const { rows } = await sql<Entry>`
    select ${columns(now)} from knowledge_entry e ${author} ${standingOf(workspaceId)}
    where e.workspace_id = ${workspaceId} and e.id = any(${ids}::uuid[]) and ${servable(now)}`.execute(db)
  return rows
}

export type Found = ReadonlyArray<{ id: Id; score: number }>
const foundRows = (hits: Found) => sql`
  unnest(${hits.map(hit => hit.id)}::uuid[], ${hits.map(hit => hit.score)}::double precision[])
    as found (entry_id, score)`

export interface Search {
  hits?: Found | undefined
  limit: number
  tags: readonly string[]
  teamId?: Id | undefined
  projectId?: Id | undefined
  kind?: Kind | undefined
  standing?: (typeof STANDINGS)[number] | undefined
  now: Date
}

/** Best first; without `hits`, the newest. */
export async function searchEntries(
  db: Db,
  workspaceId: Id,
  { hits, limit, tags, teamId, projectId, kind, standing, now }: Search
): Promise<Array<Entry & { score: number }>> {
  const filters = [servable(now)]
  if (tags.length > 0) {
    filters.push(
      sql`array(select lower(tag) from unnest(e.tags) tag) @> ${tags.map(tag => cleanLine(tag).toLowerCase())}::text[]`
    )
  }
  if (teamId !== undefined) filters.push(sql`e.team_id = ${teamId}`)
  if (projectId !== undefined) filters.push(sql`e.project_id = ${projectId}`)
  if (kind !== undefined) filters.push(sql`e.kind = ${kind}`)
  if (standing !== undefined) filters.push(hasStanding(workspaceId)[standing])
  const where = sql`e.workspace_id = ${workspaceId} and ${sql.join(filters, sql` and `)}`
  // Raw: see `statusAt`.
  const { rows } =
    hits === undefined
      ? await sql<Entry & { score: number }>`
      select ${columns(now)}, 0 as score from knowledge_entry e ${author} ${standingOf(workspaceId)}
      where ${where} order by e.id desc limit ${limit}`.execute(db)
      : await sql<Entry & { score: number }>`
      select ${columns(now)},
        (${trust} * found.score)::double precision as score
      from ${foundRows(hits)}
      join knowledge_entry e on e.workspace_id = ${workspaceId} and e.id = found.entry_id ${author}
      ${standingOf(workspaceId)}
      where ${where} order by score desc, e.id desc limit ${limit}`.execute(db)
  return rows
}

export interface Candidate {
  id: Id
  kind: Kind
  content: string
  tags: string[]
  status: StoredStatus
  doubt: Doubt | null
  helped: number
  wrong: number
  score: number
  issue: boolean
  parent: boolean
  project: boolean
  team: boolean
  label: boolean
  words: boolean
}

/** Maximum entries of one issue, project or team that are read: the newest. */
const MAX_TIED = 100

/** Entries of its issue, project and team, and search hits; best first. */
export async function contextCandidates(
  db: Db,
  workspaceId: Id,
  task: { issueId: Id | null; hits: Found; now: Date }
): Promise<Candidate[]> {
  const { issueId, hits, now } = task
  const tied = (column: RawBuilder<unknown>, value: RawBuilder<unknown>) => sql`
    (select e.id from knowledge_entry e, task
    where e.workspace_id = ${workspaceId} and ${column} = ${value} and ${servable(now)}
    order by e.id desc limit ${MAX_TIED})`
  // Raw: seven dependent common table expressions without types.
  const { rows } = await sql<Candidate>`
    with task as materialized (
      select i.id, i.parent_id, i.team_id, i.project_id,
        array(
          select lower(l.name) from issue_label il
          join label l on l.workspace_id = il.workspace_id and l.id = il.label_id
          where il.workspace_id = ${workspaceId} and il.issue_id = i.id) as labels
      from issue i where i.workspace_id = ${workspaceId} and i.id = ${issueId}::uuid
      union all select null, null, null, null, '{}' where ${issueId}::uuid is null),
    found as materialized (select entry_id, score, max(score) over () as best from ${foundRows(hits)}),
    candidate as (
      select entry_id as id from found
      union ${tied(sql`e.issue_id`, sql`task.id`)} union ${tied(sql`e.issue_id`, sql`task.parent_id`)}
      union ${tied(sql`e.project_id`, sql`task.project_id`)} union ${tied(sql`e.team_id`, sql`task.team_id`)}),
    judged as (
      select e.id, e.kind, e.content, e.tags, e.status, e.doubt, standing.helped, standing.wrong, ${trust} as trust,
        coalesce(found.score / nullif(found.best, 0), 0) as likeness,
        coalesce(e.issue_id = task.id, false) as issue, coalesce(e.issue_id = task.parent_id, false) as parent,
        coalesce(e.project_id = task.project_id, false) as project, coalesce(e.team_id = task.team_id, false) as team,
        exists (select 1 from unnest(e.tags) tag where lower(tag) = any (task.labels)) as label,
        found.entry_id is not null as words
      from candidate join task on true
      join knowledge_entry e on e.workspace_id = ${workspaceId} and e.id = candidate.id and ${servable(now)}
      left join found on found.entry_id = e.id ${standingOf(workspaceId)})
    select *, ((likeness + 2 * issue::int + 1 * parent::int + 0.5 * project::int + 0.25 * team::int + 0.25 * label::int)
      * trust)::double precision as score
    from judged order by score desc, id desc limit 200`.execute(db)
  return rows
}

const MAX_QUERY_LENGTH = 20_000

export async function issueText(db: Db, workspaceId: Id, id: Id): Promise<{ title: string; description: string }> {
  const row = await db
    .selectFrom('issue')
    .select(['title', sql<string>`left(description_markdown, ${MAX_QUERY_LENGTH})`.as('description')])
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return row
}

export async function insertEntry(
  trx: Trx,
  entry: Omit<Insertable<KnowledgeTables['knowledgeEntry']>, 'status'>
): Promise<void> {
  await trx
    .insertInto('knowledgeEntry')
    .values({ ...entry, status: 'ACTIVE' })
    .execute()
}

export const updateEntry = (
  trx: Trx,
  workspaceId: Id,
  id: Id,
  changes: Updateable<KnowledgeTables['knowledgeEntry']>
) =>
  trx
    .updateTable('knowledgeEntry')
    .set({ ...changes, id })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .returning(entryColumns)
    .executeTakeFirstOrThrow()

const entryColumns = [
  'id',
  'status',
  'content',
  'kind',
  'tags',
  'teamId',
  'projectId',
  'issueId',
  'expiresAt',
  'createdById'
] as const

export const lockEntry = (trx: Trx, workspaceId: Id, id: Id) =>
  trx
    .selectFrom('knowledgeEntry')
    .select(entryColumns)
    .where(notDeletedIn(workspaceId))
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

export const successorOf = (db: Db, workspaceId: Id, id: Id) =>
  db
    .selectFrom('knowledgeEntry')
    .select('id')
    .where(notDeletedIn(workspaceId))
    .where('supersedesId', '=', id)
    .executeTakeFirst()

export const hasProject = async (db: Db, workspaceId: Id, id: Id): Promise<boolean> =>
  (await db
    .selectFrom('project')
    .select('id')
    .where(notDeletedIn(workspaceId))
    .where('id', '=', id)
    .executeTakeFirst()) !== undefined

/** SQL */
export type IsIndexed = (id: RawBuilder<Id>) => RawBuilder<boolean>
const entryId = sql.ref<Id>('e.id')

const findable = (db: Db, workspaceId: Id) =>
  db.selectFrom('knowledgeEntry as e').where(notDeletedIn(workspaceId, 'e')).where('e.status', '<>', 'SUPERSEDED')

/** With whether the index has them. */
export const findIndexable = (trx: Trx, workspaceId: Id, ids: readonly Id[], isIndexed: IsIndexed) =>
  findable(trx, workspaceId)
    .select(['e.id', 'e.content', 'e.tags', isIndexed(entryId).as('isIndexed')])
    .where('e.id', 'in', [...ids])
    .execute()

/** In the order of their ids. @param isIndexed when set, only those that are not */
export async function listFindable(
  db: Db,
  workspaceId: Id,
  { after, limit }: { after: Id; limit: number },
  isIndexed?: IsIndexed
): Promise<Id[]> {
  const rows = await findable(db, workspaceId)
    .select('e.id')
    .where('e.id', '>', after)
    .$if(isIndexed !== undefined, query => query.where(sql<boolean>`not ${isIndexed!(entryId)}`))
    .orderBy('e.id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}
