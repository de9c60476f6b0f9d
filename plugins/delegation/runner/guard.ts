import { spawn } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/*
 * The guard of one run: a process between the server and the deployer's command, which outlives the server just long
 * enough to end the command. The command runs in its own session and process group; the guard ends the group when the
 * server says so, when the server has died (the channel to it closes), when the lease is not renewed in time, or when
 * the command ends and leaves children behind. The command inherits the guard's standard streams: no output passes
 * through the guard.
 */

export interface Start {
  command: readonly string[]
  cwd?: string | undefined
  env: Record<string, string>
  /** A unique `NAME=value` of `env`, to find processes that left the process group. */
  mark: string
  /** Default milliseconds between TERM and KILL. */
  graceMs: number
}
/** `renew`: the command may run for that many more milliseconds. `stop`: milliseconds between TERM and KILL. */
export type ToGuard = { start: Start } | { renew: number } | { stop: number }
export type FromGuard =
  | { started: number }
  | { refused: string }
  | { ended: { code: number | null; signal: NodeJS.Signals | null; unrenewed: boolean } }

const POLL_INTERVAL_MS = 20

function run({ command: [file = '', ...args], cwd, env, mark, graceMs }: Start): void {
  const child = spawn(file, args, { cwd, env, detached: true, stdio: ['inherit', 'inherit', 'inherit'] })
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>(resolve => {
    child.once('exit', (code, signal) => resolve({ code, signal }))
  })
  let ending: Promise<void> | undefined
  const end = (graceMs: number) => {
    ending ??= endGroup(child.pid!, graceMs, mark)
    return ending
  }

  child.once('error', error => {
    if (child.pid === undefined) report({ refused: (error as NodeJS.ErrnoException).code ?? error.message })
  })
  if (child.pid === undefined) return
  let unrenewed = false
  const expire = () => {
    unrenewed = true
    end(graceMs)
  }
  let lease = setTimeout(expire, 60_000)
  process.on('message', (message: ToGuard) => {
    if ('stop' in message) end(message.stop)
    if ('renew' in message) {
      clearTimeout(lease)
      lease = setTimeout(expire, message.renew)
    }
  })
  process.once('disconnect', () => end(graceMs))
  process.send?.({ started: child.pid } satisfies FromGuard, () => {})
  exited.then(async ended => {
    await end(graceMs)
    report({ ended: { ...ended, unrenewed } })
  })
}

/** Sends TERM to the whole group, then KILL to its remaining processes, in the group or not. */
async function endGroup(group: number, graceMs: number, mark: string): Promise<void> {
  const until = performance.now() + graceMs
  if (signal(group, 'SIGTERM')) {
    while (performance.now() < until && signal(group, 0)) await sleep(POLL_INTERVAL_MS)
    signal(group, 'SIGKILL')
  }
  // A process can fork during the search, so it is repeated until there is none.
  for (let round = 0; round < 5; round++) {
    const strays = await findMarked(mark)
    if (strays.length === 0) return
    for (const pid of strays) signal(-pid, 'SIGKILL')
  }
}

/** @returns false if there was no process */
function signal(group: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, name)
  } catch {
    return false
  }
}

/** Running processes that inherited the mark, in any group or session (Linux only). */
async function findMarked(mark: string): Promise<number[]> {
  const pids = await readdir('/proc').catch(() => [] as string[])
  const matches = await Promise.all(
    pids
      .filter(name => /^\d+$/.test(name))
      .map(async pid => {
        const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '') // not ours, or gone
        return environment.split('\0').includes(mark) ? [Number(pid)] : []
      })
  )
  return matches.flat()
}

function report(message: FromGuard): void {
  const leave = () => process.exit(0)
  if (process.connected) process.send!(message, leave)
  else leave()
}

// A signal to the server's terminal or process group must not end the guard, which cleans up after the server.
for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(name, () => {})
process.once('message', (message: ToGuard) => {
  if ('start' in message) run(message.start)
})
