import { execFile, spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'
import { sql } from 'kysely'
import { makeDatabase } from '../core/db/database.ts'
import { newToken } from '../core/auth/tokens.ts'
import { emptyDatabase } from '../test/runner/empty-database.ts'
import { startProcess, type ServerProcess } from '../test/runner/process.ts'
import { copyIssues } from './copies.ts'

/*
 * `npm run bench:search -- --corpus DIR [--queries NAME] [--known] [--missed] [--model DIR] [--copies N]
 * [--database URL]`: imports the archives of real issues in DIR, waits until they are indexed (and, with the embedding
 * model in DIR, have their vectors), and searches for issues with known duplicates: alone, beside another client, by
 * nothing but words and meaning, and, after a model, without it. With copies of each issue, only the times are
 * meaningful, because hits include copies. DIR holds files NAME.jsonl.gz (see corpus.ts); of NAME, which has to be
 * named where there are several, NAME-duplicates-dev.jsonl (`query_id`, `duplicate_of[]`) and
 * NAME-duplicates-known.jsonl, whose relations `--known` imports, and those of the other dev queries. `--missed` prints
 * the queries that are not answered, too.
 */
const { values: options } = parseArgs({
  options: {
    corpus: { type: 'string' },
    queries: { type: 'string' },
    missed: { type: 'boolean', default: false },
    database: { type: 'string' },
    known: { type: 'boolean', default: false },
    model: { type: 'string' },
    copies: { type: 'string', default: '0' }
  }
})
const { corpus } = options
const copies = Number(options.copies)
if (corpus === undefined) throw new Error('Name the folder with the corpus: --corpus DIR')
interface Duplicate {
  query_id: string
  duplicate_of: string[]
}

const run = promisify(execFile)
const files = await readdir(corpus)
const archives = files.filter(name => name.endsWith('.jsonl.gz'))
const name = options.queries ?? archives[0]?.replace('.jsonl.gz', '')
if (name === undefined) throw new Error(`There is no .jsonl.gz in ${corpus}.`)
if (options.queries === undefined && archives.length > 1) throw new Error('Name the queries: --queries NAME.')
const duplicates = async (kind: string): Promise<Duplicate[]> =>
  (await readFile(join(corpus, `${name}-duplicates-${kind}.jsonl`), 'utf8'))
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line) as Duplicate)
const queries = await duplicates('dev')

const token = newToken()
const folder = await mkdtemp(join(tmpdir(), 'tracker-'))
const database = await emptyDatabase(options.database)
const env = {
  ...process.env,
  ...database.env,
  TRACKER_ADMIN_TOKEN: token,
  TRACKER_MODEL_DIR: options.model ?? join(folder, 'no model')
} as Record<string, string>

async function converted(): Promise<string> {
  const file = join(folder, 'board.jsonl')
  for (const archive of archives) {
    const child = spawn(process.execPath, ['bench/corpus.ts', join(corpus!, archive)], {
      stdio: ['ignore', 'pipe', 'inherit']
    })
    const output = createWriteStream(file, { flags: 'a' })
    child.stdout.pipe(output)
    await once(output, 'finish')
  }
  if (options.known) {
    const known = [...queries, ...(await duplicates('known'))].flatMap(d =>
      d.duplicate_of.map(of =>
        JSON.stringify({ kind: 'relation', issue: d.query_id, type: 'DUPLICATE_OF', relatedIssue: of })
      )
    )
    const relations = createWriteStream(file, { flags: 'a' })
    relations.end(`${known.join('\n')}\n`)
    await once(relations, 'finish')
  }
  return file
}

const server = { url: '' }
async function get<T>(path: string): Promise<{ answer: T; milliseconds: number }> {
  const started = performance.now()
  const response = await fetch(server.url + path, { headers: { authorization: `Bearer ${token}` } })
  const answer = (await response.json()) as T
  if (!response.ok) throw new Error(`${path}: ${JSON.stringify(answer)}`)
  return { answer, milliseconds: performance.now() - started }
}

async function untilEmbedded(): Promise<void> {
  const started = performance.now()
  const embeddings = async () =>
    (await get<{ embeddings: { state: string; backlog: number } }>('/health/ready')).answer.embeddings
  for (
    let { state, backlog } = await embeddings();
    state !== 'ready' || backlog > 0;
    { state, backlog } = await embeddings()
  ) {
    process.stderr.write(`\r${state}, ${backlog} texts to embed   `)
    await sleep(1000)
  }
  process.stdout.write(`embed: ${((performance.now() - started) / 1000).toFixed(1)} s\n`)
}

/** The response times of another client's small requests meanwhile. */
async function beside(work: () => Promise<void>): Promise<void> {
  const done = new AbortController()
  const times: number[] = []
  const bystander = (async () => {
    for (; !done.signal.aborted; await sleep(5)) times.push((await get('/v1/users/me')).milliseconds)
  })()
  await work()
  done.abort()
  await bystander
  times.sort((a, b) => a - b)
  process.stdout.write(
    `another client, meanwhile: ${times.length} small requests  ${percentiles(times)}  ` +
      `longest ${percentile(times, 1)} ms\n`
  )
}

const percentile = (sorted: number[], share: number) => (sorted[Math.ceil(sorted.length * share) - 1] ?? NaN).toFixed(1)
const percentiles = (sorted: number[]) =>
  `p50 ${percentile(sorted, 0.5)}  p95 ${percentile(sorted, 0.95)}  p99 ${percentile(sorted, 0.99)}`

/** Recall and mean reciprocal rank at 1, 5 and 10, and the response time. */
async function evaluate(what: string, pathOf: (key: string) => Promise<string>): Promise<void> {
  const ranks: number[] = []
  const times: number[] = []
  for (const { query_id: key, duplicate_of: duplicates } of queries) {
    const { answer, milliseconds } = await get<Array<{ key: string }>>(await pathOf(key))
    const at = answer
      .filter(hit => hit.key !== key)
      .slice(0, 10)
      .findIndex(hit => duplicates.includes(hit.key))
    ranks.push(at < 0 ? Infinity : at + 1)
    times.push(milliseconds)
  }
  times.sort((a, b) => a - b)
  const quality = [1, 5, 10].map(k => {
    const hits = ranks.filter(rank => rank <= k)
    const recall = hits.length / ranks.length
    const reciprocalRank = hits.reduce((sum, rank) => sum + 1 / rank, 0) / ranks.length
    return `R@${k} ${recall.toFixed(3)}  MRR@${k} ${reciprocalRank.toFixed(3)}`
  })
  if (options.missed) {
    const missed = queries.filter((_, at) => (ranks[at] ?? Infinity) > 10).map(({ query_id: key }) => key)
    process.stdout.write(`${what}, missed: ${missed.join(' ')}\n`)
  }
  process.stdout.write(`${what.padEnd(16)}${copies > 0 ? '' : quality.join('  ')}  ${percentiles(times)} ms\n`)
}

const openDatabase = () => makeDatabase({ url: env['DATABASE_URL'], dataDir: env['TRACKER_DATA_DIR'], poolSize: 1 })

/** Prints the size of the index and its tables, and the rates of the commands by their seconds. */
async function describeIndex(seconds: Record<string, number>): Promise<void> {
  const opened = openDatabase()
  const {
    rows: [size]
  } = await sql<{ documents: number; terms: number; bytes: number }>`
    select (select count(*) from search_document) as documents, (select count(*) from search_term) as terms,
      pg_total_relation_size('search_document') + pg_total_relation_size('search_term') as bytes`.execute(opened.db)
  await opened.close()
  process.stdout.write(`index: ${size!.documents} issues, ${size!.terms} terms, ${Math.round(size!.bytes / 1e6)} MB\n`)
  for (const [command, took] of Object.entries(seconds)) {
    process.stdout.write(`${command}: ${Math.round(size!.documents / took)} issues/s\n`)
  }
}

let process_: ServerProcess | undefined
try {
  const file = await converted()
  const seconds: Record<string, number> = {}
  for (const command of [['import', file], ['reindex']]) {
    const started = performance.now()
    const { stderr } = await run(process.execPath, ['core/cli.ts', ...command], { env, maxBuffer: 1 << 28 })
    seconds[command[0]!] = (performance.now() - started) / 1000
    process.stdout.write(
      `${command[0]}: ${seconds[command[0]!]!.toFixed(1)} s; ${stderr
        .split(/[\r\n]/)
        .filter(Boolean)
        .at(-1)}\n`
    )
  }
  await describeIndex(seconds)
  if (copies > 0) {
    const opened = openDatabase()
    await copyIssues(opened.db, copies)
    await opened.close()
  }
  const serve = async (more: Record<string, string> = {}) => {
    process_ = await startProcess({
      ...env,
      LOG_LEVEL: 'error',
      TRACKER_JOBS: String(options.model !== undefined),
      ...more
    })
    server.url = process_.url
  }
  await serve()
  if (options.model !== undefined) await untilEmbedded()
  const similar = async (key: string) => `/v1/search/similar_issues?issueId=${key}&limit=10`
  const titleOf = async (key: string) => (await get<{ title: string }>(`/v1/issues/${key}`)).answer.title
  const search = (query: string) => `/v1/search?limit=11&query=${encodeURIComponent(query)}`
  const title = async (key: string) => search(await titleOf(key))
  const twoWords = async (key: string) => search((await titleOf(key)).split(/\s+/).slice(0, 2).join(' '))
  await evaluate('warm-up', similar)
  await evaluate('similar_issues', similar)
  // A free text finds its own issue, and its own link leads to the answer.
  if (!options.known) await evaluate('title query', title)
  if (copies > 0) await evaluate('its first words', twoWords)
  await beside(() => evaluate('similar_issues', similar))
  await process_?.end('SIGTERM')
  await serve({ TRACKER_PLUGINS__SEARCH__PRIORS: 'false', TRACKER_PLUGINS__SEARCH__COLLAPSE: 'false' })
  await evaluate(options.model === undefined ? 'words only' : 'words, meaning', similar)
  if (options.model !== undefined) {
    await process_?.end('SIGTERM')
    await serve({ TRACKER_MODEL_DIR: join(folder, 'no model') })
    await evaluate('warm-up', similar)
    await evaluate('no model', similar)
    if (!options.known) await evaluate('title, no model', title)
  }
} finally {
  await process_?.end('SIGTERM')
  await database.remove()
  await rm(folder, { recursive: true })
}
