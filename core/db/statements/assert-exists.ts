import { resolve } from 'node:path'
import { sql } from 'kysely'
import type { Database } from '../database.ts'

/** @throws Error when no server has been started on the database yet */
export async function assertDatabaseExists(database: Database, dataDir: string): Promise<void> {
  const isEmbedded = database.kind === 'embedded'
  const isThere = (!isEmbedded || (await hasFiles(dataDir))) && (await hasTables(database))
  if (isThere) return
  throw new Error(
    isEmbedded
      ? `There is no database in ${resolve(dataDir)}: set TRACKER_DATA_DIR to the server's folder, or DATABASE_URL.`
      : 'The database of DATABASE_URL has no tables of tracker: correct DATABASE_URL, or start the server once.'
  )
}

async function hasFiles(dataDir: string): Promise<boolean> {
  const { hasCluster } = await import('../embedded/cluster-folder.ts')
  return hasCluster(dataDir)
}

async function hasTables(database: Database): Promise<boolean> {
  await database.open()
  // Raw: the catalogue.
  const { rows } = await sql<{ isThere: boolean }>`
    select to_regclass('account') is not null as is_there`.execute(database.db)
  return rows[0]!.isThere
}
