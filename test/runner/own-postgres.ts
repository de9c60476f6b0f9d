import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)
const script = new URL('../../scripts/postgres.sh', import.meta.url).pathname

/** A PostgreSQL server for one test, which may kill it. Acknowledged writes are on disk. */
interface OwnPostgres {
  readonly url: string
  /** Kills all of its processes at once. */
  kill(): Promise<void>
  /** Suspends its processes: connections stay open, and nothing is answered. */
  pause(): Promise<void>
  resume(): Promise<void>
  /** Starts it again, on the same port. */
  start(): Promise<void>
  remove(): Promise<void>
}

export async function ownPostgres(): Promise<OwnPostgres> {
  const dir = await mkdtemp(join(tmpdir(), 'tracker-postgres-'))
  // The server inherits the output of the script and keeps it open: it goes to a file, so that the script ends.
  const start = async (...port: string[]) =>
    (await run('sh', ['-c', '"$@" > "$0"; cat "$0"', `${dir}.url`, script, 'start', dir, ...port])).stdout.trim()
  const url = await start()

  /** Sends a signal to all of its processes. @returns their ids */
  async function signal(name: NodeJS.Signals): Promise<number[]> {
    const postmaster = Number((await readFile(join(dir, 'postmaster.pid'), 'utf8')).split('\n')[0])
    const children = (await readFile(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8'))
      .split(' ')
      .filter(Boolean)
      .map(Number)
    const pids = [postmaster, ...children]
    for (const pid of pids) {
      try {
        process.kill(pid, name)
      } catch {
        /* it has just ended */
      }
    }
    return pids
  }
  async function kill(): Promise<void> {
    const pids = await signal('SIGKILL')
    while (pids.some(isThere)) await sleep(20)
  }
  return {
    url,
    kill,
    async pause() {
      await signal('SIGSTOP')
    },
    async resume() {
      await signal('SIGCONT')
    },
    async start() {
      await start(new URL(url).port)
    },
    async remove() {
      await kill().catch(() => {
        /* it is dead already */
      })
      await Promise.all([rm(dir, { recursive: true }), rm(`${dir}.url`)])
    }
  }
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
