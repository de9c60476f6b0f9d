import { sql } from 'kysely'
import type { Id } from '../../../core/api/database/types.ts'
import type { Db, FileKey, Trx } from '../context.ts'
import type { StoreName } from '../contract.ts'

/** Files of one listing. */
const MAX_LISTED = 500

/** Files of all workspaces, in the order of their keys. */
const listStored = (db: Db, after: FileKey | undefined, exceptIn: StoreName | undefined) =>
  db
    .selectFrom('file')
    .select(['workspaceId', 'id', 'store', 'bytes', 'sha256', 'name', 'subjectId'])
    .where('state', '=', 'STORED')
    .$if(exceptIn !== undefined, query => query.where('store', '!=', exceptIn!))
    .$if(after !== undefined, query =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('workspaceId', 'id'), '>', tuple(after!.workspaceId, after!.id))
      )
    )
    .orderBy('workspaceId')
    .orderBy('id')
    .limit(MAX_LISTED)
    .execute()

export type PlacedFile = Awaited<ReturnType<typeof listStored>>[number]

/** All stored files. @param exceptIn a store whose files are left out */
export async function* allStored(db: Db, exceptIn?: StoreName): AsyncGenerator<PlacedFile> {
  for (let after: FileKey | undefined; ;) {
    const page = await listStored(db, after, exceptIn)
    yield* page
    after = page.at(-1)
    if (page.length < MAX_LISTED) return
  }
}

/** Locks the row of a file until the transaction ends. @returns its store; undefined: there is no such stored file */
export async function lockStore(trx: Trx, { workspaceId, id }: FileKey): Promise<StoreName | undefined> {
  // A large file may take longer to copy than a transaction may wait for its client.
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx)
  const row = await trx
    .selectFrom('file')
    .select('store')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .where('state', '=', 'STORED')
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row?.store
}

/** Sets the store of a file whose row is locked. */
export const setStore = (trx: Trx, { workspaceId, id }: FileKey, store: StoreName) =>
  trx.updateTable('file').set({ store }).where('workspaceId', '=', workspaceId).where('id', '=', id).execute()

/** The ids of those files that have rows, of one workspace. */
export async function knownIds(db: Db, workspaceId: Id, ids: readonly Id[]): Promise<Set<Id>> {
  const rows = await db
    .selectFrom('file')
    .select('id')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', sql<Id>`any(${ids}::uuid[])`)
    .execute()
  return new Set(rows.map(({ id }) => id))
}
