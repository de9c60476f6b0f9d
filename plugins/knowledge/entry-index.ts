import { sql } from 'kysely'
import type { Caller } from '../../core/contract.ts'
import { existing } from '../../core/db/existing.ts'
import type { Id } from '../../core/db/tables.ts'
import type { TextIndex } from '../search/contract.ts'
import type { Ctx, Trx } from './context.ts'
import { isSameFact, likeness, statementOf } from './likeness.ts'
import { findEntries, type Entry } from './queries.ts'

/** Entries that are compared word by word. */
const MAX_COMPARED = 20
/** Entries that share this part of their words with a new one are listed as similar. */
const MIN_LIKENESS = 0.5
const MAX_SIMILAR = 3

/** The pool of the text index that holds the entries. */
export const POOL = 'knowledge'

export interface Words {
  content: string
  tags: readonly string[]
}
const texts = ({ content, tags }: Words) => ({ title: '', description: `${content}\n${tags.join(' ')}`, comments: '' })

/** Writes what an entry is found by; the caller holds the index's lock. */
export const indexEntry = (index: TextIndex, caller: Caller, trx: Trx, id: Id, words: Words): Promise<void> =>
  index.put(caller, trx, POOL, [{ id, ...texts(words) }])

/** Takes an entry out: it will not be found any more. */
export async function forgetEntry(index: TextIndex, caller: Caller, trx: Trx, id: Id): Promise<void> {
  await index.lock(caller, trx, POOL)
  await index.put(caller, trx, POOL, [], { removed: [id] })
}

const BATCH_SIZE = 100

/** Indexes the entries that the index does not have, or only in part: those from before it could do what it can now. */
export async function indexMissing({
  db,
  transaction,
  asServer,
  use: {
    search: { textIndex }
  }
}: Ctx): Promise<void> {
  for (const { id: workspaceId } of await db.selectFrom('workspace').select('id').execute()) {
    const server = asServer(workspaceId)
    for (let indexed = BATCH_SIZE; indexed === BATCH_SIZE;) {
      indexed = await transaction(async trx => {
        await textIndex.lock(server, trx, POOL)
        const missing = await trx
          .selectFrom('knowledgeEntry as e')
          .select(['e.id', 'e.content', 'e.tags'])
          .where(existing(workspaceId, 'e'))
          .where('e.status', '<>', 'SUPERSEDED')
          .where(sql<boolean>`not ${textIndex.holds(server, POOL, sql.ref('e.id'))}`)
          .limit(BATCH_SIZE)
          .execute()
        await textIndex.put(
          server,
          trx,
          POOL,
          missing.map(({ id, ...words }) => ({ id, ...texts(words) }))
        )
        return missing.length
      })
    }
  }
}

/** What is known already that is like a content: the entry that states the same fact, else those that nearly do. */
export interface Known {
  duplicate: Entry | undefined
  similar: Entry[]
}

/**
 * Compares a content, alone, with the contents that the index finds for it. The caller holds the index's lock, so that
 * of two that state the same at once the second finds the first.
 */
export async function compareWithKnown(
  index: TextIndex,
  caller: Caller,
  trx: Trx,
  content: string,
  now: Date
): Promise<Known> {
  const found = await index.searchWords(caller, trx, POOL, content, MAX_COMPARED)
  const stated = statementOf(content)
  const ids = found.map(({ id }) => id)
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
