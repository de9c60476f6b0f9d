import { createHash } from 'node:crypto'
import { realpath, rm } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

/** 108 on Linux, 104 on macOS. */
const MAX_SOCKET_PATH_BYTES = 100
const SQLITE_BUSY = 5

/** Garbage collection of a database would release its lock. */
const held = new Set<object>()

export class DirectoryInUse extends Error {
  constructor(dir: string) {
    super(
      `The data directory ${dir} is in use by another tracker process: stop that one first, or set ` +
        'TRACKER_DATA_DIR to another folder, or DATABASE_URL to a PostgreSQL server that several processes share.'
    )
  }
}

/** Locks a folder until the returned function is called or the process ends. @throws DirectoryInUse */
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
 * Locks an empty file by a transaction of SQLite: the kernel releases it when the process ends, while a pid file would
 * outlive a kill. IMMEDIATE needs one lock, so that one of several processes gets it; EXCLUSIVE needs three in turn,
 * and all might fail.
 */
function lockFile(path: string, dir: string): () => void {
  const { DatabaseSync } = loadSqlite()
  let database: InstanceType<typeof DatabaseSync> | undefined
  try {
    database = new DatabaseSync(path)
    // In memory: a journal file would outlive a kill, and its rollback needs further locks.
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

/** Without the warning that SQLite is experimental: deployers cannot act on it. */
function loadSqlite() {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return process.getBuiltinModule('node:sqlite')
  } finally {
    process.emitWarning = emitWarning
  }
}

/* Release 0.1 locks with a listening socket: either refuses to start while the other uses the folder. */

/** Call it while holding the lock: a socket that does not answer then belongs to a killed process. */
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
