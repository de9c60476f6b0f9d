import { cp } from 'node:fs/promises'
import { isDeepStrictEqual, parseArgs } from 'node:util'
import { newToken } from '../core/auth/tokens.ts'
import { emptyDatabase, type EmptyDatabase } from '../test/runner/empty-database.ts'
import { startProcess, type ServerProcess } from '../test/runner/process.ts'
import { loadBoard, type Board } from './boards.ts'
import { compile, heading, measure, NO_INDEXING, row, type Load, type Measured } from './load.ts'

const { values: options } = parseArgs({
  options: {
    database: { type: 'string' },
    sizes: { type: 'string', default: '1000,100000' },
    seconds: { type: 'string', default: '5' },
    only: { type: 'string', default: '' }
  }
})
const seconds = Number(options.seconds)
const CONNECTIONS = [1, 16]
const WARM_UP_SECONDS = 2
/** Number of turns of the application and the bare route. */
const CONTEXT_TURNS = 4
/** Number of turns of the boards. */
const BOARD_TURNS = 2

const token = newToken()

const contexts = ({ issueIds }: Board): Load['requests'] =>
  issueIds.map(id => ({ method: 'GET', path: `/v1/issues/${id}/context` }))

/** `[<id>]` becomes a different text in every request. */
const WORKLOADS: Record<string, (board: Board) => Load['requests']> = {
  context: contexts,
  'filter by state': ({ startedStateId }) => [page({ state: { filterType: 'IS', value: [startedStateId] } })],
  'filter by label': ({ labelId }) => [page(byLabel(labelId))],
  'filter by label, capped': ({ labelId }) => [page(byLabel(labelId), 'capped')],
  'filter by label, none': ({ labelId }) => [page(byLabel(labelId), 'none')],
  'filter by assignee, none': () => [page({ assignee: { filterType: 'IS', value: ['me'] } }, 'none')],
  'filter by ready, none': () => [page({ isReady: true }, 'none')],
  'state, label, priority': ({ startedStateId, labelId }) => [
    page({ ...byState(startedStateId), ...byLabel(labelId), priority: is(1) }, 'known', 'board')
  ],
  'created, state, label': ({ startedStateId, labelId }) => [
    page({ ...byState(startedStateId), ...byLabel(labelId), createdAt: AFTER_THE_FIRST_HOURS }, 'known', 'board')
  ],
  'text, assignee, state': ({ startedStateId }) => [
    page({ ...byState(startedStateId), assignee: is('me'), text: INCLUDES_55 }, 'known', 'board')
  ],
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
const is = (value: unknown) => ({ filterType: 'IS', value: [value] })
const byState = (stateId: string) => ({ state: is(stateId) })
const byLabel = (labelId: string) => ({ label: { filterType: 'INCLUDES', value: [labelId] } })
const AFTER_THE_FIRST_HOURS = { filterType: 'GT', value: '2026-01-01T06:00:00Z' }
const INCLUDES_55 = { filterType: 'INCLUDES', value: ['55'] }
const page = (filters: object, total?: 'capped' | 'known' | 'none', view = 'list'): Load['requests'][number] => ({
  method: 'POST',
  path: '/v1/issues/filter',
  body: JSON.stringify({ filters, page: 1, perPage: 50, view, total })
})

async function measured(url: string, connections: number, requests: Load['requests']): Promise<Measured> {
  await measure({ url, token, connections, seconds: WARM_UP_SECONDS, requests })
  return measure({ url, token, connections, seconds, requests })
}

const serve = (env: EmptyDatabase['env'], script?: string): Promise<ServerProcess> =>
  startProcess({ TRACKER_ADMIN_TOKEN: token, LOG_LEVEL: 'error', ...NO_INDEXING, ...env }, script)

async function using<T>(
  env: EmptyDatabase['env'],
  script: string | undefined,
  work: (server: ServerProcess) => Promise<T>
): Promise<T> {
  const server = await serve(env, script)
  try {
    return await work(server)
  } finally {
    await server.end('SIGTERM')
  }
}

interface FilledBoard {
  size: number
  env: EmptyDatabase['env']
  board: Board
  remove(): Promise<void>
}

/** Some contexts, without their versions, which are digests of texts that may have another order of fields. */
const fetchContexts = (board: Board, { url }: ServerProcess) =>
  Promise.all(
    board.issueIds.slice(0, 50).map(async id => {
      const answer = await fetch(`${url}/v1/issues/${id}/context`, { headers: { authorization: `Bearer ${token}` } })
      return { ...((await answer.json()) as object), version: undefined }
    })
  )

/** The same database for a second process: one process at a time may open an embedded one, so it gets a copy. */
async function shared(env: EmptyDatabase['env']): Promise<EmptyDatabase> {
  if ('DATABASE_URL' in env) return { env, remove: async () => {} }
  // Its first start adds claims to the issues that are in progress.
  await using(env, undefined, async () => {})
  const copy = await emptyDatabase(undefined)
  if ('TRACKER_DATA_DIR' in copy.env) await cp(env.TRACKER_DATA_DIR, copy.env.TRACKER_DATA_DIR, { recursive: true })
  return copy
}

/** Requests per second of the context endpoint and of the bare route, in turns so that the load is the same. */
async function compare({ size, env, board }: FilledBoard): Promise<void> {
  const other = await shared(env)
  await using(env, undefined, ours =>
    using(other.env, 'bench/bare.ts', async theirs => {
      const servers = { context: ours, 'bare route': theirs }
      if (!isDeepStrictEqual(await fetchContexts(board, ours), await fetchContexts(board, theirs))) {
        throw new Error(
          'The bare route does not give the same JSON as the context endpoint, so the two cannot be compared.'
        )
      }
      const requests = contexts(board)
      for (const { url } of Object.values(servers)) await compile({ url, token, requests })
      const sums = new Map<string, number>()
      for (let turn = 0; turn < CONTEXT_TURNS; turn++) {
        for (const [name, { url }] of Object.entries(servers)) {
          for (const connections of CONNECTIONS) {
            const result = await measured(url, connections, requests)
            process.stdout.write(`${row(`${name}, ${size}`, connections, result)}\n`)
            sums.set(`${name} ${connections}`, (sums.get(`${name} ${connections}`) ?? 0) + result.requestsPerSecond)
          }
        }
      }
      for (const connections of CONNECTIONS) {
        const ratio = sums.get(`context ${connections}`)! / sums.get(`bare route ${connections}`)!
        process.stdout.write(
          `context / bare route, ${size}, ${connections} connection${connections > 1 ? 's' : ''}: ${ratio.toFixed(2)}\n`
        )
      }
    })
  ).finally(other.remove)
}

async function fill(size: number): Promise<FilledBoard> {
  const { env, remove } = await emptyDatabase(options.database)
  await using(env, undefined, async () => {}) // migrates
  const begun = performance.now()
  const board = await loadBoard(
    'DATABASE_URL' in env ? { url: env.DATABASE_URL } : { dataDir: env.TRACKER_DATA_DIR },
    size
  )
  const seconds = ((performance.now() - begun) / 1000).toFixed(0)
  process.stdout.write(`${size} issues, ${options.database ? 'PostgreSQL' : 'embedded'}, filled in ${seconds} s\n`)
  return { size, env, board, remove }
}

/** By workload and size, the lowest measurement over most connections. */
const p95s = new Map<string, Map<number, number>>()
function noteP95(workload: string, size: number, { p95 }: Measured): void {
  const ofSizes = p95s.get(workload) ?? new Map<number, number>()
  p95s.set(workload, ofSizes.set(size, Math.min(p95, ofSizes.get(size) ?? Infinity)))
}

/** Each workload on all boards in turns, so that other load on the machine affects all of them. */
async function measureBoards(boards: Array<FilledBoard & ServerProcess>): Promise<void> {
  const turns = Array.from({ length: boards.length > 1 ? BOARD_TURNS : 1 }, () => boards).flat()
  for (const [name, requests] of Object.entries(WORKLOADS).filter(([name]) => name.includes(options.only))) {
    for (const connections of CONNECTIONS) {
      for (const { size, board, url } of turns) {
        const result = await measured(url, connections, requests(board))
        process.stdout.write(`${row(`${name}, ${size}`, connections, result)}\n`)
        if (connections === Math.max(...CONNECTIONS)) noteP95(name, size, result)
      }
    }
  }
}

const boards: FilledBoard[] = []
const servers: ServerProcess[] = []
try {
  for (const size of options.sizes.split(',').map(Number)) boards.push(await fill(size))
  process.stdout.write(`\n${heading()}\n`)
  if ('bare route'.includes(options.only)) for (const board of boards) await compare(board)
  for (const { env } of boards) servers.push(await serve(env))
  await measureBoards(boards.map((board, n) => ({ ...board, ...servers[n]! })))
} finally {
  for (const server of servers) await server.end('SIGTERM')
  for (const board of boards) await board.remove()
}
const ratios = [...p95s].flatMap(([workload, ofSizes]) => {
  const [[, small] = [], [, large] = []] = [...ofSizes].sort(([a], [b]) => a - b)
  return small && large ? [`${workload}: ${(large / small).toFixed(2)}`] : []
})
if (ratios.length > 0) {
  process.stdout.write(`\np95 at 16 connections, of the larger board / of the smaller\n${ratios.join('\n')}\n`)
}
