import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { newToken } from '../core/auth/tokens.ts'
import { emptyDatabase } from '../test/runner/empty-database.ts'
import { startProcess, type ServerProcess } from '../test/runner/process.ts'
import { toolMessage } from './client.ts'
import { databaseCpuMs } from './cpu.ts'
import { measure, type Load } from './load.ts'

/*
 * `npm run bench:versions -- --other DIR [--other-plain] [--database URL] [--seconds 2] [--turns 10]
 * [--connections 16] [--load NAME] [--off PLUGIN]... [--off-here PLUGIN]...`: contexts, a filter, `get_task`, creates
 * and updates by the servers of this and another checkout, in turns. With --other-plain, the other has the setting
 * `plainStatements`; --off-here is for plugins that the other does not have.
 * Each begins after the background work of the last has ended.
 * If PostgreSQL runs on this machine, it also prints the processor time per request of the server and of the database,
 * including background work and other work on the machine.
 */
const { values: options } = parseArgs({
  options: {
    other: { type: 'string' },
    database: { type: 'string' },
    seconds: { type: 'string', default: '2' },
    turns: { type: 'string', default: '10' },
    connections: { type: 'string', default: '16' },
    load: { type: 'string' },
    off: { type: 'string', multiple: true, default: [] },
    'off-here': { type: 'string', multiple: true, default: [] },
    'other-plain': { type: 'boolean', default: false }
  }
})
if (options.other === undefined) throw new Error('Name the other checkout: npm run bench:versions -- --other DIR')
const [seconds, turns] = [Number(options.seconds), Number(options.turns)]
const connections = Number(options.connections)
/** Environment variables that turn plugins off. */
const turnedOff = (plugins: readonly string[]) =>
  Object.fromEntries(plugins.map(name => [`TRACKER_PLUGINS__${name.toUpperCase()}__ENABLED`, 'false']))
const ISSUES = 100

const token = newToken()
const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
const filed = (title: string) => ({
  teamId: 'ENG',
  title,
  descriptionMarkdown:
    'It fails after a restart, but only when the list is longer than one page.\n\n- [ ] it is there\n'
})

interface Cpu {
  serverMs: number
  databaseMs: number
}
interface Version {
  name: string
  server: ServerProcess
  loads: Record<string, Load['requests']>
  /** Processor time of the server and of its connections' processes so far; undefined if unavailable. */
  cpuMs(): Promise<Cpu | undefined>
  stop(): Promise<void>
}
const loadsOf = (issues: ReadonlyArray<{ id: string }>, stateId: string): Version['loads'] => ({
  context: issues.map(({ id }) => ({ method: 'GET', path: `/v1/issues/${id}/context` })),
  'filter by state': [
    {
      method: 'POST',
      path: '/v1/issues/filter',
      body: JSON.stringify({
        filters: { state: { filterType: 'IS', value: [stateId] } },
        page: 1,
        perPage: 50,
        view: 'list'
      })
    }
  ],
  get_task: issues.map(({ id }) => ({
    method: 'POST',
    path: '/v1/mcp',
    headers: { accept: 'application/json, text/event-stream' },
    body: JSON.stringify(toolMessage('get_task', { task: id }))
  })),
  create: [{ method: 'POST', path: '/v1/issues', body: JSON.stringify(filed('Created [<id>]')) }],
  update: issues.map(({ id }) => ({
    method: 'POST',
    path: `/v1/issues/${id}`,
    body: JSON.stringify({ title: 'Changed [<id>]' })
  }))
})

async function start(name: string, folder: string, env: Record<string, string> = {}): Promise<Version> {
  const database = await emptyDatabase(options.database)
  const server = await startProcess(
    {
      ...database.env,
      ...turnedOff(options.off),
      ...env,
      TRACKER_ADMIN_TOKEN: token,
      MCP_RATE_LIMIT: '0',
      LOG_LEVEL: 'error'
    },
    'core/main.ts',
    folder
  )
  const answer = await fetch(`${server.url}/v1/issues/bulk`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ issues: Array.from({ length: ISSUES }, (_, n) => filed(`Issue ${n}`)) })
  })
  if (!answer.ok) throw new Error(`${name}: ${await answer.text()}`)
  const { issues } = (await answer.json()) as { issues: Array<{ id: string }> }
  const one = await fetch(`${server.url}/v1/issues/${issues[0]!.id}`, { headers })
  const { stateId } = (await one.json()) as { stateId: string }
  const watching = 'DATABASE_URL' in database.env ? new pg.Client(database.env.DATABASE_URL) : undefined
  await watching?.connect()
  return {
    name,
    server,
    loads: loadsOf(issues, stateId),
    async cpuMs() {
      const text = await (await fetch(`${server.url}/metrics`, { headers })).text()
      const serverMs = Number(/^process_cpu_seconds_total (\S+)/m.exec(text)?.[1]) * 1000
      const databaseMs = watching && (await databaseCpuMs(watching))
      return databaseMs === undefined ? undefined : { serverMs, databaseMs }
    },
    async stop() {
      await watching?.end()
      await server.end('SIGTERM')
      await database.remove()
    }
  }
}

/** Waits until no job waits and no consumer is behind. */
async function untilDone({ server }: Version): Promise<void> {
  for (;;) {
    const text = await (await fetch(`${server.url}/metrics`, { headers })).text()
    const waiting = text.matchAll(/^(?:tracker_jobs_pending|tracker_event_consumer_lag_events\{[^}]*\}) (\d+)/gm)
    if ([...waiting].every(([, count]) => count === '0')) return
    await sleep(100)
  }
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

function summary(ratios: readonly number[]): string {
  const error = Math.sqrt(mean(ratios.map(ratio => (ratio - mean(ratios)) ** 2)) / Math.max(1, ratios.length - 1))
  return `${mean(ratios).toFixed(2)} ± ${error.toFixed(2)}`
}

const [here, there] = [
  await start('here', fileURLToPath(new URL('..', import.meta.url)), turnedOff(options['off-here'])),
  await start('there', options.other, options['other-plain'] ? { TRACKER_PLAIN_STATEMENTS: 'true' } : {})
]
try {
  for (const name of options.load === undefined ? Object.keys(here.loads) : [options.load]) {
    const rates = new Map([here, there].map(version => [version, [] as number[]]))
    const costs = new Map([here, there].map(version => [version, [] as Cpu[]]))
    // The first turn warms up.
    for (let turn = -1; turn < turns; turn++) {
      for (const version of turn % 2 === 0 ? [here, there] : [there, here]) {
        const before = await version.cpuMs()
        const { requestsPerSecond, failed } = await measure({
          url: version.server.url,
          token,
          connections,
          seconds,
          requests: version.loads[name]!
        })
        if (failed > 0) throw new Error(`${version.name}: ${failed} requests failed`)
        await untilDone(version)
        const after = await version.cpuMs()
        if (turn < 0) continue
        rates.get(version)!.push(requestsPerSecond)
        if (before !== undefined && after !== undefined) {
          const requests = requestsPerSecond * seconds
          costs.get(version)!.push({
            serverMs: (after.serverMs - before.serverMs) / requests,
            databaseMs: (after.databaseMs - before.databaseMs) / requests
          })
        }
      }
    }
    // With equal connections, the time of a request is the inverse of their rate.
    const ratios = rates.get(there)!.map((rate, turn) => rate / rates.get(here)![turn]!)
    for (const [version, all] of rates) console.log(`${name}, ${version.name}: ${mean(all).toFixed(0)}/s`)
    console.log(`${name}: time here / there: ${summary(ratios)}`)
    for (const part of ['serverMs', 'databaseMs'] as const) {
      const ofPart = (version: Version) => costs.get(version)!.map(cost => cost[part])
      if (ofPart(here).length === 0) continue
      const figures = [here, there].map(version => mean(ofPart(version)).toFixed(2)).join(' / ')
      const costRatios = ofPart(here).map((cost, turn) => cost / ofPart(there)[turn]!)
      console.log(`${name}: CPU ${part} here / there: ${figures}, ${summary(costRatios)}`)
    }
  }
} finally {
  await here.stop()
  await there.stop()
}
