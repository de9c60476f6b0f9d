import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { newToken } from '../core/tokens.ts'
import { emptyDatabase } from '../test/empty-database.ts'
import { startProcess, type ServerProcess } from '../test/process.ts'
import { loadBoard } from './boards.ts'
import { measure, type Load } from './load.ts'

/*
 * `npm run bench:indexing -- [--database URL] [--seconds 5]`: what a write costs when search indexes it, beside a server without
 * search, and how soon it is found: at rest, and while issues are filed by the hundred.
 */
const { values: options } = parseArgs({ options: { database: { type: 'string' }, seconds: { type: 'string', default: '5' } } })
const seconds = Number(options.seconds)
const ISSUES = 1000
const CONNECTIONS = [1, 16]
/** Times that the two servers take turns. */
const TURNS = 4
const PROBES = 20
const token = newToken()

const text = 'The request fails after a restart, but only when the list is longer than one page.\n\n## Steps\n\n1. Start the server\n2. Ask for the second page\n\n- [ ] it is there\n'
const filed = (title: string) => ({ teamId: 'ENG', title, descriptionMarkdown: text })
const workloads = (issueIds: string[]): Record<string, Load['requests']> => ({
  create: [{ method: 'POST', path: '/v1/issues', body: JSON.stringify(filed('Created [<id>]')) }],
  update: issueIds.map(id => ({ method: 'POST', path: `/v1/issues/${id}`, body: JSON.stringify({ title: 'Changed [<id>]' }) }))
})

async function started (search: boolean) {
  const database = await emptyDatabase(options.database)
  const env = { ...database.env, TRACKER_ADMIN_TOKEN: token, LOG_LEVEL: 'error', TRACKER_PLUGINS__KNOWLEDGE__ENABLED: 'false', TRACKER_PLUGINS__SEARCH__ENABLED: String(search) }
  await (await startProcess(env)).end('SIGTERM') // migrates
  const { issueIds } = await loadBoard('DATABASE_URL' in database.env ? { url: database.env.DATABASE_URL } : { dataDir: database.env.TRACKER_DATA_DIR }, ISSUES)
  return { database, issueIds, server: await startProcess(env) }
}

async function ask<T> ({ url }: ServerProcess, path: string, body?: object): Promise<T> {
  const response = await fetch(url + path, { headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' }, ...body && { method: 'POST', body: JSON.stringify(body) } })
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
  return await response.json() as T
}

async function untilIndexed ({ url }: ServerProcess): Promise<void> {
  while (/^tracker_jobs_pending (\d+)/m.exec(await (await fetch(`${url}/metrics`)).text())?.[1] !== '0') await sleep(100)
}

/** Milliseconds from the answer to a write until a search finds what it wrote. */
async function timeUntilFound (server: ServerProcess, word: string): Promise<number> {
  await ask(server, '/v1/issues', filed(`${word} is new`))
  const written = performance.now()
  while ((await ask<unknown[]>(server, `/v1/search?query=${word}`)).length === 0) await sleep(20)
  return performance.now() - written
}
const word = () => `probe${Array.from({ length: 10 }, () => String.fromCharCode(97 + Math.floor(Math.random() * 26))).join('')}`

function printTimes (what: string, times: number[]): void {
  times.sort((a, b) => a - b)
  console.log(`${what}: ${times.length} searched for, found after ${times[Math.floor(times.length / 2)]?.toFixed(0)} ms (p50), ${times.at(-1)?.toFixed(0)} ms (longest)`)
}

const [without, indexed] = [await started(false), await started(true)]
try {
  await untilIndexed(indexed.server)
  console.log(`${options.database ? 'PostgreSQL' : 'embedded'}\n${'workload'.padEnd(24)}${['conns', 'req/s', 'p50 ms', 'p95 ms', 'p99 ms'].map(title => title.padStart(9)).join('')}`)
  for (const name of ['create', 'update']) {
    for (const connections of CONNECTIONS) {
      const rates = new Map<string, number>()
      for (let turn = 0; turn < TURNS; turn++) {
        const both = Object.entries({ 'without search': without, 'with search': indexed })
        for (const [kind, { server, issueIds }] of turn % 2 === 0 ? both : both.toReversed()) {
          const { requestsPerSecond, p50, p95, p99, failed } = await measure({ url: server.url, token, connections, seconds, requests: workloads(issueIds)[name]! })
          rates.set(kind, (rates.get(kind) ?? 0) + requestsPerSecond)
          console.log(`${name}, ${kind}`.padEnd(24) + String(connections).padStart(9) + [requestsPerSecond, p50, p95, p99].map(value => value.toPrecision(3).padStart(9)).join('') + (failed > 0 ? `  ${failed} FAILED` : ''))
          await untilIndexed(server)
        }
      }
      // With as many connections, the time of a request is the inverse of their rate.
      console.log(`${name}: time with search / without, ${connections} connection${connections > 1 ? 's' : ''}: ${(rates.get('without search')! / rates.get('with search')!).toFixed(2)}`)
    }
  }

  const { server } = indexed
  const atRest: number[] = []
  for (let n = 0; n < PROBES; n++) {
    atRest.push(await timeUntilFound(server, word()))
    await untilIndexed(server)
  }
  printTimes('at rest', atRest)

  const filing = new AbortController()
  let count = 0
  const began = performance.now()
  const bulk = (async () => {
    for (; !filing.signal.aborted; count += 100) await ask(server, '/v1/issues/bulk', { issues: Array.from({ length: 100 }, (_, n) => filed(`Filed ${count + n}`)) })
  })()
  const meanwhile: number[] = []
  while (performance.now() - began < 4 * seconds * 1000) meanwhile.push(await timeUntilFound(server, word()))
  filing.abort()
  await bulk
  printTimes(`while ${(count / (performance.now() - began) * 1000).toFixed(0)} issues/s are filed`, meanwhile)
} finally {
  for (const { server, database } of [without, indexed]) {
    await server.end('SIGTERM')
    await database.remove()
  }
}
