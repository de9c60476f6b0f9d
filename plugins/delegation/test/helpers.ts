import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { testServer, type TestOptions, type TestServer } from '../../../test/runner/harness.ts'

export interface RunAnswer {
  id: string
  status: string
  attempt: number
  error: { reason: string; message: string } | null
  summary: string | null
  finishedAt: string | null
  agent: { id: string; fullname: string }
}

export const READY = 'The button on the first page does nothing when it is pressed.\n\n- [ ] it does something'

/** The plugins that delegation needs or uses. */
export const PLUGINS = [
  'workspace',
  'agents',
  'issues',
  'comments',
  'projects',
  'search',
  'knowledge',
  'mcp',
  'delegation'
]

/** A server whose runner is a shell script. */
export const serverWith = (
  script: string,
  { runner = {}, delegation = {}, ...options }: { runner?: object; delegation?: object } & TestOptions = {}
): Promise<TestServer> =>
  testServer({
    plugins: PLUGINS,
    ...options,
    settings: {
      plugins: {
        delegation: {
          leaseSeconds: 4,
          killSeconds: 1,
          runner: { command: ['sh', '-c', script], ...runner },
          ...delegation
        }
      }
    }
  })

export const readyIssue = (server: TestServer, more: object = {}) =>
  server.ok<{ id: string; key: string }>('/v1/issues', {
    body: { teamId: 'ENG', title: 'A dead button', descriptionMarkdown: READY, ...more }
  })

export const delegate = (server: TestServer, issueId: string, instructions?: string) =>
  server.ok<RunAnswer>('/v1/agent_runs', { body: { issueId, ...(instructions !== undefined && { instructions }) } })

export const getRun = (server: TestServer, id: string) => server.ok<RunAnswer>(`/v1/agent_runs/${id}`)

/** Milliseconds between polls of a run: each takes processor time from the run. */
const LOOK_MS = 100

/** Waits until the run has one of the statuses. */
export async function reaches(server: TestServer, id: string, ...statuses: string[]): Promise<RunAnswer> {
  for (;;) {
    const run = await getRun(server, id)
    if (statuses.includes(run.status)) return run
    await sleep(LOOK_MS)
  }
}
export const isOver = (server: TestServer, id: string) => reaches(server, id, 'SUCCEEDED', 'FAILED', 'CANCELED')

export async function outputOf(server: TestServer, id: string, type = 'stdout'): Promise<string> {
  const events = await server.ok<Array<{ type: string; text: string }>>(`/v1/agent_runs/${id}/events`)
  return events
    .filter(event => event.type === type)
    .map(event => event.text)
    .join('\n')
}
/** Waits for output of the run. @throws when it ends without it */
export async function says(server: TestServer, id: string, pattern: RegExp): Promise<RegExpExecArray> {
  for (;;) {
    const { status, error } = await getRun(server, id)
    const match = pattern.exec(await outputOf(server, id))
    if (match) return match
    if (['SUCCEEDED', 'FAILED', 'CANCELED'].includes(status)) {
      throw new Error(`The run ended without writing ${pattern}: ${status} ${JSON.stringify(error)}`)
    }
    await sleep(LOOK_MS)
  }
}

/** True if a process runs; false for a zombie. */
export function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
export async function gone(pid: number): Promise<void> {
  while (isAlive(pid)) await sleep(20)
}

/** Valid tokens of the service's agent. */
export async function liveTokens({ database }: TestServer, agentId: string): Promise<number> {
  const rows = await database.db
    .selectFrom('token')
    .select('id')
    .where('accountId', '=', agentId)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', new Date())
    .execute()
  return rows.length
}
