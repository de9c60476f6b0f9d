import { sql, type Kysely } from 'kysely'
import type { CoreTables } from '../db/tables.ts'
import type { ConsumerRunner, ConsumerState } from './consumers.ts'
import type { Horizon } from './horizon.ts'
import { PARTITION } from './read.ts'

/** How far behind a consumer is. */
export interface ConsumerLag {
  name: string
  state: ConsumerState | 'behind'
  /** Events of any type in the log that it has not passed yet; an upper bound. */
  events: number
  /** Seconds since the oldest of them happened. */
  seconds: number
}

interface ConsumerRow {
  name: string
  needsRebuild: boolean
  attempts: number
  events: number
  seconds: number
}

/** Seconds behind after which a consumer counts as being behind. */
const BEHIND_SECONDS = 60

/** How far behind consumers are, as far as this process knows. */
export async function readLags(
  db: Kysely<CoreTables>,
  consumers: ReadonlyArray<{ name: string }>,
  { runners, horizon, now }: { runners: readonly ConsumerRunner[]; horizon: Horizon; now: Date }
): Promise<ConsumerLag[]> {
  // Raw: its sums and times are expressions that a builder takes as raw SQL, too.
  const { rows } = await sql<ConsumerRow>`
    select c.name, c.needs_rebuild, c.attempts,
      greatest(0, coalesce((
        select max(position) from event e where e.partition = c.partition), 0) - c.position) as events,
      coalesce((
        select greatest(0, extract(epoch from ${now}::timestamptz - e.at))::float8 from event e
        where e.partition = c.partition and e.position > c.position order by e.position limit 1), 0) as seconds
    from event_consumer c
    where c.partition = ${PARTITION} and c.name = any(${consumers.map(({ name }) => name)}::text[])
    order by c.name`.execute(db)
  return rows.map(({ name, events, seconds, needsRebuild, attempts }) => {
    const runner = runners.find(runner => runner.name === name)
    // What it passed without storing that, because nothing in it was for it, is no lag.
    const hasPassed = runner?.position !== undefined && runner.position >= horizon.decided
    const state = needsRebuild ? 'rebuilding' : attempts > 0 ? 'failing' : (runner?.state ?? 'up')
    return {
      name,
      state: state === 'up' && !hasPassed && seconds > BEHIND_SECONDS ? ('behind' as const) : state,
      events: hasPassed ? 0 : events,
      seconds: hasPassed ? 0 : seconds
    }
  })
}

/** Whether consumers have handled all that was committed before. */
export async function isCaughtUp(
  db: Kysely<CoreTables>,
  runners: readonly ConsumerRunner[],
  horizon: Horizon
): Promise<boolean> {
  await horizon.refresh()
  if (!horizon.isComplete || runners.some(runner => runner.isRunning)) return false
  const stored = await db
    .selectFrom('eventConsumer')
    .select(['name', 'position', 'needsRebuild'])
    .where('partition', '=', PARTITION)
    .execute()
  return runners.every(({ name, position }) => {
    const row = stored.find(row => row.name === name)
    return row !== undefined && !row.needsRebuild && (position ?? row.position) >= horizon.decided
  })
}
