import { chmod, lstat, mkdtemp, readFile, rm, rmdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'

/*
 * A server with an embedded database listens for commands at `admin.sock` in its data folder. Whoever can enter that
 * folder owns the database anyway.
 */

/** The limit of a socket's path is 108 bytes on Linux, 104 on macOS. */
const MAX_SOCKET_PATH_BYTES = 100
const SOCKET = 'admin.sock'
/** The file with the path of the socket's folder, if the path in the data folder would be too long. */
const POINTER = 'admin.folder'
const PREFIX = 'tracker-admin-'

/**
 * Makes the data folder private, and removes the socket of a killed server. Call it while holding the folder's lock.
 * @returns the path of the socket
 * @throws Error when the folder is a link or another user's
 */
export async function prepareSocket(dataDir: string): Promise<string> {
  const folder = resolve(dataDir)
  await assertOwn(folder)
  await chmod(folder, 0o700)
  await removeSocket(folder)
  const inside = join(folder, SOCKET)
  if (Buffer.byteLength(inside) <= MAX_SOCKET_PATH_BYTES) return inside
  const elsewhere = await mkdtemp(join(tmpdir(), PREFIX))
  await writeFile(join(folder, POINTER), elsewhere, { mode: 0o600 })
  return join(elsewhere, SOCKET)
}

/** The path of the socket of a running or killed server; undefined: none. @throws Error as `prepareSocket` */
export async function findSocket(dataDir: string): Promise<string | undefined> {
  const folder = resolve(dataDir)
  const pointed = await pointedFolder(folder)
  const path = join(pointed ?? folder, SOCKET)
  if (!(await exists(path))) return undefined
  await assertOwn(folder)
  if (pointed !== undefined) await assertOwn(pointed)
  return path
}

export async function removeSocket(dataDir: string): Promise<void> {
  const folder = resolve(dataDir)
  const pointed = await pointedFolder(folder)
  if (pointed !== undefined && basename(pointed).startsWith(PREFIX) && (await exists(pointed))) {
    await assertOwn(pointed)
    await rm(join(pointed, SOCKET), { force: true })
    await rmdir(pointed)
  }
  for (const name of [SOCKET, POINTER]) await rm(join(folder, name), { force: true })
}

const pointedFolder = (folder: string): Promise<string | undefined> =>
  readFile(join(folder, POINTER), 'utf8').catch(ifMissing)

const exists = async (path: string): Promise<boolean> => (await lstat(path).catch(ifMissing)) !== undefined

function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

/** @throws Error when another user could have replaced the folder or its content */
async function assertOwn(folder: string): Promise<void> {
  const stats = await lstat(folder)
  if (stats.isSymbolicLink()) {
    throw new Error(`${folder} is a link: set TRACKER_DATA_DIR to the folder itself, so that commands are taken there.`)
  }
  if (stats.uid === process.getuid?.()) return
  throw new Error(`${folder} belongs to another user: only its owner gives commands to the server that uses it.`)
}
