import { constants, existsSync } from 'node:fs'
import { copyFile, cp, link, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { BackupFolder } from '../api/points.ts'
import type { Database } from '../db/database.ts'
import { pgdataOf } from '../db/embedded/cluster-folder.ts'
import { freeBytes } from '../../lib/util/free-bytes.ts'
import { version } from '../../lib/packages/version.ts'
import { assertFree, digestFiles, filesIn, inFolder, isOtherDisk, pack } from './archive.ts'
import { copyDatabase } from './copy-database.ts'
import { databaseBytes } from './copy-queries.ts'
import { MANIFEST, type Manifest } from './manifest.ts'
import { countRows, type TableCounts } from './queries.ts'

/** The folder of a backup in the making, within the data folder. Only one process uses that. */
const UNFINISHED = 'backup.unfinished'

const COPY = '.copy'

const MIB = 1024 * 1024
/** Free bytes that the working server keeps. */
const RESERVE_BYTES = 64 * MIB

export interface BackupSource {
  database: Database
  folders: readonly BackupFolder[]
  now: () => Date
  migrate(): Promise<void>
  /** Opens an embedded database, with the same plugins, and migrates it. */
  openEmbedded(dataDir: string): Promise<OtherDatabase>
}

export interface OtherDatabase {
  database: Database
  close(): Promise<void>
}

export interface Backup {
  files: number
  pauseMs: number
}

/** One at a time: they share a folder. */
const inTheMaking = new Set<string>()

interface BackupOptions {
  /** True if the rows are counted for `verifyBackup`, for which the embedded database stands still, too. */
  countsRows?: boolean
}

/**
 * Servers go on. An embedded database stands still while its files are copied, not while they are packed. The rows of a
 * PostgreSQL database, as of one moment, are copied into an embedded one: each backup is of that kind, and can be
 * restored into either.
 * @throws Error when another is being made, or when there is a file of this name
 */
export async function makeBackup(source: BackupSource, file: string, options: BackupOptions = {}): Promise<Backup> {
  assertFree(file)
  if (source.database.kind === 'postgres') return copyPostgres(source, file)
  const { dataDir } = source.database
  if (dataDir === undefined) throw new Error('A database in memory cannot be saved.')
  if (inTheMaking.has(dataDir)) throw new Error('Another backup is being made: try again when it is complete.')
  inTheMaking.add(dataDir)
  try {
    return await inFolder(join(dataDir, UNFINISHED), async folder => {
      const pgdata = pgdataOf(dataDir)
      await assertSpace(source, { databaseBytes: await bytesIn(pgdata), copyPlace: dataDir, file })
      // Most files are linked before the database stands still.
      await linkFolders(source.folders, folder)
      const { tables, pauseMs } = await copyStill(source, { pgdata, folder, ...options })
      return { files: await packBackup(source, { folder, file, tables }), pauseMs }
    })
  } finally {
    inTheMaking.delete(dataDir)
  }
}

async function copyPostgres(source: BackupSource, file: string): Promise<Backup> {
  const { database, folders } = source
  await assertSpace(source, { databaseBytes: await databaseBytes(database.db), copyPlace: dirname(file), file })
  return inFolder(`${file}${COPY}`, async work => {
    const folder = join(work, 'backup')
    await mkdir(folder)
    // Linked twice: files may be removed during the copy, and new ones are there before their rows.
    await linkFolders(folders, folder)
    const copy = await source.openEmbedded(join(work, 'data'))
    let tables: TableCounts
    try {
      await copyDatabase(database.db, copy.database.db)
      tables = await copy.database.whileStill(countRows)
    } finally {
      await copy.close()
    }
    await linkFolders(folders, folder)
    await rename(pgdataOf(join(work, 'data')), pgdataOf(folder))
    return { files: await packBackup(source, { folder, file, tables }), pauseMs: 0 }
  })
}

async function packBackup(
  { now }: BackupSource,
  { folder, file, tables }: { folder: string; file: string; tables: TableCounts | undefined }
): Promise<number> {
  const digests = await digestFiles(folder)
  const manifest: Manifest = {
    format: 1,
    version,
    createdAt: now().toISOString(),
    digests,
    ...(tables && { tables })
  }
  await writeFile(join(folder, MANIFEST), JSON.stringify(manifest))
  await pack(folder, file, MANIFEST)
  return Object.keys(digests).filter(path => !path.startsWith('pgdata/')).length
}

async function copyStill(
  { database, folders }: BackupSource,
  { pgdata, folder, countsRows = false }: BackupOptions & { pgdata: string; folder: string }
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

/** The copy needs the space of the database and of files on other disks, the backup at most that of all. */
async function assertSpace(
  { folders }: BackupSource,
  { databaseBytes, copyPlace, file }: { databaseBytes: number; copyPlace: string; file: string }
): Promise<void> {
  const diskOf = async (path: string) => (await stat(path)).dev
  const dataDisk = await diskOf(copyPlace)
  let copyBytes = databaseBytes
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
      ? [{ place: copyPlace, bytes: copyBytes + backupBytes }]
      : [
          { place: copyPlace, bytes: copyBytes },
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
