import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { emptyDatabase } from '../test/runner/empty-database.ts'
import { linesOf } from './archive.ts'

/*
 * `npm run bench:import -- --corpus FILE [--issues 20000] [--database URL]`: the speed and memory of importing issues
 * of Jira. FILE has issues as Jira's REST API answers them, one a line, plain or gzipped; they are repeated, with other
 * keys and ids, until there are enough.
 */
const { values: options } = parseArgs({
  options: { corpus: { type: 'string' }, issues: { type: 'string', default: '20000' }, database: { type: 'string' } }
})
if (options.corpus === undefined) throw new Error('Name issues of Jira: --corpus FILE, one issue a line.')
const issueCount = Number(options.issues)

/** Between the numbers of an issue and of its copy. */
const COPY_STEP = 100_000
const root = new URL('..', import.meta.url)

/** An issue with other ids and keys, also in texts. */
function copyOf(line: string, copy: number, keys: RegExp): string {
  const changed: unknown = JSON.parse(line, (field, value: unknown) => {
    if (typeof value !== 'string') return value
    if (field === 'id') return `${value}.${copy}`
    return value.replace(
      keys,
      (_, project: string, number: string) => `${project}-${Number(number) + copy * COPY_STEP}`
    )
  })
  return JSON.stringify(changed)
}

async function writeBoard(file: string, corpus: readonly string[]): Promise<void> {
  const projects = new Set(corpus.map(line => (JSON.parse(line) as { key: string }).key.replace(/-\d+$/, '')))
  const keys = new RegExp(String.raw`\b(${[...projects].join('|')})-(\d{1,5})\b`, 'g')
  const output = createWriteStream(file)
  for (let n = 0; n < issueCount; n++) {
    const line = copyOf(corpus[n % corpus.length]!, Math.floor(n / corpus.length), keys)
    if (!output.write(`${line}\n`)) await once(output, 'drain')
  }
  output.end()
  await once(output, 'close')
}

interface Usage {
  seconds: number
  cpuSeconds: number
  peakMegabytes: number
}

/** Runs the command, which prints its own time and memory at the end. */
async function runImport(env: Record<string, string>, folder: string, file: string): Promise<Usage> {
  const usageFile = join(folder, 'usage.json')
  const hook = `import { writeFileSync } from 'node:fs'
    process.on('exit', () => writeFileSync(${JSON.stringify(usageFile)}, JSON.stringify(process.resourceUsage())))`
  const begun = performance.now()
  const child = spawn(
    process.execPath,
    [
      ...['--heap-growing-percent=60', '--import', `data:text/javascript,${encodeURIComponent(hook)}`],
      ...['core/cli.ts', 'import', '--from', 'jira', file]
    ],
    { cwd: root, env: { PATH: process.env['PATH'], ...env }, stdio: ['ignore', 'ignore', 'pipe'] }
  )
  let report = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (report += text))
  const [code] = (await once(child, 'close')) as [number | null]
  const seconds = (performance.now() - begun) / 1000
  if (code !== 0 && code !== 2) throw new Error(`The import ended with exit code ${code}: ${report.slice(-2000)}`)
  console.log(/Added: .*/.exec(report)?.[0] ?? report.slice(-2000))
  const usage = JSON.parse(await readFile(usageFile, 'utf8')) as NodeJS.ResourceUsage
  return {
    seconds,
    cpuSeconds: (usage.userCPUTime + usage.systemCPUTime) / 1e6,
    peakMegabytes: Math.round(usage.maxRSS / 1024)
  }
}

const folder = await mkdtemp(join(tmpdir(), 'tracker-bench-'))
const database = await emptyDatabase(options.database)
try {
  const [first, board] = [join(folder, 'first.jsonl'), join(folder, 'board.jsonl')]
  const corpus = linesOf(options.corpus)
  await writeFile(first, '')
  await writeBoard(board, corpus)
  await runImport(database.env, folder, first) // migrates
  const { seconds, cpuSeconds, peakMegabytes } = await runImport(database.env, folder, board)
  console.log(
    `${issueCount} issues in ${seconds.toFixed(1)} s: ${Math.round(issueCount / seconds)} issues/s; ` +
      `${cpuSeconds.toFixed(1)} s of CPU and ${peakMegabytes} MB at most in the command's process`
  )
} finally {
  await database.remove()
  await rm(folder, { recursive: true })
}
