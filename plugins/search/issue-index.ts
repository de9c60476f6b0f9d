import { groupsOf, listWorkspaces, NIL_ID } from '../../core/api/database/queries.ts'
import type { Id } from '../../core/api/database/types.ts'
import { eachSeparately } from '../../core/api/http.ts'
import type { Ctx } from './context.ts'
import { makeTextIndex } from './meaning.ts'
import * as queries from './queries/indexing.ts'
import { renewTimeline } from './queries/timeline.ts'
import { statistics } from './statistics.ts'

/** Issues per transaction: few, because the embedded database has one connection. */
const BATCH_SIZE = 50
const REBUILD_BATCH_SIZE = 100
/** Bytes of texts per transaction, for the same reason; a longer text has its own. */
const MAX_BATCH_BYTES = 128 * 1024

async function indexIssues(ctx: Ctx, workspaceId: Id, issueIds: readonly Id[], rebuild = false): Promise<void> {
  const textIndex = makeTextIndex(ctx)
  const references = ctx.use.issues.references(ctx.asServer(workspaceId))
  const pool = queries.issuePool(workspaceId)
  const sizes = await queries.findSizes(ctx.db, workspaceId, issueIds)
  for (const ids of groupsOf(sizes, MAX_BATCH_BYTES)) {
    await ctx.transaction(async trx => {
      await textIndex.lock(trx, pool)
      const texts = await queries.findIssueTexts(trx, workspaceId, ids, references)
      const living = new Set(texts.map(text => text.id))
      await textIndex.put(trx, pool, texts, { removed: ids.filter(id => !living.has(id)), reindex: rebuild })
      await queries.storeResolutions(trx, workspaceId, ids)
      await renewTimeline(trx, workspaceId)
    })
    ctx.get(statistics).note(workspaceId, ids.length)
  }
}

export async function indexChanges(ctx: Ctx, changes: ReadonlyArray<{ workspaceId: Id; issueId: Id }>): Promise<void> {
  for (const [workspaceId, of] of Map.groupBy(changes, change => change.workspaceId)) {
    const ids = [...new Set(of.map(change => change.issueId))]
    for (let n = 0; n < ids.length; n += BATCH_SIZE) {
      await indexIssues(ctx, workspaceId, ids.slice(n, n + BATCH_SIZE))
    }
  }
}

/**
 * Indexes every issue again while the server keeps running; an interrupted run is continued.
 * @param only `missing`: only those that are not in the index, unless it has tokens of an older version; `changed`:
 * all, each written if it or the version has changed
 */
export async function reindex(
  ctx: Ctx,
  only: 'all' | 'missing' | 'changed',
  report: (done: number, total: number) => void = () => {}
): Promise<void> {
  const { db } = ctx
  const isRebuild = only === 'all'
  await eachSeparately(await listWorkspaces(db), async ({ id: workspaceId }) => {
    const index = makeTextIndex(ctx)
    const pool = queries.issuePool(workspaceId)
    const isOutdated = await index.isOutdated(db, pool)
    const isIndexed = only === 'missing' && !isOutdated ? index.holds(pool, queries.ISSUE_ID) : undefined
    let after = (isRebuild ? await queries.findReindexProgress(db, workspaceId) : undefined) ?? NIL_ID
    const total = await queries.countIssuesAfter(db, workspaceId, after)
    for (let done = 0; ;) {
      const ids = await queries.findIssuesAfter(db, workspaceId, after, REBUILD_BATCH_SIZE, isIndexed)
      if (ids.length === 0) break
      await indexIssues(ctx, workspaceId, ids, isRebuild)
      after = ids.at(-1)!
      if (isRebuild) await ctx.transaction(trx => queries.storeReindexProgress(trx, workspaceId, after))
      report((done += ids.length), total)
    }
    if (isRebuild) await ctx.transaction(trx => queries.removeReindexProgress(trx, workspaceId))
    else if (isOutdated) await ctx.transaction(trx => index.setCurrent(trx, pool))
    await ctx.transaction(trx => renewTimeline(trx, workspaceId))
  })
}
