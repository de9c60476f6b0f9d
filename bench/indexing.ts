import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { newToken } from '../core/auth/tokens.ts'
import { emptyDatabase } from '../test/runner/empty-database.ts'
import { startProcess, type ServerProcess } from '../test/runner/process.ts'
import { loadBoard } from './boards.ts'
import { heading, measure, row, type Load, type Measured } from './load.ts'
import { makeClient, untilIndexed } from './client.ts'

/*
 * `npm run bench:indexing -- [--database URL] [--seconds 2] [--turns 16]`: the cost of a write that search indexes,
 * compared with a server without search, and the time until it is found: at rest, and while hundreds of issues are
 * created. Many short turns are more precise than few long ones, but indexing begins after 4 seconds of writes:
 * `--seconds 25` shows that.
 */
const { values: options } = parseArgs({
  options: {
    database: { type: 'string' },
    seconds: { type: 'string', default: '2' },
    turns: { type: 'string', default: '16' }
  }
})
const [seconds, turns] = [Number(options.seconds), Number(options.turns)]
const ISSUES = 1000
const CONNECTIONS = [1, 16]
/** Seconds of creating issues during searches. */
const FILING_SECONDS = 20
const PROBES = 20
const token = newToken()
const ask = makeClient(token)

const text = `The request fails after a restart, but only when the list is longer than one page.

## Steps

1. Start the server
2. Ask for the second page

- [ ] it is there
`
const filed = (title: string) => ({ teamId: 'ENG', title, descriptionMarkdown: text })
const workloads = (issueIds: string[]): Record<string, Load['requests']> => ({
  create: [{ method: 'POST', path: '/v1/issues', body: JSON.stringify(filed('Created [<id>]')) }],
  update: issueIds.map(id => ({
    method: 'POST',
    path: `/v1/issues/${id}`,
    body: JSON.stringify({ title: 'Changed [<id>]' })
  }))
})

async function started(search: boolean) {
  const database = await emptyDatabase(options.database)
  const env = {
    ...database.env,
    TRACKER_ADMIN_TOKEN: token,
    LOG_LEVEL: 'error',
    TRACKER_PLUGINS__KNOWLEDGE__ENABLED: 'false',
    TRACKER_PLUGINS__SEARCH__ENABLED: String(search)
  }
  await (await startProcess(env)).end('SIGTERM') // migrates
  const { issueIds } = await loadBoard(
    'DATABASE_URL' in database.env ? { url: database.env.DATABASE_URL } : { dataDir: database.env.TRACKER_DATA_DIR },
    ISSUES
  )
  return { database, issueIds, server: await startProcess(env) }
}

/** Milliseconds from the answer to a write until a search finds it. */
async function timeUntilFound(server: ServerProcess, word: string): Promise<number> {
  await ask(server, '/v1/issues', filed(`${word} is new`))
  const written = performance.now()
  while ((await ask<unknown[]>(server, `/v1/search?query=${word}`)).length === 0) await sleep(20)
  return performance.now() - written
}
const word = () =>
  `probe${Array.from({ length: 10 }, () => String.fromCharCode(97 + Math.floor(Math.random() * 26))).join('')}`

function printTimes(what: string, times: number[]): void {
  times.sort((a, b) => a - b)
  const median = times[Math.floor(times.length / 2)]?.toFixed(0)
  const longest = times.at(-1)?.toFixed(0)
  console.log(`${what}: ${times.length} searched for, found after ${median} ms (p50), ${longest} ms (longest)`)
}

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
function meanOf(all: Measured[]): Measured {
  const of = (key: keyof Measured) => mean(all.map(one => one[key]))
  return {
    requestsPerSecond: of('requestsPerSecond'),
    p50: of('p50'),
    p95: of('p95'),
    p99: of('p99'),
    failed: of('failed') * all.length
  }
}

const [without, indexed] = [await started(false), await started(true)]
try {
  await untilIndexed(indexed.server)
  console.log(`${options.database ? 'PostgreSQL' : 'embedded'}\n${heading()}`)
  for (const name of ['create', 'update']) {
    for (const connections of CONNECTIONS) {
      const measured: Record<'without search' | 'with search', Measured[]> = { 'without search': [], 'with search': [] }
      for (let turn = 0; turn < turns; turn++) {
        const both = [
          ['without search', without],
          ['with search', indexed]
        ] as const
        for (const [kind, { server, issueIds }] of turn % 2 === 0 ? both : both.toReversed()) {
          measured[kind].push(
            await measure({ url: server.url, token, connections, seconds, requests: workloads(issueIds)[name]! })
          )
          await untilIndexed(server)
        }
      }
      for (const [kind, all] of Object.entries(measured)) console.log(row(`${name}, ${kind}`, connections, meanOf(all)))
      // With equal connections, the time of a request is the inverse of their rate.
      const ratios = measured['without search'].map(
        ({ requestsPerSecond }, turn) => requestsPerSecond / measured['with search'][turn]!.requestsPerSecond
      )
      const error = Math.sqrt(mean(ratios.map(ratio => (ratio - mean(ratios)) ** 2)) / (turns - 1))
      const ratio = `${mean(ratios).toFixed(2)} ± ${error.toFixed(2)}`
      console.log(`${name}: time with search / without, connections: ${connections}: ${ratio}`)
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
    for (; !filing.signal.aborted; count += 100) {
      await ask(server, '/v1/issues/bulk', {
        issues: Array.from({ length: 100 }, (_, n) => filed(`Filed ${count + n}`))
      })
    }
  })()
  const meanwhile: number[] = []
  while (performance.now() - began < FILING_SECONDS * 1000) meanwhile.push(await timeUntilFound(server, word()))
  filing.abort()
  await bulk
  printTimes(`while ${((count / (performance.now() - began)) * 1000).toFixed(0)} issues/s are filed`, meanwhile)
} finally {
  for (const { server, database } of [without, indexed]) {
    await server.end('SIGTERM')
    await database.remove()
  }
}
