import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)
const script = new URL('../../scripts/citus.sh', import.meta.url).pathname

/** The reason why no Citus cluster can be started here; undefined: none. */
export function noCitus(): string | undefined {
  const { stdout } = spawnSync('/usr/lib/postgresql/15/bin/pg_config', ['--sharedir'], { encoding: 'utf8' })
  const control = join(stdout?.trim() || '/nowhere', 'extension/citus.control')
  return spawnSync('test', ['-e', control]).status === 0 ? undefined : 'needs Citus in PostgreSQL 15'
}

/** A coordinator with two workers for one test. Acknowledged writes are on disk. */
export interface OwnCitus {
  readonly url: string
  /** Ends all processes of a worker at once. @param port of the worker */
  killWorker(port: number): Promise<void>
  /** Starts the stopped nodes, on their former ports. */
  start(): Promise<void>
  remove(): Promise<void>
}

export async function ownCitus(): Promise<OwnCitus> {
  const dir = await mkdtemp(join(tmpdir(), 'tracker-citus-'))
  // The servers inherit the output of the script and keep it open: it goes to a file, so that the script ends.
  const start = async () =>
    (await run('sh', ['-c', '"$@" > "$0"; cat "$0"', `${dir}.url`, script, 'start', dir])).stdout.trim()
  return {
    url: await start(),
    async killWorker(port) {
      const folders = await Promise.all(
        ['worker-1', 'worker-2'].map(async name => ({ name, url: await readFile(join(dir, `${name}.url`), 'utf8') }))
      )
      const folder = folders.find(({ url }) => new URL(url.trim()).port === String(port))!.name
      const postmaster = Number((await readFile(join(dir, folder, 'postmaster.pid'), 'utf8')).split('\n')[0])
      const children = await readFile(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8')
      const pids = [postmaster, ...children.split(' ').filter(Boolean).map(Number)]
      for (const pid of pids) signal(pid, 'SIGKILL')
      while (pids.some(pid => signal(pid, 0))) await sleep(20)
    },
    async start() {
      await start()
    },
    async remove() {
      await run(script, ['stop', dir])
      await Promise.all([rm(dir, { recursive: true }), rm(`${dir}.url`)])
    }
  }
}

/** @returns false if the process does not exist */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}
