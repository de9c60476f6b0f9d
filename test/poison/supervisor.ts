import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { newToken } from '../../core/auth/tokens.ts'
import { migratedDatabase } from '../runner/empty-database.ts'
import { freePort, onlyPlugins } from '../runner/process.ts'
import { temporaryFolder } from '../runner/temporary-folder.ts'

/** The timeout of a liveness probe, and the time without an answer after which the process is killed. */
const PROBE_MS = 500
const MAX_SILENCE_MS = 4_000
/** The same before the first answer. */
const MAX_START_MS = 60_000

/** A dead letter in the answer of `server.ts`. */
export interface Letter {
  consumer: string
  attempts: number
  reason: string
  event: { data: { name: string } }
}

/** Runs the server beside this file like an orchestrator: restarts it when it ends, and kills it when it hangs. */
export class Supervisor {
  /** The starts so far. */
  starts = 0
  readonly #env: Record<string, string>
  readonly #log: string
  readonly #port: number
  #isStopping = false
  #child: ReturnType<typeof spawn> | undefined
  #running: Promise<void> | undefined

  private constructor(env: Record<string, string>, log: string, port: number) {
    this.#env = env
    this.#log = log
    this.#port = port
  }

  static async start(t: Test): Promise<Supervisor> {
    const database = await migratedDatabase(process.env['TEST_DATABASE_URL'])
    const log = join(temporaryFolder(t), 'handled')
    await writeFile(log, '')
    const port = await freePort()
    const env = {
      PATH: process.env['PATH'] ?? '',
      LOG_LEVEL: 'fatal',
      PORT: String(port),
      POISON_LOG: log,
      TRACKER_ADMIN_TOKEN: newToken(),
      TRACKER_MAX_EVENT_LOOP_DELAY: '0',
      TRACKER_PLUGINS__POISON__ENABLED: 'true',
      ...onlyPlugins('workspace'),
      ...database.env
    }
    const supervisor = new Supervisor(env, log, port)
    supervisor.#running = supervisor.#run()
    t.teardown(async () => {
      await supervisor.#stop()
      await database.remove()
    })
    return supervisor
  }

  /** Sends a request as soon as the server accepts it. */
  async ask<T = object>(path: string, body?: object): Promise<T> {
    const init = body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
    for (;;) {
      const answer = await fetch(`http://127.0.0.1:${this.#port}${path}`, {
        ...init,
        signal: AbortSignal.timeout(5_000)
      }).catch(() => undefined)
      if (answer?.ok) return (await answer.json()) as T
      await sleep(50)
    }
  }

  /** The handled names of a consumer or job, in order. */
  async handled(who: string): Promise<string[]> {
    const lines = (await readFile(this.#log, 'utf8')).split('\n')
    return lines.flatMap(line => (line.startsWith(`${who} `) ? line.slice(who.length + 1) : []))
  }

  /** Restarts the server like an orchestrator. */
  async restart(): Promise<void> {
    const child = this.#child!
    const ended = once(child, 'close')
    child.kill('SIGTERM')
    await ended
  }

  async #run(): Promise<void> {
    const folder = fileURLToPath(new URL('../..', import.meta.url))
    while (!this.#isStopping) {
      this.starts++
      const child = spawn(process.execPath, ['--require=./core/start/preload.cjs', 'test/poison/server.ts'], {
        cwd: folder,
        env: this.#env,
        stdio: ['ignore', 'inherit', 'inherit']
      })
      this.#child = child
      const probing = new AbortController()
      const ended = once(child, 'close').finally(() => probing.abort())
      await Promise.all([ended, this.#probe(child, probing.signal)])
    }
  }

  /** Kills a process that no longer answers. */
  async #probe(child: ReturnType<typeof spawn>, ended: AbortSignal): Promise<void> {
    let deadline = performance.now() + MAX_START_MS
    while (!ended.aborted) {
      const isAlive = await fetch(`http://127.0.0.1:${this.#port}/health/live`, {
        signal: AbortSignal.any([ended, AbortSignal.timeout(PROBE_MS)])
      }).then(
        answer => answer.ok,
        () => false
      )
      if (isAlive) deadline = performance.now() + MAX_SILENCE_MS
      else if (performance.now() > deadline) child.kill('SIGKILL')
      await sleep(100, undefined, { signal: ended }).catch(() => {})
    }
  }

  async #stop(): Promise<void> {
    this.#isStopping = true
    this.#child?.kill('SIGKILL')
    await this.#running
  }
}
