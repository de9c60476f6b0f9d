import type { Caller } from '../../../core/api/contract.ts'
import { listWorkspaces, NIL_ID } from '../../../core/api/database/queries.ts'
import type { Id } from '../../../core/api/database/types.ts'
import { eachSeparately } from '../../../core/api/http.ts'
import type { TextIndex } from '../../search/contract.ts'
import type { Ctx, Trx } from '../context.ts'
import { isSameFact, likeness, statementOf } from './likeness.ts'
import { findEntries, findIndexable, listFindable, type Entry, type IsIndexed } from '../queries/entries.ts'

const MAX_COMPARED = 20
const MIN_LIKENESS = 0.5
const MAX_SIMILAR = 3

export const POOL = 'knowledge'

export interface Words {
  content: string
  tags: readonly string[]
}
const texts = ({ content, tags }: Words) => ({ title: '', description: `${content}\n${tags.join(' ')}`, comments: '' })

/** Indexes an entry; the caller holds the index's lock. */
export const indexEntry = (index: TextIndex, caller: Caller, trx: Trx, id: Id, words: Words): Promise<void> =>
  index.put(caller, trx, POOL, [{ id, ...texts(words) }])

/** Entries per transaction: few, because the embedded database has one connection. */
const BATCH_SIZE = 100

/** Requests index their own writes. @param isOutdated the index may have older tokens, and is written again */
async function indexEntries(ctx: Ctx, workspaceId: Id, ids: readonly Id[], isOutdated = false): Promise<void> {
  const { textIndex } = ctx.use.search
  const server = ctx.asServer(workspaceId)
  await ctx.transaction(async trx => {
    await textIndex.lock(server, trx, POOL)
    const rows = await findIndexable(trx, workspaceId, ids, id => textIndex.holds(server, POOL, id))
    const findable = new Set(rows.map(({ id }) => id))
    await textIndex.put(
      server,
      trx,
      POOL,
      rows.filter(({ isIndexed }) => isOutdated || !isIndexed).map(({ id, ...words }) => ({ id, ...texts(words) })),
      { removed: ids.filter(id => !findable.has(id)) }
    )
  })
}

export async function indexChanges(
  ctx: Ctx,
  changes: ReadonlyArray<{ workspaceId: Id; subject: { id: Id } }>
): Promise<void> {
  for (const [workspaceId, of] of Map.groupBy(changes, change => change.workspaceId)) {
    const ids = [...new Set(of.map(({ subject }) => subject.id))]
    for (let n = 0; n < ids.length; n += BATCH_SIZE) await indexEntries(ctx, workspaceId, ids.slice(n, n + BATCH_SIZE))
  }
}

/** Indexes entries that are missing, or have older tokens, or only in part, such as before embeddings. */
export async function indexMissing(ctx: Ctx): Promise<void> {
  const { textIndex } = ctx.use.search
  await eachSeparately(await listWorkspaces(ctx.db), async ({ id: workspaceId }) => {
    const server = ctx.asServer(workspaceId)
    const isIndexed: IsIndexed = id => textIndex.holds(server, POOL, id)
    const isOutdated = await textIndex.isOutdated(server, ctx.db, POOL)
    for (let after = NIL_ID; ;) {
      const page = { after, limit: BATCH_SIZE }
      const ids = await listFindable(ctx.db, workspaceId, page, isOutdated ? undefined : isIndexed)
      if (ids.length === 0) break
      await indexEntries(ctx, workspaceId, ids, isOutdated)
      after = ids.at(-1)!
    }
    if (isOutdated) await textIndex.setCurrent(server, ctx.db, POOL)
  })
}

/** The one with the same fact, else nearly equal ones. */
interface KnownEntries {
  duplicate: Entry | undefined
  similar: Entry[]
}

/** The caller holds the index's lock, so that of two concurrent equal facts the second finds the first. */
export async function compareWithKnown(
  index: TextIndex,
  caller: Caller,
  trx: Trx,
  content: string,
  now: Date
): Promise<KnownEntries> {
  const hits = await index.searchWords(caller, trx, POOL, content, MAX_COMPARED)
  const stated = statementOf(content)
  const ids = hits.map(({ id }) => id)
  const compared = (await findEntries(trx, caller.workspaceId, ids, now))
    .map(entry => ({ entry, statement: statementOf(entry.content) }))
    .map(({ entry, statement }) => ({
      entry,
      isDuplicate: isSameFact(stated, statement),
      likeness: likeness(stated, statement)
    }))
    .sort((a, b) => b.likeness - a.likeness)
  return {
    duplicate: compared.find(({ isDuplicate }) => isDuplicate)?.entry,
    similar: compared
      .filter(({ likeness }) => likeness >= MIN_LIKENESS)
      .slice(0, MAX_SIMILAR)
      .map(({ entry }) => entry)
  }
}
