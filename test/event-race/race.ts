import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { pino } from 'pino'
import { makeDatabase, type Database } from '../../core/db/database.ts'
import { makeEventLog, type EventLog } from '../../core/events/log.ts'
import { lastPosition, readLog } from '../../core/events/read.ts'
import { makeTables, write } from '../../core/events/test/writers.ts'
import { newToken } from '../../core/auth/tokens.ts'
import { installed } from '../../plugins/index.ts'
import { startProcess, type ServerProcess } from '../runner/process.ts'

/*
 * Writers change the same things concurrently, while the consuming servers and the readers of event streams are killed
 * and replaced. Each reader records the events that it got, with order and time.
 */

interface RaceOptions {
  databaseUrl: string
  writers: number
  /** Changes per writer. */
  each: number
  subjects: number
  /** Number of kills of a server and of a reader. */
  kills: number
  /** Milliseconds between two kills. */
  killIntervalMs: number
  leaseSeconds: number
}
/** A received change: `subject rev`, and its time, by `Date.now()`. */
export interface Seen {
  key: string
  at: number
}
export interface RaceResult {
  /** The time of each commit, by `subject rev`. */
  committed: Map<string, number>
  writingMs: number
  consumer: Seen[]
  streams: Seen[][]
  pages: Seen[]
}

/** Events per call of the consumer. */
export const CONSUMER_BATCH = 50
const REPLICAS = 2
const READERS = 3
/** Milliseconds without a new event, after which missing events count as lost. */
const LOST_AFTER_MS = 60_000

export async function race(options: RaceOptions): Promise<RaceResult> {
  const { databaseUrl, writers, each, subjects } = options
  const token = newToken()
  const folder = await mkdtemp(join(tmpdir(), 'tracker-race-'))
  const database = makeDatabase({ url: databaseUrl, poolSize: writers + 2 })
  const log = makeEventLog({
    database,
    log: pino({ level: 'silent' }),
    working: false,
    directUrl: databaseUrl,
    now: () => new Date()
  })
  const servers = await startServers(options, token)
  const readers = makeReaders(folder, token, servers)
  try {
    await makeTables(database.db)
    await readers.start()
    log.start()
    const { id: workspaceId } = await database.db.selectFrom('workspace').select('id').executeTakeFirstOrThrow()
    const paging = readPages(database, log)
    const killing = killInTurns(options, servers, readers)
    const began = performance.now()
    const committed = await write({ db: database.db, logs: [log], workspaceId, writers, each, subjects })
    const writingMs = performance.now() - began
    await killing
    const pages = await paging.end()
    const result = { committed, writingMs, pages }
    return {
      ...result,
      ...(await untilAllSeen(committed, async () => ({
        consumer: await consumed(database),
        streams: await readers.seen()
      })))
    }
  } finally {
    await readers.stop()
    await servers.stop()
    await log.stop()
    await database.close()
    await rm(folder, { recursive: true })
  }
}

/** The problems: none if each reader got each event, in order, and repeated at most its last batch. */
export function problemsOf({ committed, consumer, streams, pages }: RaceResult, kills: number): string[] {
  const check = (who: string, seen: readonly Seen[], mostRepeated: number): string[] => {
    const keys = new Set(seen.map(({ key }) => key))
    const missing = [...committed.keys()].filter(key => !keys.has(key)).length
    const unknown = [...keys].filter(key => !committed.has(key)).length
    const repeated = seen.length - keys.size
    return [
      ...(missing > 0 ? [`${who}: ${missing} of ${committed.size} events are missing`] : []),
      ...(unknown > 0 ? [`${who}: ${unknown} events were never committed`] : []),
      ...(repeated > mostRepeated ? [`${who}: ${repeated} events are repeated, ${mostRepeated} at most may be`] : []),
      ...(isInOrder([...keys]) ? [] : [`${who}: the revisions of a subject are out of order`])
    ]
  }
  return [
    ...check('the consumer', consumer, kills * CONSUMER_BATCH),
    ...streams.flatMap((seen, n) => check(`stream ${n + 1}`, seen, 0)),
    ...check('pages', pages, 0)
  ]
}

/** True if the revisions of each subject only grow. */
function isInOrder(keys: readonly string[]): boolean {
  const last = new Map<string, number>()
  return keys.every(key => {
    const [subject = '', rev] = key.split(' ')
    const before = last.get(subject) ?? 0
    last.set(subject, Number(rev))
    return Number(rev) > before
  })
}

interface Servers {
  urls(): string[]
  /** Kills the oldest one, and starts another. */
  replace(): Promise<void>
  stop(): Promise<void>
}
async function startServers({ databaseUrl, leaseSeconds }: RaceOptions, token: string): Promise<Servers> {
  const env = {
    ...Object.fromEntries(
      Object.keys(installed).map(name => [`TRACKER_PLUGINS__${name.toUpperCase()}__ENABLED`, 'false'])
    ),
    TRACKER_PLUGINS__WORKSPACE__ENABLED: 'true',
    TRACKER_PLUGINS__EVENTS__ENABLED: 'true',
    TRACKER_PLUGINS__RACE__ENABLED: 'true',
    TRACKER_ADMIN_TOKEN: token,
    DATABASE_URL: databaseUrl,
    RACE_LEASE_SECONDS: String(leaseSeconds)
  }
  const start = () => startProcess(env, 'test/event-race/replica.ts')
  const running: ServerProcess[] = []
  for (let n = 0; n < REPLICAS; n++) running.push(await start())
  return {
    urls: () => running.map(({ url }) => url),
    async replace() {
      await running.shift()!.end('SIGKILL')
      running.push(await start())
    },
    async stop() {
      for (const server of running) await server.end('SIGKILL')
    }
  }
}

function makeReaders(folder: string, token: string, servers: Servers) {
  const files = Array.from({ length: READERS }, (_, n) => join(folder, `stream-${n}`))
  const running: ChildProcess[] = []
  let cursor = ''
  // The readers begin at different servers.
  const tell = () => {
    for (const [n, reader] of running.entries()) {
      const urls = servers.urls()
      if (reader.connected) reader.send([...urls.slice(n % urls.length), ...urls.slice(0, n % urls.length)])
    }
  }
  async function start(n: number): Promise<void> {
    const reader = fork(new URL('reader.ts', import.meta.url), [files[n]!, token, cursor])
    running[n] = reader
    const reading = once(reader, 'message')
    tell()
    await reading
  }
  return {
    async start() {
      const answer = await fetch(`${servers.urls()[0]}/v1/events`, { headers: { authorization: `Bearer ${token}` } })
      cursor = ((await answer.json()) as { cursor: string }).cursor
      for (let n = 0; n < READERS; n++) await start(n)
    },
    tell,
    async replace(n: number) {
      running[n % READERS]!.kill('SIGKILL')
      await start(n % READERS)
    },
    seen: () => Promise.all(files.map(readSeen)),
    async stop() {
      for (const reader of running) reader.kill('SIGKILL')
    }
  }
}
type Readers = ReturnType<typeof makeReaders>

async function readSeen(file: string): Promise<Seen[]> {
  if (!existsSync(file)) return []
  const lines = (await readFile(file, 'utf8')).split('\n')
  return lines.flatMap(line => {
    const [, key, at] = /^\S+ (\S+ \d+) (\d+)$/.exec(line) ?? []
    return key === undefined ? [] : [{ key, at: Number(at) }]
  })
}

async function killInTurns({ kills, killIntervalMs }: RaceOptions, servers: Servers, readers: Readers): Promise<void> {
  for (let n = 0; n < kills; n++) {
    await sleep(killIntervalMs)
    await servers.replace()
    readers.tell()
    await readers.replace(n)
  }
}

function readPages({ db }: Database, log: EventLog) {
  const received: Seen[] = []
  let isOver = false
  const reading = (async () => {
    for (let after = 0, isLast = false; ;) {
      isLast = isOver
      await log.horizon.refresh()
      const upTo = await lastPosition(db, log.horizon.decided)
      const events = await readLog(db, { after, upTo, limit: 200 }, { types: ['thing.changed'] })
      for (const { subject, rev } of events) received.push({ key: `${subject.id} ${rev}`, at: Date.now() })
      after = events.at(-1)?.position ?? after
      if (isLast && events.length === 0) return
      await sleep(10)
    }
  })()
  return {
    async end(): Promise<Seen[]> {
      isOver = true
      await reading
      return received
    }
  }
}

async function consumed({ db }: Database): Promise<Seen[]> {
  const { rows } = await sql<{ key: string; at: number }>`
    select subject_id || ' ' || rev as key, extract(epoch from at)::float8 * 1000 as at
    from race_seen order by n`.execute(db)
  return rows
}

type SeenByAll = Pick<RaceResult, 'consumer' | 'streams'>
/** Waits until all committed changes were received, or no more arrive. */
async function untilAllSeen(committed: RaceResult['committed'], look: () => Promise<SeenByAll>): Promise<SeenByAll> {
  let count = -1
  for (let newAt = performance.now(); ;) {
    const received = await look()
    const all = [received.consumer, ...received.streams].map(of => new Set(of.map(({ key }) => key)).size)
    if (all.every(size => size >= committed.size)) return received
    const sum = all.reduce((total, size) => total + size, 0)
    if (sum > count) newAt = performance.now()
    count = sum
    if (performance.now() - newAt > LOST_AFTER_MS) return received
    await sleep(200)
  }
}
