import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { newToken } from '../core/auth/tokens.ts'
import { emptyDatabase } from '../test/runner/empty-database.ts'
import { startProcess, type ServerProcess } from '../test/runner/process.ts'
import { makeClient, untilEmbedded, untilIndexed } from './client.ts'

/*
 * `npm run bench:languages -- [--database URL] [--model DIR]…`: 300 pairs (languages.json) of a search and the title
 * of the issue that it should find, which says the same in other words. All titles are on one board. Prints recall and
 * mean reciprocal rank by words alone, and with each model.
 */
const { values: options } = parseArgs({
  options: { database: { type: 'string' }, model: { type: 'string', multiple: true, default: [] } }
})
type Pair = [query: string, title: string]
const file = new URL('languages.json', import.meta.url)
const pairs = Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, Pair[]>)
const LIMIT = 10
const BATCH = 100
const token = newToken()
const ask = makeClient(token)

/** The place of the pair's title among the hits for its search, from 1; Infinity if it is not there. */
async function rankOf(server: ServerProcess, [query, title]: Pair): Promise<number> {
  const path = `/v1/search?limit=${LIMIT}&query=${encodeURIComponent(query)}`
  const hits = await ask<Array<{ title: string }>>(server, path)
  const at = hits.findIndex(hit => hit.title === title)
  return at < 0 ? Infinity : at + 1
}

function row(language: string, ranks: readonly number[]): string {
  const share = (limit: number) => (ranks.filter(rank => rank <= limit).length / ranks.length).toFixed(3)
  const reciprocal = (ranks.reduce((sum, rank) => sum + 1 / rank, 0) / ranks.length).toFixed(3)
  const recalls = `R@1 ${share(1)}  R@${LIMIT} ${share(LIMIT)}`
  return `  ${language.padEnd(14)} ${ranks.length} pairs  ${recalls}  MRR ${reciprocal}`
}

async function measure(model: string | undefined): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tracker-'))
  const database = await emptyDatabase(options.database)
  const server = await startProcess({
    ...database.env,
    TRACKER_ADMIN_TOKEN: token,
    TRACKER_MODEL_DIR: model ?? folder,
    TRACKER_PLUGINS__EMBEDDINGS__DOWNLOAD: 'false',
    LOG_LEVEL: 'error'
  })
  try {
    const issues = pairs.flatMap(([, of]) => of.map(([, title]) => ({ teamId: 'ENG', title })))
    for (let n = 0; n < issues.length; n += BATCH) {
      await ask(server, '/v1/issues/bulk', { issues: issues.slice(n, n + BATCH) })
    }
    await untilIndexed(server)
    if (model !== undefined) await untilEmbedded(server)
    console.log(model === undefined ? 'by words' : basename(model))
    const all: number[] = []
    for (const [language, of] of pairs) {
      const ranks: number[] = []
      for (const pair of of) ranks.push(await rankOf(server, pair))
      console.log(row(language, ranks))
      all.push(...ranks)
    }
    console.log(row('all', all))
  } finally {
    await server.end('SIGTERM')
    await database.remove()
    await rm(folder, { recursive: true })
  }
}

for (const model of [undefined, ...options.model]) await measure(model)
