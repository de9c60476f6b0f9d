import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'
import { newToken } from '../core/auth/tokens.ts'
import { emptyDatabase } from '../test/runner/empty-database.ts'
import { startProcess, type ServerProcess } from '../test/runner/process.ts'
import { loadBoard } from './boards.ts'
import { compile, heading, measure, row, type Load, type Measured } from './load.ts'

/*
 * `npm run bench:backlog -- --database URL --model DIR [--issues 22000] [--turns 12] [--seconds 5]`: what other
 * requests notice of issues that get their vectors. Two servers of one database take turns: one that works off the
 * backlog, and one without jobs and without a model, while the first is stopped (SIGSTOP). Compare the ratio of their
 * p95.
 */
const { values: options } = parseArgs({
  options: {
    database: { type: 'string' },
    model: { type: 'string' },
    issues: { type: 'string', default: '22000' },
    turns: { type: 'string', default: '12' },
    seconds: { type: 'string', default: '5' }
  }
})
if (options.database === undefined) throw new Error('Name a PostgreSQL server: --database URL')
if (options.model === undefined) throw new Error('Name the folder of a model: --model DIR')
const [turns, seconds] = [Number(options.turns), Number(options.seconds)]
const CONNECTIONS = [1, 4]
const token = newToken()

const requestsOf = (issueIds: readonly string[]): Load['requests'] =>
  issueIds.flatMap((id, n) => {
    const read = { method: 'GET' as const, path: `/v1/issues/${id}/context` }
    const list = { method: 'POST' as const, path: '/v1/issues/filter', body: JSON.stringify({ view: 'list' }) }
    const write = { method: 'POST' as const, path: `/v1/issues/${id}`, body: JSON.stringify({ priority: n % 5 }) }
    return [[read], [read, list], [read, write]][n % 3]!
  })

async function backlogOf({ url }: ServerProcess): Promise<number> {
  const response = await fetch(`${url}/health/ready`, { headers: { authorization: `Bearer ${token}` } })
  const { embeddings } = (await response.json()) as { embeddings: { state: string; backlog: number } }
  return embeddings.state === 'ready' ? embeddings.backlog : NaN
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
const meanOf = (all: readonly Measured[]): Measured => ({
  requestsPerSecond: mean(all.map(one => one.requestsPerSecond)),
  p50: mean(all.map(one => one.p50)),
  p95: mean(all.map(one => one.p95)),
  p99: mean(all.map(one => one.p99)),
  failed: all.reduce((sum, one) => sum + one.failed, 0)
})

async function compare(busy: ServerProcess, idle: ServerProcess, load: Pick<Load, 'connections' | 'requests'>) {
  const measured: Record<'with the backlog' | 'without', Measured[]> = { 'with the backlog': [], without: [] }
  const before = await backlogOf(busy)
  for (let turn = 0; turn < turns; turn++) {
    measured['with the backlog'].push(await measure({ ...load, url: busy.url, token, seconds }))
    process.kill(busy.pid, 'SIGSTOP')
    measured.without.push(await measure({ ...load, url: idle.url, token, seconds }))
    process.kill(busy.pid, 'SIGCONT')
    await sleep(500)
  }
  const embedded = before - (await backlogOf(busy))
  for (const [what, all] of Object.entries(measured)) console.log(row(what, load.connections, meanOf(all)))
  const ratios = measured['with the backlog'].map(({ p95 }, turn) => Math.log(p95 / measured.without[turn]!.p95))
  const error = Math.sqrt(mean(ratios.map(ratio => (ratio - mean(ratios)) ** 2)) / (turns - 1))
  console.log(
    `p95 with / without, connections: ${load.connections}: ${Math.exp(mean(ratios)).toFixed(2)}, ` +
      `± ${(100 * error).toFixed(0)} %; ${(embedded / turns / seconds).toFixed(1)} parts a second meanwhile`
  )
}

const database = await emptyDatabase(options.database)
const settings = { TRACKER_ADMIN_TOKEN: token, LOG_LEVEL: 'error' }
const env = { ...process.env, ...database.env, ...settings } as Record<string, string>
const without = { TRACKER_MODEL_DIR: '/nowhere', TRACKER_JOBS: 'false' }
const servers: ServerProcess[] = []
try {
  await (await startProcess({ ...env, ...without })).end('SIGTERM') // migrates
  const { issueIds } = await loadBoard({ url: env['DATABASE_URL']! }, Number(options.issues))
  await promisify(execFile)(process.execPath, ['core/cli.ts', 'reindex'], { env: { ...env, ...without } })
  servers.push(await startProcess({ ...env, ...without }))
  servers.push(await startProcess({ ...env, TRACKER_MODEL_DIR: options.model }))
  const [idle, busy] = [servers[0]!, servers[1]!]
  while (Number.isNaN(await backlogOf(busy))) await sleep(200)
  const requests = requestsOf(issueIds)
  for (const { url } of servers) await compile({ url, token, requests })
  console.log(`${await backlogOf(busy)} parts wait\n${heading()}`)
  for (const connections of CONNECTIONS) await compare(busy, idle, { connections, requests })
} finally {
  for (const server of servers) await server.end('SIGTERM')
  await database.remove()
}
