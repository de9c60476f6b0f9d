import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { EXIT_PARTIAL } from '../../core/api/command.ts'
import { newToken } from '../../core/api/accounts.ts'

/** Node's arguments before those of a script: as in npm's scripts, for the cache of compiled code. */
const script = (file: URL) => [
  '--require',
  fileURLToPath(new URL('../../core/start/preload.cjs', import.meta.url)),
  fileURLToPath(file)
]
const SERVER = script(new URL('../../core/main.ts', import.meta.url))
const COMMAND = script(new URL('../../core/cli.ts', import.meta.url))

/** @param board a file for `npm run tracker -- import` @throws Error with the server's output when it does not start */
export async function withScratchServer<T>(
  board: string | undefined,
  work: (url: string, token: string) => Promise<T>
): Promise<T> {
  const dir = await mkdtemp(join(tmpdir(), 'tracker-scratch-'))
  const token = newToken()
  const { DATABASE_URL: _, ...outer } = process.env
  const env = {
    ...outer,
    TRACKER_DATA_DIR: dir,
    TRACKER_ADMIN_TOKEN: token,
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'info',
    TRACKER_PLUGINS__EMBEDDINGS__DOWNLOAD: 'false'
  }
  try {
    if (board !== undefined) await importBoard(board, env)
    const server = spawn(process.execPath, SERVER, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    const ended = once(server, 'close')
    try {
      return await work(await addressOf(server), token)
    } finally {
      server.kill('SIGTERM')
      await ended
    }
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

async function importBoard(board: string, env: NodeJS.ProcessEnv): Promise<void> {
  await promisify(execFile)(process.execPath, [...COMMAND, 'import', board], { env }).catch(
    (error: Error & { code?: number }) => {
      // A partial import is enough for measuring.
      if (error.code !== EXIT_PARTIAL) throw error
    }
  )
}

function addressOf(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    for (const stream of [server.stdout, server.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        said += text
        const address = /listening at (http:\/\/[^"\s]+)/.exec(said)?.[1]
        if (address !== undefined) resolve(address)
      })
    }
    server.once('close', () => reject(new Error(`The server did not start: ${said}`)))
  })
}
