import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { markdownIt } from '../core/rich-text/markdown-it.ts'
import { parse, schema, serialize } from '../core/rich-text/index.ts'
import { bare, bytesReturn, meaningSurvives, rewritingIsStable, stored } from '../core/rich-text/test/properties.ts'
import { agentText } from '../core/rich-text/test/texts.ts'

/*
 * npm run bench:text: how long parse and serialize take, beside markdown-it alone in the same run.
 * npm run bench:text -- --corpus DIR: how many descriptions and comments of the .jsonl(.gz) files in DIR survive.
 */

const at = process.argv.indexOf('--corpus')
if (at < 0) measureSpeed()
else measureCorpus(process.argv[at + 1] ?? '.')

function measureSpeed () {
  for (const [size, runs] of [[2048, 4000], [65536, 150]] as const) {
    const text = agentText.repeat(Math.ceil(size / agentText.length)).slice(0, size)
    const doc = stored(text)
    const written = bare(doc)
    const json = doc.toJSON()
    console.log(`\n${size} bytes: microseconds, p50 and p99 of ${runs}`)
    measure('markdown-it alone', runs, () => markdownIt.parse(text, {}))
    measure('parse', runs, () => parse(text))
    measure('serialize, checked against its source', runs, () => serialize(doc))
    measure('serialize, written anew', runs, () => serialize(written))
    measure('JSON to nodes', runs, () => schema.nodeFromJSON(json))
  }
}

function measure (name: string, runs: number, work: () => void) {
  const times: number[] = []
  for (let i = -runs / 4; i < runs; i++) {
    const start = process.hrtime.bigint()
    work()
    if (i >= 0) times.push(Number(process.hrtime.bigint() - start) / 1000)
  }
  times.sort((a, b) => a - b)
  const quantile = (share: number) => Math.round(times[Math.floor(times.length * share)] ?? 0)
  console.log(`  ${name.padEnd(40)} ${String(quantile(0.5)).padStart(8)} ${String(quantile(0.99)).padStart(8)}`)
}

interface Issue {
  id: string
  description?: string | null
  comments?: Array<{ body: string }>
}

function measureCorpus (directory: string) {
  const promises = { 'bytes return untouched': bytesReturn, 'means the same, written anew': meaningSurvives, 'stable, written anew twice': rewritingIsStable }
  const kept = new Map(Object.keys(promises).map(name => [name, 0]))
  let texts = 0
  for (const issue of issuesOf(directory)) {
    for (const text of [issue.description, ...(issue.comments ?? []).map(({ body }) => body)]) {
      if (!text) continue
      texts++
      for (const [name, promise] of Object.entries(promises)) {
        const problem = promise(text)
        if (problem === null) kept.set(name, (kept.get(name) ?? 0) + 1)
        else console.log(`${issue.id}: not "${name}": ${problem.slice(0, 400)}`)
      }
    }
  }
  console.log(`${texts} texts`)
  for (const [name, count] of kept) console.log(`  ${name.padEnd(32)} ${count} (${(100 * count / texts).toFixed(3)} %)`)
}

function issuesOf (directory: string): Issue[] {
  return readdirSync(directory).filter(name => /\.jsonl(\.gz)?$/.test(name)).flatMap(name => {
    const bytes = readFileSync(join(directory, name))
    const lines = (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString().split('\n').filter(Boolean)
    return lines.map((line): Issue => JSON.parse(line))
  })
}
