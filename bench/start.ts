import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { newToken } from '../core/auth/tokens.ts'
import { emptyDatabase } from '../test/runner/empty-database.ts'
import { loadedModules } from '../test/loaded-modules.ts'
import { startProcess } from '../test/runner/process.ts'

/*
 * `npm run bench:start -- [--other DIR | --plain] [--database URL] [--turns 7]`: the time and the processor time
 * until a server is ready, first on an empty database and again on it, by this checkout and by another one, or by this
 * one without `core/start/`, in turns.
 */
const { values: options } = parseArgs({
  options: {
    other: { type: 'string' },
    plain: { type: 'boolean', default: false },
    database: { type: 'string' },
    turns: { type: 'string', default: '7' }
  }
})
/** Further starts of a turn on the same database. */
const WARM_STARTS = 2
/** Milliseconds of a clock tick, in which Linux counts processor time. */
const MS_PER_TICK = 10

interface Cost {
  wallMs: number
  /** The whole process with its threads; NaN if this is not Linux. */
  cpuMs: number
  /** The main thread, which cannot use another core. */
  mainMs: number
}
interface Version {
  name: string
  folder: string
  env: Record<string, string>
  first: Cost[]
  warm: Cost[]
}

/** Processor time so far, from a `stat` file below /proc. */
async function cpuMs(path: string): Promise<number> {
  const text = await readFile(path, 'utf8').catch(() => '')
  const [, , , , , , , , , , , user, system] = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(user) + Number(system)) * MS_PER_TICK
}

async function start(folder: string, env: Record<string, string>): Promise<Cost> {
  const begin = performance.now()
  const server = await startProcess({ ...env, LOG_LEVEL: 'error' }, undefined, folder)
  const wallMs = performance.now() - begin
  const [process, main] = await Promise.all([
    cpuMs(`/proc/${server.pid}/stat`),
    cpuMs(`/proc/${server.pid}/task/${server.pid}/stat`)
  ])
  await server.end('SIGTERM')
  return { wallMs, cpuMs: process, mainMs: main }
}

async function turn({ folder, env: own, first, warm }: Version): Promise<void> {
  const database = await emptyDatabase(options.database)
  const env = { ...database.env, ...own, TRACKER_ADMIN_TOKEN: newToken() }
  try {
    first.push(await start(folder, env))
    for (let n = 0; n < WARM_STARTS; n++) warm.push(await start(folder, env))
  } finally {
    await database.remove()
  }
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
const seconds = (costs: Cost[], key: keyof Cost) => (median(costs.map(cost => cost[key])) / 1000).toFixed(2)
const summary = (costs: Cost[]) =>
  `ready in ${seconds(costs, 'wallMs')} s, CPU ${seconds(costs, 'cpuMs')} s (main thread ${seconds(costs, 'mainMs')} s)`

const here = fileURLToPath(new URL('..', import.meta.url))
const versions: Version[] = [
  { name: 'here', folder: here, env: {}, first: [], warm: [] },
  ...(options.other === undefined ? [] : [{ name: 'there', folder: options.other, env: {}, first: [], warm: [] }]),
  ...(options.plain ? [{ name: 'plain', folder: here, env: { TRACKER_PLAIN_START: 'true' }, first: [], warm: [] }] : [])
]
// The first turn fills the compile cache.
for (const version of versions) await turn({ ...version, first: [], warm: [] })
for (let n = 0; n < Number(options.turns); n++) {
  for (const version of n % 2 === 0 ? versions : versions.toReversed()) await turn(version)
}
for (const { name, folder, first, warm } of versions) {
  console.log(`${name}, first: ${summary(first)}`)
  console.log(`${name}, warm:  ${summary(warm)}`)
  console.log(`${name}: ${(await loadedModules(folder)).length} modules`)
}
const [ours, theirs] = versions
if (ours !== undefined && theirs !== undefined) {
  for (const kind of ['first', 'warm'] as const) {
    const ratio = (key: keyof Cost) =>
      (median(ours[kind].map(cost => cost[key])) / median(theirs[kind].map(cost => cost[key]))).toFixed(2)
    const ratios = `time ${ratio('wallMs')}, CPU ${ratio('cpuMs')}, main thread ${ratio('mainMs')}`
    console.log(`${kind}, ${ours.name} / ${theirs.name}: ${ratios}`)
  }
}
