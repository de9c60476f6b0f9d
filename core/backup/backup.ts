import { constants } from 'node:fs'
import { copyFile, cp, link, mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { BackupFolder } from '../api/points.ts'
import type { Database } from '../db/database.ts'
import { pgdataOf } from '../db/embedded/cluster-folder.ts'
import { version } from '../http/openapi.ts'
import { digestFiles, filesIn, pack } from './archive.ts'
import { MANIFEST, type Manifest } from './manifest.ts'
import { countRows } from './queries.ts'

/** The folder of a backup in the making, within the data folder. Only one process uses that. */
const UNFINISHED = 'backup.unfinished'

export interface BackupSource {
  database: Database
  /** Folders beside the database, of plugins. */
  folders: readonly BackupFolder[]
  now: () => Date
}

export interface Backup {
  /** Beside the database. */
  files: number
  /** Milliseconds for which the database took no statements. */
  pauseMs: number
}

/** One at a time: they share a folder. */
const inTheMaking = new Set<string>()

/**
 * Saves the embedded database and the folders that belong to it, while the server works. The database stands still
 * while its files are copied; they are packed afterwards.
 * @param options.countsRows true: the rows are counted for `verifyBackup`, for which the database stands still, too
 * @throws Error when another backup is being made, when there is a file of this name, or on PostgreSQL
 */
export async function makeBackup(source: BackupSource, file: string, { countsRows = false } = {}): Promise<Backup> {
  const { dataDir } = source.database
  if (dataDir === undefined) {
    throw new Error(
      'A backup is made of an embedded database; a PostgreSQL database is saved by pg_dump: docs/backup-and-upgrade.md.'
    )
  }
  if (inTheMaking.has(dataDir)) throw new Error('Another backup is being made: try again when it is complete.')
  inTheMaking.add(dataDir)
  const folder = join(dataDir, UNFINISHED)
  try {
    // That of a killed process.
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { mode: 0o700 })
    const { tables, pauseMs } = await copyStill(source, { pgdata: pgdataOf(dataDir), folder, countsRows })
    const digests = await digestFiles(folder)
    const manifest: Manifest = {
      format: 1,
      version,
      createdAt: source.now().toISOString(),
      digests,
      ...(tables && { tables })
    }
    await writeFile(join(folder, MANIFEST), JSON.stringify(manifest))
    await pack(folder, file, MANIFEST)
    return { files: Object.keys(digests).filter(path => !path.startsWith('pgdata/')).length, pauseMs }
  } finally {
    inTheMaking.delete(dataDir)
    await rm(folder, { recursive: true, force: true })
  }
}

/** Copies the files of the database, and links those beside it, while no statement runs. */
async function copyStill(
  { database, folders }: BackupSource,
  { pgdata, folder, countsRows }: { pgdata: string; folder: string; countsRows: boolean }
) {
  return database.whileStill(async client => {
    const from = performance.now()
    const tables = countsRows ? await countRows(client) : undefined
    // File systems that can share blocks copy nothing.
    await cp(pgdata, pgdataOf(folder), { recursive: true, mode: constants.COPYFILE_FICLONE })
    for (const { name, path, isComplete } of folders) {
      if (path !== undefined) await linkFiles(path, join(folder, name), isComplete)
    }
    return { tables, pauseMs: Math.round(performance.now() - from) }
  })
}

/** Files that never change need not be copied. */
async function linkFiles(from: string, to: string, isComplete: BackupFolder['isComplete']): Promise<void> {
  for (const name of await filesIn(from)) {
    if (!isComplete(name)) continue
    const [path, target] = [join(from, name), join(to, name)]
    await mkdir(dirname(target), { recursive: true })
    // On another disk, or where there are no links.
    await link(path, target).catch(() => copyFile(path, target))
  }
}
