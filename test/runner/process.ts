import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { installed } from '../../plugins/index.ts'
import { linesWithTokens } from './log-secrets.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** The server that tests start: the sources, or what `npm run build` has made of them, with TEST_BUILT=dist. */
const SERVER_FOLDER = join(ROOT, process.env['TEST_BUILT'] ?? '')

/** A server in a process of its own. */
const NO_DOWNLOAD = { TRACKER_PLUGINS__EMBEDDINGS__DOWNLOAD: 'false' }

export interface ServerProcess {
  readonly url: string
  readonly pid: number
  /** Its output so far. */
  output(): string
  /** Sends a signal and waits for the end: its exit code, null when the signal ended it. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>
}

/** Turns these plugins on and all others off: a start takes a good part of a test’s time. */
export const onlyPlugins = (...names: string[]): Record<string, string> =>
  Object.fromEntries(
    Object.keys(installed).map(name => [
      `TRACKER_PLUGINS__${name.toUpperCase()}__ENABLED`,
      String(names.includes(name))
    ])
  )

/** Node's arguments in a script of package.json: as from `npm run tracker`, but in the project's folder. */
const argumentsOf = (script: string): string[] => script.replace(/^.*?\bnode /, '').split(' ')
/** The environment variables that the script sets. */
const variablesOf = (script: string): Record<string, string> =>
  Object.fromEntries(
    [...script.replace(/\bnode .*$/, '').matchAll(/(\w+)=(\S*)/g)].map(([, name, value]) => [name, value])
  )

const scriptsOf = (folder: string): { start: string; tracker: string } =>
  (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { scripts: { start: string; tracker: string } })
    .scripts

/** Node's arguments before those of a command: as from `npm run tracker`, but in any folder. */
export const TRACKER_COMMAND: readonly string[] = argumentsOf(scriptsOf(SERVER_FOLDER).tracker).map(argument =>
  /^(?:\.\/)?core\//.test(argument) ? join(SERVER_FOLDER, argument) : argument
)

/**
 * Starts the server, as a deployer does, with these environment variables only, and waits until it is ready.
 * @param script another than that of `npm start`
 * @throws Error with its output when it ends instead
 */
export async function startProcess(
  env: Record<string, string>,
  script?: string,
  folder = SERVER_FOLDER
): Promise<ServerProcess> {
  const npmStart = scriptsOf(folder).start
  const start = argumentsOf(npmStart)
  const args = script === undefined ? start : [...start.slice(0, -1), script]
  return startCommand(process.execPath, args, folder, { ...variablesOf(npmStart), ...env })
}

/** Like `startProcess`, with any command that starts a server. */
export async function startCommand(
  command: string,
  args: readonly string[],
  cwd: string,
  env: Record<string, string>
): Promise<ServerProcess> {
  const port = await freePort()
  const child = spawn(command, args, {
    cwd,
    env: {
      PATH: process.env['PATH'],
      LOG_LEVEL: 'warn',
      PORT: String(port),
      TRACKER_MAX_EVENT_LOOP_DELAY: '0',
      ...NO_DOWNLOAD,
      ...env
    },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  const ended = once(child, 'close') as Promise<[number | null]>
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }

  const url = `http://127.0.0.1:${port}`
  while (
    !(await fetch(`${url}/health/ready`).then(
      answer => answer.ok,
      () => false
    ))
  ) {
    if (child.exitCode !== null || child.signalCode !== null) {
      await ended
      throw new Error(`The server ended with exit code ${child.exitCode}: ${output}`)
    }
    await sleep(20)
  }
  return {
    url,
    pid: child.pid!,
    output: () => output,
    async end(signal) {
      child.kill(signal)
      const [code] = await ended
      const wrong = linesWithTokens(output)
      if (wrong.length > 0) throw new Error(`The log has tokens: ${wrong.join('\n')}`)
      return code
    }
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Runs a command of tracker with nothing of this environment but the path. */
export function trackerIn(
  settings: Record<string, string>,
  ...args: string[]
): Promise<{ code: number | string; out: string; err: string }> {
  const env = { PATH: process.env['PATH'], ...settings }
  return new Promise(resolve => {
    execFile(process.execPath, [...TRACKER_COMMAND, ...args], { cwd: ROOT, env }, (error, out, err) =>
      resolve({ code: error?.code ?? 0, out, err })
    )
  })
}
