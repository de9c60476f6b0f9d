import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { markdownIt } from '../lib/rich-text/read/markdown-it.ts'
import { parse, schema, serialize } from '../lib/rich-text/index.ts'
import { hostile } from '../lib/rich-text/test/hostile.ts'
import {
  withoutSource,
  bytesReturn,
  meaningSurvives,
  rewritingIsStable,
  stored
} from '../lib/rich-text/test/properties.ts'
import { agentText } from '../lib/rich-text/test/texts.ts'
import { linesOf } from './archive.ts'

/*
 * npm run bench:text: the time of parse and serialize, compared with markdown-it alone in the same run.
 * npm run bench:text -- --hostile: the same for 256 KB of input that makes parsers slow.
 * npm run bench:text -- --corpus DIR: how many descriptions and comments of the .jsonl(.gz) files in DIR survive.
 */

const at = process.argv.indexOf('--corpus')
if (process.argv.includes('--hostile')) measureHostile()
else if (at < 0) measureSpeed()
else measureCorpus(process.argv[at + 1] ?? '.')

function measureSpeed() {
  for (const [size, runs] of [
    [2048, 4000],
    [65536, 150]
  ] as const) {
    const text = agentText.repeat(Math.ceil(size / agentText.length)).slice(0, size)
    const doc = stored(text)
    const other = stored(text + '\n')
    const written = withoutSource(doc)
    const json = doc.toJSON()
    console.log(`\n${size} bytes: microseconds, p50 and p99 of ${runs}`)
    measure('markdown-it alone', runs, () => markdownIt.parse(text, {}))
    measure('parse', runs, () => parse(text))
    measure('serialize, its source just read', runs, () => serialize(doc))
    measure('serialize, its source read again', runs, i => serialize(i % 2 ? doc : other))
    measure('serialize, rewritten', runs, () => serialize(written))
    measure('JSON to nodes', runs, () => schema.nodeFromJSON(json))
  }
}

function measure(name: string, runs: number, work: (run: number) => void) {
  const times: number[] = []
  for (let i = -Math.floor(runs / 4); i < runs; i++) {
    const start = process.hrtime.bigint()
    work(i)
    if (i >= 0) times.push(Number(process.hrtime.bigint() - start) / 1000)
  }
  times.sort((a, b) => a - b)
  const quantile = (share: number) => Math.round(times[Math.floor(times.length * share)] ?? 0)
  console.log(`  ${name.padEnd(40)} ${String(quantile(0.5)).padStart(8)} ${String(quantile(0.99)).padStart(8)}`)
}

/** The best of three of each, in milliseconds of processor time. */
function measureHostile() {
  const columns = ['markdown-it', 'parse', 'serialize', 'round trip', 'read again']
  console.log('256 KB'.padEnd(32), ...columns.map(column => column.padStart(12)))
  for (const [name, make] of Object.entries(hostile)) {
    const text = make(256 * 1024)
    const runs = Array.from({ length: 3 }, () => {
      const markdownItAlone = took(() => markdownIt.parse(text, {}))
      const reading = took(() => parse(text))
      const doc = stored(text)
      const writing = took(() => serialize(doc))
      parse('so that the last text read is another')
      return [markdownItAlone, reading, writing, reading + writing, took(() => serialize(doc))]
    })
    console.log(
      name.padEnd(32),
      ...columns.map((_, i) =>
        Math.min(...runs.map(times => times[i] ?? 0))
          .toFixed(0)
          .padStart(12)
      )
    )
  }
}

function took(work: () => void): number {
  const start = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(start)
  return (user + system) / 1000
}

interface Issue {
  id: string
  description?: string | null
  comments?: Array<{ body: string }>
}

function measureCorpus(directory: string) {
  const promises = {
    'bytes return untouched': bytesReturn,
    'means the same, rewritten': meaningSurvives,
    'stable, rewritten twice': rewritingIsStable
  }
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
  for (const [name, count] of kept) {
    console.log(`  ${name.padEnd(32)} ${count} (${((100 * count) / texts).toFixed(3)} %)`)
  }
}

function issuesOf(directory: string): Issue[] {
  return readdirSync(directory)
    .filter(name => /\.jsonl(\.gz)?$/.test(name))
    .flatMap(name => linesOf(join(directory, name)))
    .map((line): Issue => JSON.parse(line))
}
