<<<<<<< HEAD
import { sql, type RawBuilder } from 'kysely'
import type { Id, TransactionHandle } from '../../core/db/tables.ts'
import { MAX_CHARACTERS } from '../../core/words.ts'
import type { ReferenceField } from '../issues/contract.ts'
import type { Ctx } from './context.ts'
import { makeTextIndex } from './meaning.ts'
import type { Pool } from './word-index/index.ts'

export const issuePool = (workspaceId: Id): Pool => ({ workspaceId, name: 'issues' })

/** Of the row `i` of an issue: its labels and the records that it refers to, such as its project. */
export const issueFacets = (references: readonly ReferenceField[]): RawBuilder<string[]> => sql`
  array(select l.label_id::text from issue_label l where l.workspace_id = i.workspace_id and l.issue_id = i.id)
  || array_remove(array[${sql.join([sql`null`, ...references.map(({ column }) => sql`${sql.ref(`i.${column}`)}::text`)])}]::text[], null)`

/** Characters of the comment that explains how an issue was resolved. */
const SNIPPET_LENGTH = 500

/** In UTF-8. */
const MAX_BYTES_PER_CHARACTER = 4

/** Brings issues of one workspace up to date in the index: their words, and how they were resolved. */
export async function indexIssues(ctx: Ctx, workspaceId: Id, ids: readonly Id[], rebuild = false): Promise<void> {
  const textIndex = makeTextIndex(ctx)
  await ctx.transaction(async trx => {
    const pool = issuePool(workspaceId)
    await textIndex.lock(trx, pool)
    const { rows } = await sql<{ id: Id; title: string; description: string; comments: string; facets: string[] }>`
      select i.id, i.title, left(i.description_markdown, ${MAX_CHARACTERS}) as description, ${issueFacets(ctx.use.issues.references(ctx.asServer(workspaceId)))} || i.state_id::text as facets,
        coalesce((
          select left(string_agg(left(sized.body_markdown, ${MAX_CHARACTERS}), E'\\n' order by sized.created_at, sized.id), ${MAX_CHARACTERS})
          from (
            select c.id, c.created_at, c.body_markdown,
              sum(octet_length(c.body_markdown)) over (order by c.created_at, c.id) - octet_length(c.body_markdown) as before
            from comment c where c.workspace_id = i.workspace_id and c.issue_id = i.id and c.deleted_at is null) as sized
          where sized.before <= ${MAX_BYTES_PER_CHARACTER * MAX_CHARACTERS}), '') as comments
      from issue i where i.workspace_id = ${workspaceId} and i.id = any(${ids}::uuid[]) and i.deleted_at is null`.execute(
      trx
    )
    const living = new Set(rows.map(row => row.id))
    await textIndex.put(trx, pool, rows, { removed: ids.filter(id => !living.has(id)), reindex: rebuild })
    await keepResolutions(trx, workspaceId, ids)
  })
}

/** The last top-level comment at or before the change into a COMPLETED state. */
async function keepResolutions(trx: TransactionHandle, workspaceId: Id, ids: readonly Id[]): Promise<void> {
  await sql`delete from issue_resolution where workspace_id = ${workspaceId} and issue_id = any(${ids}::uuid[])`.execute(
    trx
  )
  await sql`
    insert into issue_resolution (workspace_id, issue_id, snippet)
    select i.workspace_id, i.id, left(last.body_markdown, ${SNIPPET_LENGTH})
    from issue i
    join workflow_state s on s.workspace_id = i.workspace_id and s.id = i.state_id and s.category = 'COMPLETED'
    cross join lateral (
      select c.body_markdown from comment c
      where c.workspace_id = i.workspace_id and c.issue_id = i.id and c.parent_id is null and c.deleted_at is null and c.created_at <= i.completed_at
      order by c.created_at desc, c.id desc limit 1
    ) last
    where i.workspace_id = ${workspaceId} and i.id = any(${ids}::uuid[]) and i.deleted_at is null`.execute(trx)
}
=======
import { sql } from 'kysely'
import type { Id } from '../../core/db/tables.ts'
import type { Ctx } from './context.ts'
import { makeTextIndex } from './meaning.ts'
import * as queries from './queries/indexing.ts'
>>>>>>> b1fd350 (refactor(search,hooks,delegation,workspace): SQL in queries, built by Kysely)

/** Issues in one transaction: the embedded database, which has one connection, is soon free again. */
const BATCH_SIZE = 50
const REBUILD_BATCH_SIZE = 100
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/** Brings issues of one workspace up to date in the index: their words, and how they were resolved. */
async function indexIssues(ctx: Ctx, workspaceId: Id, ids: readonly Id[], rebuild = false): Promise<void> {
  const textIndex = makeTextIndex(ctx)
  const references = ctx.use.issues.references(ctx.asServer(workspaceId))
  await ctx.transaction(async trx => {
    const pool = queries.issuePool(workspaceId)
    await textIndex.lock(trx, pool)
    const texts = await queries.findIssueTexts(trx, workspaceId, ids, references)
    const living = new Set(texts.map(text => text.id))
    await textIndex.put(trx, pool, texts, { removed: ids.filter(id => !living.has(id)), reindex: rebuild })
    await queries.storeResolutions(trx, workspaceId, ids)
  })
}

/** Of a batch of changes: each workspace with its issues, each once. */
export async function indexChanges(ctx: Ctx, changes: ReadonlyArray<{ workspaceId: Id; issueId: Id }>): Promise<void> {
  for (const [workspaceId, of] of Map.groupBy(changes, change => change.workspaceId)) {
    const ids = [...new Set(of.map(change => change.issueId))]
    for (let n = 0; n < ids.length; n += BATCH_SIZE) {
      await indexIssues(ctx, workspaceId, ids.slice(n, n + BATCH_SIZE))
    }
  }
}

/**
 * Indexes every issue anew while the server goes on; a run that was interrupted is continued.
 * @param only `missing`: just those that are not in the index yet; `changed`: all, each written if it has changed
 */
export async function reindex(
  ctx: Ctx,
  only: 'all' | 'missing' | 'changed',
  report: (done: number, total: number) => void = () => {}
): Promise<void> {
  const { db } = ctx
  const isRebuild = only === 'all'
  for (const { id: workspaceId } of await db.selectFrom('workspace').select('id').execute()) {
    const isIndexed =
      only === 'missing' ? makeTextIndex(ctx).holds(queries.issuePool(workspaceId), sql.ref<Id>('i.id')) : undefined
    let after = (isRebuild ? await queries.findReindexProgress(db, workspaceId) : undefined) ?? FIRST_ID
    const total = await queries.countIssuesAfter(db, workspaceId, after)
    for (let done = 0; ;) {
      const ids = await queries.findIssuesAfter(db, workspaceId, after, REBUILD_BATCH_SIZE, isIndexed)
      if (ids.length === 0) break
      await indexIssues(ctx, workspaceId, ids, isRebuild)
      after = ids.at(-1)!
      if (isRebuild) await queries.storeReindexProgress(db, workspaceId, after)
      report((done += ids.length), total)
    }
    if (isRebuild) await queries.removeReindexProgress(db, workspaceId)
  }
}
