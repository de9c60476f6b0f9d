import { execFile } from 'node:child_process'
import { chmodSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { newToken } from '../../core/auth/tokens.ts'
import { trackerIn } from '../../test/runner/process.ts'
import { startCluster } from './cluster.ts'
import { Ledger, send } from './ledger.ts'
import { follow, workAsAgent, workAsPerson } from './load.ts'
import { startReplicas } from './replicas.ts'
import { describe, watch } from './watch.ts'

/*
 * `npm run bench:operation -- [--minutes 40] [--people 10] [--agents 10] [--from REF]`: two replicas behind nginx on
 * PostgreSQL with a synchronous standby are operated under load: a dump, the upgrade from REF, replica by replica,
 * backups, rotated logs, a rolling restart, and a failover of the database. As root; it needs Debian's PostgreSQL 15
 * and nginx.
 */
const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '40' },
    people: { type: 'string', default: '10' },
    agents: { type: 'string', default: '10' },
    from: { type: 'string', default: '9c5aaacd9f9819e36b365664748f8abec1812ed1' } // 0.2.0
  }
})
const run = promisify(execFile)
const project = fileURLToPath(new URL('../..', import.meta.url))
const BACKUPS_KEPT = 2
/** Characters of nginx' log that are printed. */
const MAX_SHOWN = 4_000
/** Maximum delay of an event on the stream. */
const EVENTS_LATE_MS = 3_000
const started = performance.now()
const minuteNow = () => ((performance.now() - started) / 60_000).toFixed(1).padStart(5)
const say = (text: string) => console.log(`${minuteNow()} min  ${text}`)

await using cleanup = new AsyncDisposableStack()
const folder = mkdtempSync(join(tmpdir(), 'tracker-operation-'))
cleanup.defer(() => rmSync(folder, { recursive: true, force: true }))
chmodSync(folder, 0o755)
const backups = join(folder, 'backups')
mkdirSync(backups)
const earlier = join(folder, 'earlier')
mkdirSync(earlier)
await run('sh', ['-c', 'git archive "$0" | tar --extract --directory "$1"', options.from, earlier], { cwd: project })
symlinkSync(join(project, 'node_modules'), join(earlier, 'node_modules'))

const cluster = await startCluster(join(folder, 'postgres'))
cleanup.defer(() => cluster.remove())
const admin = newToken()
const env = {
  DATABASE_URL: cluster.url,
  TRACKER_ADMIN_TOKEN: admin,
  TRACKER_PLUGINS__EMBEDDINGS__ENABLED: 'false'
}
const replicas = await startReplicas(join(folder, 'replicas'), earlier, env)
cleanup.defer(() => replicas.remove())
const ledger = new Ledger()
const over = new AbortController()
const isTold = new AbortController()
cleanup.defer(() => {
  over.abort()
  isTold.abort()
})
const load = { url: replicas.url, ledger, signal: over.signal }
const tokens: string[] = []
for (let n = 0; n < Number(options.people) + Number(options.agents); n++) {
  const request = { url: `${replicas.url}/v1/users/agents`, token: admin, body: { name: `Account ${n}` } }
  tokens.push((await send<{ token: string }>(ledger, request))!.token)
}
const people = tokens.slice(0, Number(options.people)).map((token, n) => workAsPerson(load, token, `person ${n}`))
const agents = tokens.slice(people.length).map(token => workAsAgent(load, token))
const watching = watch(
  over.signal,
  () => replicas.pids(),
  () => ({ database: cluster.folder(), logs: replicas.folder, backups }),
  () => ledger.titles.size
)

/** Saves the database while it is used, and removes the oldest backups. */
async function backUp(): Promise<void> {
  const file = join(backups, `${Date.now()}.tar.gz`)
  const { code, out, err } = await trackerIn(env, 'backup', file, '--verify')
  if (code !== 0) throw new Error(`The backup failed: ${err}`)
  const old = globSync('*.tar.gz', { cwd: backups }).toSorted().slice(0, -BACKUPS_KEPT)
  for (const name of old) rmSync(join(backups, name))
  say((out + err).trim().replaceAll(`${folder}/`, '').replaceAll('\n', ' '))
}

let following: Promise<string[]> = Promise.resolve([])
const filedBeforeUpgrade = new Set<string>()
/** The steps, each at its share of the run. */
const steps: Array<[at: number, name: string, step: () => unknown]> = [
  [0.05, 'pg_dump', () => run('pg_dump', ['--format=custom', `--file=${join(backups, 'before.dump')}`, cluster.url])],
  [
    0.1,
    'tracker upgrade, while the earlier version works',
    async () => {
      const { code, err } = await trackerIn(env, 'upgrade')
      if (code !== 0) throw new Error(`The upgrade failed: ${err}`)
    }
  ],
  [0.15, 'replicas are upgraded', async () => say(`rolled in ${await replicas.roll(project)} s`)],
  [
    0.2,
    'the event stream is followed from now on',
    async () => {
      await trackerIn(env, 'reindex')
      for (const id of ledger.titles.keys()) filedBeforeUpgrade.add(id)
      following = follow({ ...load, signal: isTold.signal }, admin)
    }
  ],
  [0.25, 'backup', backUp],
  [0.3, 'logs are rotated', () => replicas.rotateLogs()],
  [0.35, 'replicas are restarted', async () => say(`rolled in ${await replicas.roll(project)} s`)],
  [0.45, 'failover', async () => say(`the standby took over after ${await cluster.failOver()} ms`)],
  [0.55, 'backup', backUp],
  [0.65, 'logs are rotated', () => replicas.rotateLogs()],
  [0.75, 'backup', backUp],
  [0.9, 'logs are rotated', () => replicas.rotateLogs()],
  [1, 'the end', () => undefined]
]

/** Acknowledged writes that are not stored. */
async function missing(): Promise<string[]> {
  const read = <T>(path: string) => send<T>(ledger, { url: replicas.url + path, token: admin })
  const problems: string[] = []
  for (const [id, title] of ledger.titles) {
    const issue = await read<{ title: string }>(`/v1/issues/${id}`)
    if (issue?.title !== title && !ledger.uncertain.has(id)) problems.push(`issue ${id}: ${issue?.title}, not ${title}`)
  }
  for (const key of ledger.closed) {
    const issue = await read<{ state: { category: string } }>(`/v1/issues/${key}/context`)
    if (issue?.state.category !== 'COMPLETED') problems.push(`issue ${key} is ${issue?.state.category}`)
  }
  const commented = Map.groupBy(ledger.comments, ([, issueId]) => issueId)
  for (const [issueId, comments] of commented) {
    const there = await read<Array<{ id: string }>>(`/v1/issue_comments?issueId=${issueId}`)
    const ids = new Set(there?.map(({ id }) => id))
    problems.push(...comments.filter(([id]) => !ids.has(id)).map(([id]) => `comment ${id}`))
  }
  return problems
}

/** Lines of the logs that are no JSON: halves of lines that a rotation has cut. */
function brokenLines(): string[] {
  const lines = globSync('*.log{,.1}', { cwd: replicas.folder })
    .filter(file => !file.startsWith('nginx'))
    .flatMap(file => readFileSync(join(replicas.folder, file), 'utf8').split('\n'))
  return lines.filter(line => line !== '' && !/^\{.*\}$/.test(line))
}

for (const [at, name, step] of steps) {
  await sleep(Math.max(0, at * Number(options.minutes) * 60_000 - (performance.now() - started)))
  say(name)
  await step()
}
over.abort()
await Promise.all([...people, ...agents])
await sleep(EVENTS_LATE_MS)
isTold.abort()
const [samples, events] = await Promise.all([watching, following])
const { statuses, times, lost, titles, closed, comments } = ledger
const filed = [...titles.keys()].filter(id => !filedBeforeUpgrade.has(id))
times.sort((a, b) => a - b)
console.log(`\nissues ${titles.size}, comments ${comments.size}, closed ${closed.size}; answers:`)
for (const [status, count] of statuses) console.log(`  ${status}: ${count}`)
console.log(`p50 ${times[Math.floor(times.length / 2)]?.toFixed(0)} ms, longest ${times.at(-1)?.toFixed(0)} ms`)
console.log(`lost requests: ${lost.length}\n${lost.slice(0, 20).join('\n')}`)
const problems = await missing()
console.log(`acknowledged and not there: ${problems.length}\n${problems.slice(0, 20).join('\n')}`)
const ids = new Set(events)
console.log(
  `events: ${events.length}, twice ${events.length - ids.size}, missing ${filed.filter(id => !ids.has(id)).length}`
)
const broken = brokenLines()
console.log(`broken lines of logs: ${broken.length}\n${broken.slice(0, 10).join('\n')}`)
console.log(describe(samples).join('\n'))
console.log(`\n${readFileSync(join(replicas.folder, 'nginx.log'), 'utf8').slice(0, MAX_SHOWN)}`)
