import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Readable } from 'node:stream'
import type { FromGuard, Start, ToGuard } from './guard.ts'

export type Ending =
  | { kind: 'exited'; code: number }
  | { kind: 'killed'; signal: string }
  | { kind: 'refused'; message: string }
  /** Ended by its guard, because its lease was not renewed. */
  | { kind: 'unrenewed' }

export interface RunnerProcess {
  readonly stdout: Readable
  readonly stderr: Readable
  /** Settles when the process group has ended. It never rejects. */
  readonly ended: Promise<Ending>
  /** Extends the command's time by these milliseconds; its group is ended when it runs out. */
  renew(milliseconds: number): void
  stop(graceMs: number): void
}

const GUARD = fileURLToPath(new URL('./guard.ts', import.meta.url))
/** The only variable of the server's environment: the cache of compiled code, which makes a guard start faster. */
const guardEnvironment = (): NodeJS.ProcessEnv => ({ NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] })

/** Milliseconds to wait for output after all processes have ended. */
const LAST_OUTPUT_MS = 1_000

export function startRunner(start: Start, input: string, lease: number): RunnerProcess {
  // Detached: the server handles signals to its own group (Ctrl-C).
  const guard = spawn(process.execPath, [GUARD], {
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
    env: guardEnvironment()
  })
  const [stdin, stdout, stderr] = [guard.stdin!, guard.stdout!, guard.stderr!] // all piped
  const tell = (message: ToGuard) => {
    if (guard.connected) guard.send(message, () => {})
  }
  // A command need not read its standard input.
  stdin.on('error', () => {})
  stdin.end(input)

  const ended = new Promise<Ending>(resolve => {
    let ending: Ending | undefined
    let group: number | undefined
    guard.on('message', (message: FromGuard) => {
      if ('started' in message) group = message.started
      else if ('refused' in message) ending = { kind: 'refused', message: message.refused }
      else ending = endingOf(message.ended)
    })
    guard.once('error', error => resolve({ kind: 'refused', message: error.message }))
    guard.once('exit', (_, signal) => {
      // The guard was killed: the server ends its command.
      if (ending === undefined && group !== undefined) killGroup(group)
      const done = () => resolve(ending ?? { kind: 'killed', signal: signal ?? 'SIGKILL' })
      guard.once('close', done)
      setTimeout(() => {
        stdout.destroy()
        stderr.destroy()
      }, LAST_OUTPUT_MS).unref()
    })
  })
  tell({ start })
  tell({ renew: lease })
  return {
    stdout,
    stderr,
    ended,
    renew: milliseconds => tell({ renew: milliseconds }),
    stop: graceMs => tell({ stop: graceMs })
  }
}

type Ended = Extract<FromGuard, { ended: unknown }>['ended']
const endingOf = ({ code, signal, unrenewed }: Ended): Ending =>
  unrenewed
    ? { kind: 'unrenewed' }
    : code === null
      ? { kind: 'killed', signal: signal ?? 'SIGKILL' }
      : { kind: 'exited', code }

function killGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL')
  } catch {
    /* the process group has ended */
  }
}
