import { spawn } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { shellQuoted } from '../../lib/util/shell-quoted.ts'
import type { FakeModel } from './model/server.ts'
import type { Tracker } from './tracker.ts'

/** The server, model and environment of a client that is driven. */
export interface World {
  tracker: Tracker
  model: FakeModel
  /** Its repository, which is its working folder. */
  folder: string
  /** Its environment: a home of its own, and none of this process but the path. */
  env: Record<string, string>
  /** Names the agent as which it works. */
  agent: string
}

const MAX_OUTPUT = 4_000
const TIMEOUT_MS = 600_000
const CTRL_C = '\x03'

export class CommandError extends Error {}

export interface CommandOptions {
  /** Called with all output so far; `type` types into the client. */
  onOutput?: (output: string, type: (text: string) => void) => void
  /** Ends it as a person does, with Ctrl-C, when it has written this. */
  until?: RegExp
  /** Runs it in a terminal, for clients that ask for one. */
  terminal?: boolean
  env?: Record<string, string>
}

/** The file with the output of all of its commands. */
export const outputFile = ({ folder }: World): string => join(folder, '..', 'output.txt')

/** Runs a client's command in its folder. @throws CommandError with the end of its output unless it succeeds */
export function run(world: World, command: readonly string[], options: CommandOptions = {}): Promise<string> {
  const { onOutput, until, terminal = false, env = {} } = options
  const [file, ...args] = terminal ? inTerminal(command) : command
  const child = spawn(file!, args, {
    cwd: world.folder,
    env: { ...world.env, ...env },
    stdio: [onOutput ? 'pipe' : 'ignore', 'pipe', 'pipe']
  })
  let output = ''
  let ending: NodeJS.Timeout | undefined
  appendFileSync(outputFile(world), `\n$ ${command.slice(0, 4).join(' ')}\n`)
  const onData = (text: string) => {
    output += text
    appendFileSync(outputFile(world), text)
    onOutput?.(output, typed => child.stdin?.write(typed))
    if (until?.test(output)) ending ??= setInterval(() => child.stdin?.write(CTRL_C), 1_000)
  }
  child.stdout!.setEncoding('utf8').on('data', onData)
  child.stderr!.setEncoding('utf8').on('data', onData)
  // It may end before it has read what was typed.
  child.stdin?.on('error', () => {})
  const timer = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      clearTimeout(timer)
      clearInterval(ending)
      if (code === 0 || until?.test(output)) return resolve(output)
      const end = output.slice(-MAX_OUTPUT)
      reject(new CommandError(`${command.slice(0, 3).join(' ')} ended with ${code ?? signal}: ${end}`))
    })
  })
}

/** `script` of util-linux gives a command a terminal. */
const inTerminal = (command: readonly string[]) => [
  'script',
  '--quiet',
  '--return',
  '--command',
  `stty cols 1000 rows 50; exec ${command.map(shellQuoted).join(' ')}`,
  '/dev/null'
]

export async function makeFolder(...parts: string[]): Promise<string> {
  const folder = join(...parts)
  await mkdir(folder, { recursive: true })
  return folder
}
