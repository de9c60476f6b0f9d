import { copyFile, mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import pg from 'pg'
import type { BackupFolder } from '../api/points.ts'
import { hasCluster, pgdataOf, RESTORING } from '../db/embedded/cluster-folder.ts'
import { holdDirectory } from '../db/embedded/directory-lock.ts'
import { embeddedPool } from '../db/embedded/embedded-pool.ts'
import { openEmbedded } from '../db/embedded/embedded.ts'
import { filesIn, flush, flushFiles, unpack } from './archive.ts'
import { readChecked, type Manifest } from './manifest.ts'
import { readRows } from './queries.ts'

/** What a restored database replaces, until it is removed. */
const REPLACED = 'pgdata.replaced'

interface RestoreOptions {
  dataDir: string
  folders: readonly BackupFolder[]
  /** True if a database that is there is replaced. */
  replace: boolean
}

/**
 * Restores a backup into a data folder that no server uses. After a kill the former database is there, or the next
 * start says that the restore must be repeated.
 * @throws Error when a server uses the folder, when it has a database, or when the backup is damaged or of a newer
 * version
 */
export async function restoreBackup(file: string, { dataDir, folders, replace }: RestoreOptions): Promise<Manifest> {
  await mkdir(dataDir, { recursive: true })
  const release = await holdDirectory(dataDir)
  const unpacked = join(dataDir, RESTORING)
  try {
    if (hasCluster(dataDir) && !replace) {
      throw new Error(
        `There is a database in ${resolve(dataDir)}: set TRACKER_DATA_DIR to another folder, or replace what is ` +
          'there with --replace.'
      )
    }
    const manifest = await inFolder(unpacked, async () => {
      await unpack(file, unpacked)
      const manifest = await readChecked(unpacked, file)
      await flushFiles(unpacked)
      for (const { name, path } of folders) if (path !== undefined) await moveFiles(join(unpacked, name), path)
      await rm(join(dataDir, REPLACED), { recursive: true, force: true })
      if (hasCluster(dataDir)) await rename(pgdataOf(dataDir), join(dataDir, REPLACED))
      else await rm(pgdataOf(dataDir), { recursive: true, force: true })
      await rename(pgdataOf(unpacked), pgdataOf(dataDir))
      await flush(dataDir)
      return manifest
    })
    await rm(join(dataDir, REPLACED), { recursive: true, force: true })
    return manifest
  } finally {
    await release()
  }
}

/**
 * Restores a backup into a temporary folder beside it, and reads every row.
 * @throws Error when it is damaged, or has other rows than were counted when it was made
 */
export async function verifyBackup(file: string): Promise<{ rows: number; files: number }> {
  const folder = `${file}.verifying`
  return inFolder(folder, async () => {
    await unpack(file, folder)
    const { tables, digests } = await readChecked(folder, file)
    const rows = await rowsIn(folder)
    const saved = tables ?? rows
    const wrong = Object.keys({ ...saved, ...rows }).filter(table => saved[table] !== rows[table])
    if (wrong.length > 0) {
      throw new Error(`${file} cannot be relied on: the rows of ${wrong.join(', ')} are not those that were saved.`)
    }
    return { rows: Object.values(rows).reduce((sum, count) => sum + count, 0), files: Object.keys(digests).length }
  })
}

async function rowsIn(dataDir: string) {
  const opened = embeddedPool(await openEmbedded({ dataDir }), undefined, { Client: pg.Client })
  try {
    const client = await opened.pool.connect()
    try {
      return await readRows(client)
    } finally {
      client.release()
    }
  } finally {
    await opened.pool.end()
    await opened.close()
  }
}

/** Makes a folder for some work, and removes it after that. */
async function inFolder<T>(folder: string, work: () => Promise<T>): Promise<T> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true, mode: 0o700 })
  try {
    return await work()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function moveFiles(from: string, to: string): Promise<void> {
  for (const name of await filesIn(from)) {
    const [path, target] = [join(from, name), join(to, name)]
    await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    // On another disk.
    await rename(path, target).catch(() => copyFile(path, target))
  }
}
