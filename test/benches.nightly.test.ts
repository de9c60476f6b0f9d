import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'
import { onPostgres, TEST_DATABASE_URL } from './runner/harness.ts'

/*
 * Benchmarks run rarely, so this runs them with little to do. It says that they measure, and nothing of the figures.
 * Left out: those of a corpus or a model, `bench:operation`, which needs a cluster of its own, and `bench:citus`.
 */
t.setTimeout(1_500_000)
const root = fileURLToPath(new URL('..', import.meta.url))

interface Bench {
  args: readonly string[]
  /** Its last line. */
  prints: RegExp
}
const OF_BOTH: Record<string, Bench> = {
  board: {
    args: ['--sizes', '50', '--seconds', '0.2', '--only', 'bare'],
    prints: /^context \/ bare route, 50, 16 .*: /
  },
  indexing: { args: ['--seconds', '0.2', '--turns', '2'], prints: /\d/ },
  knowledge: { args: ['--entries', '100', '--seconds', '0.2'], prints: /\d/ },
  mcp: { args: ['--seconds', '0.2', '--turns', '1'], prints: /\d/ },
  start: { args: ['--turns', '1'], prints: /\d/ },
  versions: { args: ['--other', root, '--turns', '2', '--seconds', '0.2'], prints: /^update: / }
}
const OF_POSTGRES: Record<string, Bench> = {
  events: {
    args: ['--writers', '2', '--each', '50', '--subjects', '10', '--kills', '1', '--streams', '10'],
    prints: /\d/
  },
  idle: { args: ['--seconds', '2', '--settle', '2'], prints: /\d/ },
  insights: { args: ['--issues', '300', '--runs', '1'], prints: /\d/ },
  'mcp-parts': { args: ['--calls', '20'], prints: /\d/ },
  swarm: { args: ['--agents', '3', '--issues', '9'], prints: /\d/ }
}
const OF_EMBEDDED: Record<string, Bench> = {
  memory: { args: [], prints: /\d/ },
  text: { args: [], prints: /\d/ },
  ui: { args: ['--issues', '100'], prints: /\d/ }
}

const benches = { ...OF_BOTH, ...(onPostgres ? OF_POSTGRES : OF_EMBEDDED) }
for (const [name, { args, prints }] of Object.entries(benches)) {
  t.test(`bench:${name} measures`, async t => {
    const database = onPostgres ? ['--database', TEST_DATABASE_URL!] : []
    const { stdout } = await promisify(execFile)('node', [`bench/${name}.ts`, ...args, ...database], { cwd: root })
    t.match(stdout.trim().split('\n').at(-1), prints)
    t.comment(stdout)
  })
}
