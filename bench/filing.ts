import { execFile, spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'
import { newToken } from '../core/auth/tokens.ts'
import { emptyDatabase } from '../test/runner/empty-database.ts'
import { startProcess, type ServerProcess } from '../test/runner/process.ts'
import { untilEmbedded } from './client.ts'
import { NO_INDEXING } from './load.ts'

/*
 * `npm run bench:filing -- --corpus DIR --database URL [--model DIR] [--rounds 6]`: the cost of creating an issue on a
 * board of real issues, with search (its index and the similar issues of the answer) and without: two servers on one
 * database, in alternating rounds over one connection. The texts are those of the archive in DIR (see corpus.ts). With
 * an embedding model, the first has it, and all texts have their vectors before a round.
 */
const { values: options } = parseArgs({
  options: {
    corpus: { type: 'string' },
    database: { type: 'string' },
    model: { type: 'string' },
    rounds: { type: 'string', default: '6' }
  }
})
const { corpus } = options
if (corpus === undefined || options.database === undefined) {
  throw new Error('Name the folder with the corpus and a PostgreSQL server: --corpus DIR --database URL')
}
const ISSUES_OF_ROUND = 60
/** Milliseconds after a round for indexing its issues, which must not disturb the next round. */
const REST_MS = 8000

const archive = (await readdir(corpus)).find(name => name.endsWith('.jsonl.gz'))
if (archive === undefined) throw new Error(`There is no .jsonl.gz in ${corpus}.`)
const folder = await mkdtemp(join(tmpdir(), 'tracker-'))
const board = join(folder, 'board.jsonl')
const token = newToken()
const database = await emptyDatabase(options.database)
const env = {
  ...process.env,
  ...database.env,
  TRACKER_ADMIN_TOKEN: token,
  TRACKER_MODEL_DIR: join(folder, 'no model'),
  LOG_LEVEL: 'error'
} as Record<string, string>

async function importBoard(): Promise<void> {
  const child = spawn(process.execPath, ['bench/corpus.ts', join(corpus!, archive!)], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  const output = createWriteStream(board)
  child.stdout.pipe(output)
  await once(output, 'finish')
  const run = (...command: string[]) => promisify(execFile)('npm', ['run', '-s', 'tracker', '--', ...command], { env })
  await run('import', board)
  await run('reindex')
}

interface Filed {
  kind: string
  team: string
  title: string
  descriptionMarkdown?: string
}
async function file(server: ServerProcess, { team, title, descriptionMarkdown = '' }: Filed): Promise<number> {
  const body = JSON.stringify({ team, title: `${title} again`, descriptionMarkdown })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const began = performance.now()
  const answer = await fetch(`${server.url}/v1/issues`, { method: 'POST', headers, body })
  const text = await answer.text()
  if (!answer.ok) throw new Error(text)
  return performance.now() - began
}

const at = (times: number[], share: number) =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * share)]!.toFixed(1)

try {
  await importBoard()
  const issues = (await readFile(board, 'utf8'))
    .split('\n')
    .filter(line => line.includes('"kind":"issue"'))
    .map(line => JSON.parse(line) as Filed)
  const withSearch = await startProcess({ ...env, ...(options.model && { TRACKER_MODEL_DIR: options.model }) })
  const servers = { 'with search': withSearch, without: await startProcess({ ...env, ...NO_INDEXING }) }
  const times: Record<string, number[]> = { 'with search': [], without: [] }
  let next = 0
  for (let round = -1; round < Number(options.rounds); round++) {
    for (const [name, server] of Object.entries(servers)) {
      if (options.model !== undefined) await untilEmbedded(withSearch)
      for (let n = 0; n < ISSUES_OF_ROUND; n++) {
        const took = await file(server, issues[(next++ * 97) % issues.length]!)
        if (round >= 0) times[name]!.push(took) // the first round is for warming up
      }
      await sleep(REST_MS)
    }
  }
  console.log(`filing on a board of ${issues.length} issues, milliseconds over one connection`)
  for (const [name, all] of Object.entries(times)) console.log(`${name}: p50 ${at(all, 0.5)}  p95 ${at(all, 0.95)}`)
  for (const server of Object.values(servers)) await server.end('SIGTERM')
} finally {
  await database.remove()
  await rm(folder, { recursive: true })
}
