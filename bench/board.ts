import { isDeepStrictEqual, parseArgs } from 'node:util'
import { newToken } from '../core/tokens.ts'
import { emptyDatabase, type EmptyDatabase } from '../test/empty-database.ts'
import { startProcess, type ServerProcess } from '../test/process.ts'
import { loadBoard, type Board } from './boards.ts'
import { heading, measure, row, type Load, type Measured } from './load.ts'

const { values: options } = parseArgs({
  options: {
    database: { type: 'string' },
    sizes: { type: 'string', default: '1000,100000' },
    seconds: { type: 'string', default: '5' }
  }
})
const seconds = Number(options.seconds)
const CONNECTIONS = [1, 16]
const WARM_UP_SECONDS = 2
/** Times that the application and the bare route take turns. */
const TURNS = 2

/** Without search: indexing would compete with the requests for the same cores. bench/search.ts measures it. */
const NO_INDEXING = { TRACKER_PLUGINS__SEARCH__ENABLED: 'false', TRACKER_PLUGINS__KNOWLEDGE__ENABLED: 'false' }

const token = newToken()

const contexts = ({ issueIds }: Board): Load['requests'] =>
  issueIds.map(id => ({ method: 'GET', path: `/v1/issues/${id}/context` }))

/** Beside the context, which is compared. `[<id>]` is another text in every request. */
const WORKLOADS: Record<string, (board: Board) => Load['requests']> = {
  'filter by state': ({ startedStateId }) => [page({ state: { filterType: 'IS', value: [startedStateId] } })],
  'filter by label': ({ labelId }) => [page({ label: { filterType: 'INCLUDES', value: [labelId] } })],
  get: ({ issueIds }) => issueIds.map(id => ({ method: 'GET', path: `/v1/issues/${id}` })),
  create: () => [
    {
      method: 'POST',
      path: '/v1/issues',
      body: JSON.stringify({
        teamId: 'ENG',
        title: 'Created [<id>]',
        descriptionMarkdown: 'A new thing.\n\n- [ ] it is there\n'
      })
    }
  ],
  update: ({ issueIds }) =>
    issueIds.map(id => ({
      method: 'POST',
      path: `/v1/issues/${id}`,
      body: JSON.stringify({ title: 'Changed [<id>]' })
    }))
}
const page = (filters: object): Load['requests'][number] => ({
  method: 'POST',
  path: '/v1/issues/filter',
  body: JSON.stringify({ filters, page: 1, perPage: 50, view: 'list' })
})

async function measured(url: string, connections: number, requests: Load['requests']): Promise<Measured> {
  await measure({ url, token, connections, seconds: WARM_UP_SECONDS, requests })
  return measure({ url, token, connections, seconds, requests })
}

async function using<T>(
  env: EmptyDatabase['env'],
  script: string | undefined,
  work: (server: ServerProcess) => Promise<T>
): Promise<T> {
  const server = await startProcess({ TRACKER_ADMIN_TOKEN: token, LOG_LEVEL: 'error', ...NO_INDEXING, ...env }, script)
  try {
    return await work(server)
  } finally {
    await server.end('SIGTERM')
  }
}

const fetchContexts =
  (board: Board) =>
  async ({ url }: ServerProcess) =>
    Promise.all(
      board.issueIds
        .slice(0, 50)
        .map(async id =>
          (await fetch(`${url}/v1/issues/${id}/context`, { headers: { authorization: `Bearer ${token}` } })).json()
        )
    )

/** Requests per second of the context endpoint and of the bare route, in turns so that the load is the same. */
async function compare(env: EmptyDatabase['env'], board: Board): Promise<void> {
  const [ours, theirs] = [
    await using(env, undefined, fetchContexts(board)),
    await using(env, 'bench/bare.ts', fetchContexts(board))
  ]
  if (!isDeepStrictEqual(ours, theirs)) {
    throw new Error(
      'The bare route does not give the same JSON as the context endpoint, so the two cannot be compared.'
    )
  }
  const sums = new Map<string, number>()
  for (let turn = 0; turn < TURNS; turn++) {
    for (const [name, script] of [
      ['context', undefined],
      ['bare route', 'bench/bare.ts']
    ] as const) {
      await using(env, script, async ({ url }) => {
        for (const connections of CONNECTIONS) {
          const result = await measured(url, connections, contexts(board))
          process.stdout.write(`${row(name, connections, result)}\n`)
          sums.set(`${name} ${connections}`, (sums.get(`${name} ${connections}`) ?? 0) + result.requestsPerSecond)
        }
      })
    }
  }
  for (const connections of CONNECTIONS) {
    const ratio = sums.get(`context ${connections}`)! / sums.get(`bare route ${connections}`)!
    process.stdout.write(
      `context / bare route, ${connections} connection${connections > 1 ? 's' : ''}: ${ratio.toFixed(2)}\n`
    )
  }
}

const filterP95 = new Map<number, number>()
for (const size of options.sizes.split(',').map(Number)) {
  const database = await emptyDatabase(options.database)
  try {
    await using(database.env, undefined, async () => {}) // migrates
    const board = await loadBoard(
      'DATABASE_URL' in database.env ? { url: database.env.DATABASE_URL } : { dataDir: database.env.TRACKER_DATA_DIR },
      size
    )
    process.stdout.write(`\n${size} issues, ${options.database ? 'PostgreSQL' : 'embedded'}\n${heading()}\n`)
    await compare(database.env, board)
    await using(database.env, undefined, async ({ url }) => {
      for (const [name, requests] of Object.entries(WORKLOADS)) {
        for (const connections of CONNECTIONS) {
          const result = await measured(url, connections, requests(board))
          process.stdout.write(`${row(name, connections, result)}\n`)
          if (name === 'filter by state' && connections === Math.max(...CONNECTIONS)) filterP95.set(size, result.p95)
        }
      }
    })
  } finally {
    await database.remove()
  }
}
const [[, small] = [], [, large] = []] = [...filterP95].sort(([a], [b]) => a - b)
if (small && large) {
  process.stdout.write(`\nfilter by state, p95 of the larger board / of the smaller: ${(large / small).toFixed(2)}\n`)
}
