import { sql, type Kysely } from 'kysely'
import type { CoreTables } from '../../api/database/types.ts'
import type { ConsumerRunner, ConsumerState } from './consumers.ts'
import type { Horizon } from '../horizon.ts'
import { lastPosition, PARTITION } from '../read.ts'

export interface ConsumerLag {
  name: string
  state: ConsumerState | 'behind'
  /** Events of any type after its position; an upper bound. */
  events: number
  seconds: number
}

const BEHIND_SECONDS = 60

interface LagOptions {
  of: string | undefined
  runners: readonly ConsumerRunner[]
  horizon: Horizon
  now: Date
}

export async function readLags(
  db: Kysely<CoreTables>,
  consumers: ReadonlyArray<{ name: string }>,
  { of, runners, horizon, now }: LagOptions
): Promise<ConsumerLag[]> {
  const names = of === undefined ? consumers.map(({ name }) => name) : [of]
  const rows = await db
    .selectFrom('eventConsumer')
    .select(['name', 'position', 'needsRebuild', 'attempts', 'crashes'])
    .where('partition', '=', PARTITION)
    .where(sql<boolean>`name = any(${names}::text[])`)
    .orderBy('name')
    .execute()
  const last = await lastPosition(db, Number.MAX_SAFE_INTEGER)
  const positions = [...new Set(rows.map(({ position }) => position))].filter(position => position < last)
  const ages = new Map(
    await Promise.all(positions.map(async after => [after, await ageAfter(db, after, now)] as const))
  )
  return rows.map(({ name, position, needsRebuild, attempts, crashes }) => {
    const events = Math.max(0, last - position)
    const seconds = ages.get(position) ?? 0
    const runner = runners.find(runner => runner.name === name)
    // Events that it passed without storing the position, because none was for it, are no lag.
    const hasPassed = runner?.position !== undefined && runner.position >= horizon.decided
    const state = needsRebuild ? 'rebuilding' : attempts > 0 || crashes > 1 ? 'failing' : (runner?.state ?? 'up')
    return {
      name,
      state: state === 'up' && !hasPassed && seconds > BEHIND_SECONDS ? ('behind' as const) : state,
      events: hasPassed ? 0 : events,
      seconds: hasPassed ? 0 : seconds
    }
  })
}

async function ageAfter(db: Kysely<CoreTables>, after: number, now: Date): Promise<number> {
  const first = await db
    .selectFrom('event')
    .select('at')
    .where('partition', '=', PARTITION)
    .where('position', '>', after)
    .orderBy('position')
    .limit(1)
    .executeTakeFirst()
  return first === undefined ? 0 : Math.max(0, (now.getTime() - first.at.getTime()) / 1000)
}
