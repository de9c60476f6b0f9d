import { parseArgs } from 'node:util'
import { emptyDatabase } from '../test/runner/empty-database.ts'
import { problemsOf, race, type RaceResult, type Seen } from '../test/event-race/race.ts'
import { measureStreams } from './event-streams.ts'

/*
 * `npm run bench:events -- --database URL`: the rates of the event log, and that nothing is lost when servers and
 * readers are killed; then the cost of many open streams. See README.md here.
 */
const { values } = parseArgs({
  options: {
    database: { type: 'string' },
    writers: { type: 'string', default: '20' },
    each: { type: 'string', default: '2000' },
    subjects: { type: 'string', default: '200' },
    kills: { type: 'string', default: '5' },
    streams: { type: 'string', default: '1000' }
  }
})
if (values.database === undefined) {
  throw new Error('Name a PostgreSQL server: npm run bench:events -- --database postgres://user@127.0.0.1/postgres')
}
const number = (text: string) => Number(text.replaceAll(/[,_]/g, ''))
const [writers, each, subjects, kills] = [values.writers, values.each, values.subjects, values.kills].map(number) as [
  number,
  number,
  number,
  number
]
const streams = number(values.streams)
/** Changes per writer in the run without kills. */
const CALM_EACH = 100
const KILL_INTERVAL_MS = 5_000
/** The default of servers. */
const LEASE_SECONDS = 15

function percentiles(delays: number[]): string {
  delays.sort((a, b) => a - b)
  const at = (share: number) => delays[Math.ceil(delays.length * share) - 1]?.toFixed(0)
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`
}
/** The delays of the events in the first reader that saw them. */
function delaysOf(committed: RaceResult['committed'], seen: readonly Seen[]): number[] {
  const first = new Map<string, number>()
  for (const { key, at } of seen) if (!first.has(key)) first.set(key, at)
  return [...first].map(([key, at]) => Math.max(0, at - (committed.get(key) ?? at)))
}

async function run(each: number, kills: number): Promise<void> {
  const database = await emptyDatabase(values.database)
  try {
    if (!('DATABASE_URL' in database.env)) return
    const result = await race({
      databaseUrl: database.env.DATABASE_URL,
      writers,
      each,
      subjects,
      kills,
      killIntervalMs: KILL_INTERVAL_MS,
      leaseSeconds: LEASE_SECONDS
    })
    const { committed, writingMs, consumer, streams } = result
    const rate = (committed.size / writingMs) * 1000
    const killed = kills === 0 ? 'nothing is killed' : `${kills} servers and ${kills} readers of streams are killed -9`
    console.log(`\n${writers} writers x ${each} changes, ${killed}`)
    console.log(
      `committed: ${committed.size} events in ${(writingMs / 1000).toFixed(1)} s, ${rate.toFixed(0)} events/s`
    )
    console.log(`commit to consumer: ${percentiles(delaysOf(committed, consumer))}`)
    console.log(`commit to stream: ${percentiles(streams.flatMap(seen => delaysOf(committed, seen)))}`)
    const problems = problemsOf(result, kills)
    console.log(problems.length === 0 ? 'each reader saw each event, in order' : problems.join('\n'))
    if (problems.length > 0) process.exitCode = 1
  } finally {
    await database.remove()
  }
}

if (writers > 0) {
  await run(Math.min(each, CALM_EACH), 0)
  await run(each, kills)
}
if (streams > 0) await measureStreams(values.database, streams)
