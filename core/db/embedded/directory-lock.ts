import { createHash } from 'node:crypto'
import { realpath, rm } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

/** Bytes of a socket's path: the limit is 108 on Linux, 104 on macOS. */
const MAX_SOCKET_PATH_BYTES = 100
/** SQLite's result code when another process has the lock. */
const SQLITE_BUSY = 5

/** The locks of this process: a database that is collected as garbage would close, and give its lock up. */
const held = new Set<object>()

/** The folder is held by another process, or by another part of this one. */
export class DirectoryInUse extends Error {
  constructor(dir: string) {
    super(
      `The data directory ${dir} is in use by another tracker process: stop that one first, or set ` +
        'TRACKER_DATA_DIR to another folder, or DATABASE_URL to a PostgreSQL server that several processes share.'
    )
  }
}

/**
 * Holds a folder for this process until the returned function is called or the process dies, however it dies.
 * @throws DirectoryInUse when another process holds it, Error when its file system has no locks
 */
export async function holdDirectory(dir: string): Promise<() => Promise<void>> {
  const real = await realpath(dir)
  const release = lockFile(join(real, 'server.lock'), dir)
  try {
    const listening = await listenForOlderReleases(socketPath(real), dir)
    return async () => {
      await new Promise<void>(resolve => listening.close(() => resolve()))
      release()
    }
  } catch (error) {
    release()
    throw error
  }
}

/**
 * Locks a file, which stays empty, by a transaction of SQLite's. The kernel decides who gets the lock, and takes it
 * back when the process ends: a pid file would outlive a kill. An IMMEDIATE transaction needs a single lock, so that of
 * several processes that start at once exactly one gets it; an EXCLUSIVE one needs three in turn, and all might fail.
 */
function lockFile(path: string, dir: string): () => void {
  const { DatabaseSync } = loadSqlite()
  let database: InstanceType<typeof DatabaseSync> | undefined
  try {
    database = new DatabaseSync(path)
    // In memory: a journal in a file would outlive a kill, and be rolled back by the next with further locks.
    database.exec('pragma journal_mode = memory; begin immediate')
  } catch (error) {
    database?.close()
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) throw new DirectoryInUse(dir)
    throw new Error(
      `The data directory ${dir} cannot be locked: put it on a local disk with free space, on which this user may ` +
        `write ${path}.`,
      { cause: error }
    )
  }
  const lock = database
  held.add(lock)
  return () => {
    held.delete(lock)
    lock.close()
  }
}

/** Versions of Node that call SQLite experimental print that, and who starts a server can do nothing about it. */
function loadSqlite() {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return process.getBuiltinModule('node:sqlite')
  } finally {
    process.emitWarning = emitWarning
  }
}

/*
 * Release 0.1 knows another lock: a listening socket. While it serves the folder, a newer one is refused, and the other
 * way round.
 */

/** To be called with the lock, so that a socket that does not answer was left behind by a process that was killed. */
async function listenForOlderReleases(path: string, dir: string): Promise<Server> {
  const server = createServer(socket => socket.end())
  server.unref()
  try {
    await listen(server, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    if (await answers(path)) throw new DirectoryInUse(dir)
    await rm(path, { force: true })
    await listen(server, path)
  }
  return server
}

function socketPath(real: string): string {
  const inside = relative(process.cwd(), join(real, 'lock'))
  if (Buffer.byteLength(inside) <= MAX_SOCKET_PATH_BYTES) return inside
  return join(tmpdir(), `tracker-${createHash('sha256').update(real).digest('hex').slice(0, 16)}.lock`)
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function answers(path: string): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
