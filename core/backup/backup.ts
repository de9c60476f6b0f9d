import { constants, existsSync } from 'node:fs'
import { copyFile, cp, link, mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { BackupFolder } from '../api/points.ts'
import type { Database } from '../db/database.ts'
import { pgdataOf } from '../db/embedded/cluster-folder.ts'
import { freeBytes } from '../../lib/util/free-bytes.ts'
import { version } from '../http/openapi.ts'
import { assertFree, digestFiles, filesIn, isOtherDisk, pack } from './archive.ts'
import { MANIFEST, type Manifest } from './manifest.ts'
import { countRows } from './queries.ts'

/** The folder of a backup in the making, within the data folder. Only one process uses that. */
const UNFINISHED = 'backup.unfinished'

const MIB = 1024 * 1024
/** Free bytes that the working server keeps. */
const RESERVE_BYTES = 64 * MIB

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
  assertFree(file)
  if (inTheMaking.has(dataDir)) throw new Error('Another backup is being made: try again when it is complete.')
  inTheMaking.add(dataDir)
  const folder = join(dataDir, UNFINISHED)
  try {
    // That of a killed process.
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { mode: 0o700 })
    await assertSpace(source, dataDir, file)
    // Most of them before the database stands still.
    await linkFolders(source.folders, folder)
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
    try {
      const tables = countsRows ? await countRows(client) : undefined
      // File systems that can share blocks copy nothing.
      await cp(pgdata, pgdataOf(folder), { recursive: true, mode: constants.COPYFILE_FICLONE })
      await linkFolders(folders, folder)
      return { tables, pauseMs: Math.round(performance.now() - from) }
    } catch (error) {
      // Before statements run again: the copy may have filled the disk.
      await rm(folder, { recursive: true, force: true })
      throw error
    }
  })
}

/** Files that never change need not be copied; those that are there already stay. */
async function linkFolders(folders: readonly BackupFolder[], to: string): Promise<void> {
  for (const { name: folder, path: from, isComplete } of folders) {
    if (from === undefined) continue
    for (const name of await filesIn(from)) {
      const target = join(to, folder, name)
      if (!isComplete(name) || existsSync(target)) continue
      await mkdir(dirname(target), { recursive: true })
      await linkFile(join(from, name), target)
    }
  }
}

async function linkFile(path: string, target: string): Promise<void> {
  try {
    await link(path, target).catch((error: unknown) => {
      if (!isOtherDisk(error)) throw error
      return copyFile(path, target)
    })
  } catch (error) {
    // It was removed meanwhile, with its row.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

/**
 * The copy needs as much space as the database and the files of other disks, and the backup at most as much as all that
 * is saved: a full disk would stop the server.
 * @throws Error when there is less
 */
async function assertSpace({ folders }: BackupSource, dataDir: string, file: string): Promise<void> {
  const diskOf = async (path: string) => (await stat(path)).dev
  const dataDisk = await diskOf(dataDir)
  let copyBytes = await bytesIn(pgdataOf(dataDir))
  let backupBytes = copyBytes
  for (const { path } of folders) {
    if (path === undefined || !existsSync(path)) continue
    const bytes = await bytesIn(path)
    backupBytes += bytes
    if ((await diskOf(path)) !== dataDisk) copyBytes += bytes
  }
  const target = dirname(file)
  const needs =
    (await diskOf(target)) === dataDisk
      ? [{ place: dataDir, bytes: copyBytes + backupBytes }]
      : [
          { place: dataDir, bytes: copyBytes },
          { place: target, bytes: backupBytes }
        ]
  for (const { place, bytes } of needs) {
    const [needed, free] = [bytes + RESERVE_BYTES, freeBytes(place)]
    if (free >= needed) continue
    throw new Error(
      `A backup needs up to ${Math.ceil(needed / MIB)} MiB on the disk of ${place}, of which ` +
        `${Math.floor(free / MIB)} MiB are free: free some, or name a file on another disk.`
    )
  }
}

async function bytesIn(folder: string): Promise<number> {
  let bytes = 0
  for (const name of await filesIn(folder)) {
    // The database removes some of its files while it works.
    bytes += await stat(join(folder, name)).then(
      ({ size }) => size,
      () => 0
    )
  }
  return bytes
}
