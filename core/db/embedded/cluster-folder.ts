import { existsSync } from 'node:fs'
import { readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export const pgdataOf = (dataDir: string): string => join(dataDir, 'pgdata')
/** The database may still be empty. */
export const hasCluster = (dataDir: string): boolean => existsSync(join(pgdataOf(dataDir), 'PG_VERSION'))

/** Marks a database under construction: after a kill, the next start overwrites it. */
const markOf = (dataDir: string): string => join(dataDir, 'pgdata.unfinished')

/** A backup is unpacked into it; after a kill it is still there. */
export const RESTORING = 'restore.unfinished'

/** Has what a restored database replaces, until that is in its place. */
const REPLACED = 'pgdata.replaced'
const hasReplaced = (dataDir: string): boolean => existsSync(join(dataDir, REPLACED, 'PG_VERSION'))

export async function setAside(dataDir: string): Promise<void> {
  if (!hasCluster(dataDir)) return rm(pgdataOf(dataDir), { recursive: true, force: true })
  await removeReplaced(dataDir)
  await rename(pgdataOf(dataDir), join(dataDir, REPLACED))
}
/** After a restore that was cut off before the other database was in its place. */
export async function putBack(dataDir: string): Promise<void> {
  if (hasCluster(dataDir) || !hasReplaced(dataDir)) return
  await rm(pgdataOf(dataDir), { recursive: true, force: true })
  await rename(join(dataDir, REPLACED), pgdataOf(dataDir))
}
export const removeReplaced = (dataDir: string): Promise<void> =>
  rm(join(dataDir, REPLACED), { recursive: true, force: true })

/** Where a backup was restored one level too deep. */
const clusterBelow = (dataDir: string): string | undefined =>
  [join(dataDir, 'data'), pgdataOf(dataDir)].find(hasCluster)

/** @throws Error when files of another database would be overwritten or ignored, as of a partly restored backup */
export async function markUnfinished(dataDir: string): Promise<void> {
  const pgdata = pgdataOf(dataDir)
  if (hasReplaced(dataDir)) {
    throw new Error(
      `A restore into ${dataDir} was cut off: run it again, or go back to the former database by renaming ` +
        `${join(dataDir, REPLACED)} to ${pgdata}.`
    )
  }
  if (hasCluster(join(dataDir, RESTORING))) {
    throw new Error(
      `A restore into ${dataDir} was cut off: run it again, or begin with an empty database by removing ` +
        `${join(dataDir, RESTORING)}.`
    )
  }
  if (existsSync(join(dataDir, 'PG_VERSION'))) {
    throw new Error(
      `The data directory ${dataDir} has the files of a database, which belong into ${pgdata}: move them there, or ` +
        'set TRACKER_DATA_DIR to another folder.'
    )
  }
  const deeper = clusterBelow(dataDir)
  if (deeper !== undefined) {
    throw new Error(
      `The data directory ${dataDir} has no database, but ${deeper} in it has one: set TRACKER_DATA_DIR to ${deeper}` +
        `, or move what is in it to ${dataDir}.`
    )
  }
  const mark = markOf(dataDir)
  const files = existsSync(pgdata) ? await readdir(pgdata) : []
  if (files.length > 0 && !existsSync(mark)) {
    throw new Error(
      `${pgdata} has only a part of a database: restore the whole data directory from a backup, or set ` +
        'TRACKER_DATA_DIR to another folder. If there is nothing to keep, remove it.'
    )
  }
  await writeFile(mark, '')
}

export const markFinished = (dataDir: string): Promise<void> => rm(markOf(dataDir), { force: true })
