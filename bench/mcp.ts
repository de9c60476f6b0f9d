import { parseArgs } from 'node:util'
import { newToken } from '../core/tokens.ts'
import { emptyDatabase } from '../test/empty-database.ts'
import { startProcess, type ServerProcess } from '../test/process.ts'
import { loadBoard } from './boards.ts'
import { heading, measure, NO_INDEXING, row, type Load } from './load.ts'

/*
 * `npm run bench:mcp -- [--database URL] [--seconds 5]`: what `get_task` costs beside the request for the context that
 * it makes, and what the protocol's library costs by itself.
 */
const { values: options } = parseArgs({
  options: { database: { type: 'string' }, seconds: { type: 'string', default: '5' } }
})
const seconds = Number(options.seconds)
const WARM_UP_SECONDS = 2
const ISSUES = 1000
const CONNECTIONS = [1, 16]
/** Times that the workloads take turns. */
const TURNS = 3
const token = newToken()

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {}
}
const accept = 'application/json, text/event-stream'
/** A call of `get_task` as a client of either era sends it. */
const call = (task: string, era: '2025' | '2026'): Load['requests'][number] => ({
  method: 'POST',
  path: '/v1/mcp',
  headers:
    era === '2025'
      ? { accept }
      : { accept, 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'get_task' },
  body: JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'get_task', arguments: { task }, ...(era === '2026' && { _meta: META }) }
  })
})

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
  const workloads: Array<[name: string, server: ServerProcess, requests: Load['requests']]> = [
    ['context', server, issueIds.map(id => ({ method: 'GET', path: `/v1/issues/${id}/context` }))],
    ['get_task, 2026-07-28', server, issueIds.map(id => call(id, '2026'))],
    ['get_task, 2025', server, issueIds.map(id => call(id, '2025'))],
    ['bare echo, 2026-07-28', bare, issueIds.map(id => call(id, '2026'))]
  ]
  console.log(`${options.database ? 'PostgreSQL' : 'embedded'}\n${heading()}`)
  try {
    for (const connections of CONNECTIONS) {
      const rates = new Map<string, number>()
      for (let turn = 0; turn < TURNS; turn++) {
        for (const [name, { url }, requests] of workloads) {
          const load = { url, token, connections, requests }
          if (turn === 0) await measure({ ...load, seconds: WARM_UP_SECONDS })
          const measured = await measure({ ...load, seconds })
          rates.set(name, (rates.get(name) ?? 0) + measured.requestsPerSecond)
          console.log(row(name, connections, measured))
        }
      }
      // With as many connections as before, the time of a request is the inverse of their rate.
      const ratio = (name: string) => (rates.get('context')! / rates.get(name)!).toFixed(2)
      for (const [name] of workloads.slice(1)) {
        console.log(
          `time of ${name} / of context, ${connections} connection${connections > 1 ? 's' : ''}: ${ratio(name)}`
        )
      }
    }
  } finally {
    await Promise.all([server, bare].map(process => process.end('SIGTERM')))
  }
} finally {
  await database.remove()
}
