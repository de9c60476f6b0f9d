import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startProcess, trackerIn } from '../../test/runner/process.ts'

/** A server of its own, on the embedded database, with an administrator's token. */
export interface Tracker {
  url: string
  token: string
  /** The identifier of its team. */
  team: string
  /** @throws Error with the answer unless it is 2xx */
  ok<T>(method: string, path: string, body?: object): Promise<T>
  /** Runs `tracker connect`. @throws Error with its output unless it succeeds */
  connect(client: string, folder: string, env: Record<string, string>): Promise<void>
  output(): string
  end(): Promise<void>
}

/** The command of its runner, which is written for each delegated issue. */
export const runnerOf = (folder: string): string => join(folder, 'runner.sh')

export async function startTracker(folder: string): Promise<Tracker> {
  const server = await startProcess({
    TRACKER_DATA_DIR: join(folder, 'data'),
    TRACKER_PLUGINS__OAUTH__ENABLED: 'true',
    // Clients register: their documents would be fetched from their makers.
    TRACKER_PLUGINS__OAUTH__CLIENT_METADATA_DOCUMENTS: 'false',
    TRACKER_PLUGINS__DELEGATION__RUNNER: JSON.stringify({ command: ['sh', runnerOf(folder)] })
  })
  const { url } = server
  let token: string | undefined
  while ((token = /TRACKER_TOKEN=(trk_\w+)/.exec(server.output())?.[1]) === undefined) await sleep(50)
  const authorization = `Bearer ${token}`

  async function ok<T>(method: string, path: string, body?: object): Promise<T> {
    const answer = await fetch(url + path, {
      method,
      headers: { authorization, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) })
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return JSON.parse(text || 'null') as T
  }
  const [team] = await ok<Array<{ identifier: string }>>('GET', '/v1/teams')
  if (!team) throw new Error('The server has no team.')
  return {
    url,
    token,
    team: team.identifier,
    ok,
    async connect(client, dir, more) {
      const { code, out, err } = await trackerIn(more, 'connect', client, '--dir', dir, '--url', url, '--allow-tools')
      if (code !== 0) throw new Error(`tracker connect ${client}: ${out}${err}`)
    },
    output: () => server.output(),
    async end() {
      await server.end('SIGTERM')
    }
  }
}
