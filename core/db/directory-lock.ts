import { createHash } from 'node:crypto'
import { realpath, rm } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

/** Bytes of a socket's path: the limit is 108 on Linux, 104 on macOS. */
const MAX_SOCKET_PATH_BYTES = 100

/**
 * Holds a folder for this process until the returned function is called or the process dies, however it dies:
 * the lock is a listening socket, which the operating system closes with its process. A pid file would
 * outlive a kill, and in a container every process is number 1.
 * @throws Error, in one sentence, when another process holds it.
 */
export async function holdDirectory(dir: string): Promise<() => Promise<void>> {
  const path = await socketPath(dir)
  const server = createServer(socket => socket.end())
  server.unref()
  for (let attempt = 1; ; attempt++) {
    try {
      await listen(server, path)
      return async () => {
        await new Promise<void>(resolve => server.close(() => resolve()))
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
      if (attempt === 3 || (await answers(path))) {
        throw new Error(
          `The data directory ${dir} is in use by another tracker process: stop that one first, or set ` +
            'TRACKER_DATA_DIR to another folder, or DATABASE_URL to a PostgreSQL server that several processes share.'
        )
      }
      await rm(path, { force: true }) // left behind by a process that was killed
    }
  }
}

async function socketPath(dir: string): Promise<string> {
  const real = await realpath(dir)
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
