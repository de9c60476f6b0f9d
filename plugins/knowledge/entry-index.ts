import { sql, type Transaction } from 'kysely'
import type { Id } from '../../core/db/tables.ts'
import type { Pool, TextIndex } from '../search/contract.ts'
import type { Ctx } from './index.ts'
import type { Tables } from './queries.ts'

/** Entries are near duplicates when they share so much of all the words that they have (Jaccard). */
const NEAR = 0.8
/** Entries that are compared word by word. */
const COMPARED = 20

export const poolOf = (workspaceId: Id): Pool => ({ workspaceId, name: 'knowledge' })

export interface Words {
  content: string
  tags: readonly string[]
}
const texts = ({ content, tags }: Words) => ({ title: '', description: `${content}\n${tags.join(' ')}`, comments: '' })

/** Writes what an entry is found by; the caller holds the index's lock. */
export const indexEntry = (
  index: TextIndex,
  trx: Transaction<Tables>,
  workspaceId: Id,
  id: Id,
  words: Words
): Promise<void> => index.put(trx, poolOf(workspaceId), [{ id, ...texts(words) }])

/** Takes an entry out: it will not be found any more. */
export async function forgetEntry(index: TextIndex, trx: Transaction<Tables>, workspaceId: Id, id: Id): Promise<void> {
  await index.lock(trx, poolOf(workspaceId))
  await index.put(trx, poolOf(workspaceId), [], { removed: [id] })
}

const INDEXED_AT_ONCE = 100

/** Indexes the entries that the index does not have, or only in part: those from before it could do what it can now. */
export async function indexMissing({
  db,
  transaction,
  use: {
    search: { textIndex }
  }
}: Ctx): Promise<void> {
  for (const { id: workspaceId } of await db.selectFrom('workspace').select('id').execute()) {
    const pool = poolOf(workspaceId)
    for (let indexed = INDEXED_AT_ONCE; indexed === INDEXED_AT_ONCE;) {
      indexed = await transaction(async trx => {
        await textIndex.lock(trx, pool)
        const missing = await trx
          .selectFrom('knowledgeEntry as e')
          .select(['e.id', 'e.content', 'e.tags'])
          .where('e.workspaceId', '=', workspaceId)
          .where('e.deletedAt', 'is', null)
          .where('e.status', '<>', 'SUPERSEDED')
          .where(sql<boolean>`not ${textIndex.holds(pool, sql.ref('e.id'))}`)
          .limit(INDEXED_AT_ONCE)
          .execute()
        await textIndex.put(
          trx,
          pool,
          missing.map(({ id, ...words }) => ({ id, ...texts(words) }))
        )
        return missing.length
      })
    }
  }
}

/** The entry most like the entry `id`, which is indexed, if it says nearly the same. */
export async function nearDuplicate(
  index: TextIndex,
  trx: Transaction<Tables>,
  workspaceId: Id,
  id: Id,
  words: Words,
  now: Date
): Promise<Id | undefined> {
  const pool = poolOf(workspaceId)
  const query = await index.query(trx, pool, { title: texts(words).description }, { other: true })
  const found = await index.find(trx, pool, query, COMPARED)
  const {
    rows: [row]
  } = await sql<{ id: Id }>`
    with compared as (
      select d.id, cardinality(array(select unnest(d.terms) intersect select unnest(own.terms)))::real as shared, cardinality(d.terms) + cardinality(own.terms) as total
      from search_document d
      join search_document own on own.workspace_id = d.workspace_id and own.pool = d.pool and own.id = ${id}
      join knowledge_entry e on e.workspace_id = d.workspace_id and e.id = d.id and (e.expires_at is null or e.expires_at > ${now})
      where d.workspace_id = ${workspaceId} and d.pool = ${pool.name} and d.id = any(${found.map(hit => hit.id)}::uuid[]) and d.id <> ${id})
    select id from compared where shared >= ${NEAR}::real * (total - shared)
    order by shared / (total - shared) desc, id limit 1`.execute(trx)
  return row?.id
}
