import { parseArgs } from 'node:util'
import pg from 'pg'
import { newToken } from '../core/auth/tokens.ts'
import { migratedDatabase } from '../test/runner/empty-database.ts'
import { startProcess, type ServerProcess } from '../test/runner/process.ts'
import { databaseCpuMs } from './cpu.ts'
import { heading, measure, NO_INDEXING, row, type Load } from './load.ts'

/*
 * `npm run bench:citus -- --database URL --citus URL [--seconds 2] [--turns 5]`: contexts, creates and updates on one
 * PostgreSQL and on a Citus cluster, such as that of scripts/citus.sh, in turns. The issues are of one workspace.
 */
const { values: options } = parseArgs({
  options: {
    database: { type: 'string' },
    citus: { type: 'string' },
    seconds: { type: 'string', default: '2' },
    turns: { type: 'string', default: '5' }
  }
})
const seconds = Number(options.seconds)
const CONNECTIONS = [1, 16]
const ISSUES = 100

const token = newToken()
const filed = (title: string) => ({ teamId: 'ENG', title, descriptionMarkdown: 'It fails.\n\n- [ ] it is there\n' })

interface Engine {
  name: string
  server: ServerProcess
  loads: Record<string, Load['requests']>
  /** Connections to the database on each node, the coordinator first. */
  nodes: pg.Client[]
  stop(): Promise<void>
}

async function start(name: string, url: string | undefined): Promise<Engine> {
  if (url === undefined) throw new Error(`Name the server: --${name} postgres://…`)
  const database = await migratedDatabase(url)
  const env = database.env as { DATABASE_URL: string }
  const server = await startProcess({ ...env, ...NO_INDEXING, TRACKER_ADMIN_TOKEN: token, LOG_LEVEL: 'error' })
  const answer = await fetch(`${server.url}/v1/issues/bulk`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ issues: Array.from({ length: ISSUES }, (_, n) => filed(`Issue ${n}`)) })
  })
  if (!answer.ok) throw new Error(`${name}: ${await answer.text()}`)
  const { issues } = (await answer.json()) as { issues: Array<{ id: string }> }
  const nodes = await connect(env.DATABASE_URL)
  return {
    name,
    server,
    loads: {
      context: issues.map(({ id }) => ({ method: 'GET', path: `/v1/issues/${id}/context` })),
      create: [{ method: 'POST', path: '/v1/issues', body: JSON.stringify(filed('Created [<id>]')) }],
      update: issues.map(({ id }) => ({
        method: 'POST',
        path: `/v1/issues/${id}`,
        body: JSON.stringify({ title: 'Changed [<id>]' })
      }))
    },
    nodes,
    async stop() {
      await Promise.all(nodes.map(node => node.end()))
      await server.end('SIGTERM')
      await database.remove()
    }
  }
}

/** Connects to the database at `url`, and on Citus to those of the workers. */
async function connect(url: string): Promise<pg.Client[]> {
  const open = async (url: string) => {
    const client = new pg.Client(url)
    await client.connect()
    return client
  }
  const first = await open(url)
  const { rowCount } = await first.query("select from pg_extension where extname = 'citus'")
  if (rowCount === 0) return [first]
  const { rows } = await first.query<{ host: string; port: number }>(
    'select nodename as host, nodeport as port from pg_dist_node where groupid <> 0'
  )
  const urls = rows.map(({ host, port }) => Object.assign(new URL(url), { hostname: host, port: String(port) }).href)
  return [first, ...(await Promise.all(urls.map(open)))]
}

/** Milliseconds of processor time of each node, for one request. */
async function cpuPerRequest({ nodes }: Engine, work: () => Promise<number>): Promise<string> {
  const used = () => Promise.all(nodes.map(databaseCpuMs))
  const before = await used()
  const requests = await work()
  const after = await used()
  return nodes.map((_, n) => (((after[n] ?? NaN) - (before[n] ?? NaN)) / requests).toFixed(2)).join(' + ')
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

const engines = [await start('database', options.database), await start('citus', options.citus)]
console.log(`${heading()}   CPU ms of each node, for a request`)
try {
  for (const name of Object.keys(engines[0]!.loads)) {
    for (const connections of CONNECTIONS) {
      const times = engines.map((): number[] => [])
      // The first turn warms up.
      for (let turn = -1; turn < Number(options.turns); turn++) {
        for (const [n, engine] of engines.entries()) {
          const load = { url: engine.server.url, token, connections, seconds, requests: engine.loads[name]! }
          let line = ''
          const cpu = await cpuPerRequest(engine, async () => {
            const measured = await measure(load)
            if (measured.failed > 0) throw new Error(`${engine.name}: ${measured.failed} requests failed`)
            line = row(`${name}, ${engine.name}`, connections, measured)
            if (turn >= 0) times[n]!.push(measured.p50)
            return measured.requestsPerSecond * seconds
          })
          if (turn >= 0) console.log(`${line}   ${cpu}`)
        }
      }
      const [plain, citus] = times.map(median)
      console.log(`${name}, ${connections} connections, p50 on Citus / on PostgreSQL: ${(citus! / plain!).toFixed(1)}`)
    }
  }
} finally {
  for (const engine of engines) await engine.stop()
}
