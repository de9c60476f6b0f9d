import { copyFile, mkdir, readdir, rename } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import pg from 'pg'
import type { BackupFolder } from '../api/points.ts'
import { runExclusively, type Database } from '../db/database.ts'
import { hasCluster, pgdataOf, putBack, removeReplaced, RESTORING, setAside } from '../db/embedded/cluster-folder.ts'
import { holdDirectory } from '../db/embedded/directory-lock.ts'
import { embeddedPool } from '../db/embedded/embedded-pool.ts'
import { openEmbedded } from '../db/embedded/embedded.ts'
import { filesIn, flush, flushFiles, inFolder, isOtherDisk, unpack } from './archive.ts'
import type { BackupSource } from './backup.ts'
import { copyDatabase } from './copy-database.ts'
import { hasData } from './copy-queries.ts'
import { assertNoServers } from '../db/migrate/servers.ts'
import { MANIFEST, readChecked, type Manifest } from './manifest.ts'
import { readRows } from './queries.ts'

interface RestoreOptions {
  dataDir: string
  folders: readonly BackupFolder[]
  replace: boolean
}

/**
 * After a kill the former database is there, or the next start says that the restore must be repeated.
 * @throws Error when a server uses the folder, when it has a database, or when the backup is damaged, of a newer
 * version, or has files that would have no place
 */
export async function restoreBackup(file: string, { dataDir, folders, replace }: RestoreOptions): Promise<Manifest> {
  await mkdir(dataDir, { recursive: true })
  const release = await holdDirectory(dataDir)
  const unpacked = join(dataDir, RESTORING)
  try {
    await putBack(dataDir)
    if (hasCluster(dataDir) && !replace) {
      throw new Error(
        `There is a database in ${resolve(dataDir)}: set TRACKER_DATA_DIR to another folder, or replace what is ` +
          'there with --replace.'
      )
    }
    const manifest = await inFolder(unpacked, async () => {
      await unpack(file, unpacked)
      const manifest = await readChecked(unpacked, file)
      await assertPlaces(unpacked, folders)
      await flushFiles(unpacked)
      await moveFolders(unpacked, folders)
      await setAside(dataDir)
      await rename(pgdataOf(unpacked), pgdataOf(dataDir))
      await flush(dataDir)
      return manifest
    })
    await removeReplaced(dataDir)
    return manifest
  } finally {
    await release()
  }
}

/**
 * In one transaction, for which servers that start meanwhile wait: after a kill, the database has what it had, or empty
 * tables.
 * @throws Error as `restoreBackup`
 */
export async function restoreIntoPostgres(source: BackupSource, file: string, replace: boolean): Promise<Manifest> {
  const { database, folders } = source
  await database.open()
  await assertReplaceable(database, replace)
  return inFolder(`${file}.restoring`, async unpacked => {
    await unpack(file, unpacked)
    const manifest = await readChecked(unpacked, file)
    await assertPlaces(unpacked, folders)
    const saved = await source.openEmbedded(unpacked)
    try {
      await source.migrate()
      await runExclusively(database, async () => {
        // A server may have started meanwhile.
        await assertReplaceable(database, replace)
        await moveFolders(unpacked, folders)
        await copyDatabase(saved.database.db, database.db)
      })
    } finally {
      await saved.close()
    }
    return manifest
  })
}

async function assertReplaceable({ db }: Database, replace: boolean): Promise<void> {
  await assertNoServers(db, 0)
  if (replace || !(await hasData(db))) return
  throw new Error(
    'There are data in the database of DATABASE_URL: name an empty one, or replace what is there with --replace.'
  )
}

/** In a temporary folder beside it. @throws Error when it is damaged, or has other rows than were counted */
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

async function assertPlaces(unpacked: string, folders: readonly BackupFolder[]): Promise<void> {
  const places = folders.filter(({ path }) => path !== undefined).map(({ name }) => name)
  const others = (await readdir(unpacked)).filter(name => ![MANIFEST, 'pgdata', ...places].includes(name))
  if (others.length === 0) return
  throw new Error(
    `The backup has a folder “${others.join('”, “')}”, for which the configuration has no place: set it as it was on ` +
      'the server that was saved (for files: plugins.files.folder).'
  )
}

async function moveFolders(unpacked: string, folders: readonly BackupFolder[]): Promise<void> {
  for (const { name, path } of folders) if (path !== undefined) await moveFiles(join(unpacked, name), path)
}

async function moveFiles(from: string, to: string): Promise<void> {
  for (const name of await filesIn(from)) {
    const [path, target] = [join(from, name), join(to, name)]
    await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    try {
      await rename(path, target)
    } catch (error) {
      if (!isOtherDisk(error)) throw error
      // A kill must not leave a half file under this name.
      await copyFile(path, `${target}.part`)
      await flush(`${target}.part`)
      await rename(`${target}.part`, target)
    }
  }
}
