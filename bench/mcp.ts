import { parseArgs } from 'node:util'
import { newToken } from '../core/auth/tokens.ts'
import { emptyDatabase } from '../test/runner/empty-database.ts'
import { startProcess, type ServerProcess } from '../test/runner/process.ts'
import { loadBoard } from './boards.ts'
import { toolMessage } from './client.ts'
import { compile, heading, measure, NO_INDEXING, row, type Load } from './load.ts'

/*
 * `npm run bench:mcp -- [--database URL] [--seconds 5] [--turns 3]`: the cost of `get_task` and `close_task` compared
 * with their requests, and of the protocol's library alone.
 */
const { values: options } = parseArgs({
  options: {
    database: { type: 'string' },
    seconds: { type: 'string', default: '5' },
    turns: { type: 'string', default: '3' }
  }
})
const [seconds, turns] = [Number(options.seconds), Number(options.turns)]
const WARM_UP_SECONDS = 2
const ISSUES = 1000
const CONNECTIONS = [1, 16]
/** Issues to close in a turn; none can be closed twice. */
const CLOSED_AT_ONCE = 400
const BULK_SIZE = 50
const token = newToken()

interface Workload {
  name: string
  server: ServerProcess
  /** Sent repeatedly, or once each. */
  requests: Load['requests'] | (() => Promise<Load['requests']>)
  beside?: Workload
}

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {}
}
const accept = 'application/json, text/event-stream'
type Era = '2025' | '2026'
/** A call of a tool as a client of either era sends it. */
const call = (era: Era, name: string, args: object): Load['requests'][number] => ({
  method: 'POST',
  path: '/v1/mcp',
  headers:
    era === '2025'
      ? { accept }
      : { accept, 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name },
  body: JSON.stringify(toolMessage(name, args, era === '2026' ? { _meta: META } : {}))
})
const getTask = (era: Era) => (task: string) => call(era, 'get_task', { task })
const resolution = 'The cache was never filled. It is filled at the start now.'

/** Creates issues. @returns their ids */
async function fileIssues({ url }: ServerProcess, issues: number): Promise<string[]> {
  const ids: string[] = []
  while (ids.length < issues) {
    const answer = await fetch(`${url}/v1/issues/bulk`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ issues: Array.from({ length: BULK_SIZE }, () => ({ title: 'To close' })) })
    })
    if (!answer.ok) throw new Error(await answer.text())
    ids.push(...((await answer.json()) as { issues: Array<{ id: string }> }).issues.map(({ id }) => id))
  }
  return ids
}

const database = await emptyDatabase(options.database)
const env = {
  ...database.env,
  TRACKER_ADMIN_TOKEN: token,
  LOG_LEVEL: 'error',
  MCP_RATE_LIMIT: '0',
  ...NO_INDEXING
}
try {
  await (await startProcess(env)).end('SIGTERM') // migrates
  const { issueIds } = await loadBoard(
    'DATABASE_URL' in database.env ? { url: database.env.DATABASE_URL } : { dataDir: database.env.TRACKER_DATA_DIR },
    ISSUES
  )
  const [server, bare] = [await startProcess(env), await startProcess({}, 'bench/bare-mcp.ts')]
  const context = {
    name: 'context',
    server,
    requests: issueIds.map(id => ({ method: 'GET' as const, path: `/v1/issues/${id}/context` }))
  }
  const open = (): Promise<string[]> => fileIssues(server, CLOSED_AT_ONCE)
  const close = {
    name: 'note that closes',
    server,
    requests: async () =>
      (await open()).map(id => ({
        method: 'POST' as const,
        path: `/v1/issue_comments?issueId=${id}`,
        body: JSON.stringify({ bodyMarkdown: resolution, stateCategory: 'COMPLETED' })
      }))
  }
  const workloads: Workload[] = [
    context,
    { name: 'get_task, 2026-07-28', server, requests: issueIds.map(getTask('2026')), beside: context },
    { name: 'get_task, 2025', server, requests: issueIds.map(getTask('2025')), beside: context },
    { name: 'bare echo, 2026-07-28', server: bare, requests: issueIds.map(getTask('2026')), beside: context },
    close,
    {
      name: 'close_task, 2026-07-28',
      server,
      requests: async () => (await open()).map(task => call('2026', 'close_task', { task, resolution })),
      beside: close
    }
  ]
  console.log(`${options.database ? 'PostgreSQL' : 'embedded'}\n${heading()}`)
  try {
    for (const { server, requests } of workloads) {
      if (typeof requests !== 'function') await compile({ url: server.url, token, requests })
    }
    for (const connections of CONNECTIONS) {
      const rates = new Map<string, number>()
      for (let turn = 0; turn < turns; turn++) {
        for (const { name, server, requests } of workloads) {
          const send = async (seconds: number) => {
            const load = { url: server.url, token, connections }
            if (typeof requests !== 'function') return measure({ ...load, requests, seconds })
            return measure({ ...load, requests: await requests(), seconds: undefined })
          }
          if (turn === 0) await send(WARM_UP_SECONDS)
          const measured = await send(seconds)
          rates.set(name, (rates.get(name) ?? 0) + measured.requestsPerSecond)
          console.log(row(name, connections, measured))
        }
      }
      // With equal connections, the time of a request is the inverse of their rate.
      for (const { name, beside } of workloads) {
        if (beside === undefined) continue
        const ratio = (rates.get(beside.name)! / rates.get(name)!).toFixed(2)
        console.log(`time of ${name} / of ${beside.name}, connections: ${connections}: ${ratio}`)
      }
    }
  } finally {
    await Promise.all([server, bare].map(process => process.end('SIGTERM')))
  }
} finally {
  await database.remove()
}
