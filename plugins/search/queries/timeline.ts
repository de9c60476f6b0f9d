import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { notDeletedIn } from '../../../core/api/database/queries.ts'
import type { Id } from '../../../core/api/database/types.ts'
import type { Db, Trx } from '../context.ts'
import { issuePool } from './indexing.ts'

/** Intervals between stored times that give the present rate of creation. */
const RECENT_INTERVALS = 16
/** Stored times per workspace: between two of them, creation is assumed to be even. */
const KEPT_TIMES = 257
/** The times are replaced when the number of issues has grown or shrunk by more than this factor plus this number. */
const GROWTH = 1.2
const MIN_GROWTH = 20

const MAX_CACHED = 1_000

/** Times of creation of evenly spaced issues, when there was this number of issues. */
interface StoredTimes {
  times: number[]
  issues: number
}
/** The cache, by database. It spares most searches the query for the times, which takes longer than ranking by them. */
const caches = new WeakMap<Db, LRUCache<Id, StoredTimes>>()

/** True if `renewTimeline` leaves the stored times as they are. */
const isCurrent = (kept: StoredTimes, issues: number) =>
  issues >= kept.issues / GROWTH - MIN_GROWTH && issues <= kept.issues * GROWTH + MIN_GROWTH

/** @param issues the present number */
export async function readTimeline(db: Db, workspaceId: Id, issues: number): Promise<Timeline> {
  const ofDatabase = caches.get(db) ?? new LRUCache<Id, StoredTimes>({ max: MAX_CACHED })
  caches.set(db, ofDatabase)
  let cached = ofDatabase.get(workspaceId)
  if (cached === undefined || !isCurrent(cached, issues)) {
    cached = await readKept(db, workspaceId)
    ofDatabase.set(workspaceId, cached)
  }
  return new Timeline(cached.times, cached.issues, issues)
}

async function readKept(db: Db, workspaceId: Id): Promise<StoredTimes> {
  const row = await db
    .selectFrom('searchTimeline')
    .select(['times', 'issues'])
    .where('workspaceId', '=', workspaceId)
    .executeTakeFirst()
  return { times: row?.times.map(time => time.getTime()) ?? [], issues: row?.issues ?? 0 }
}

/** Stores the times of creation, if many issues were added since the last time. */
export async function renewTimeline(trx: Trx, workspaceId: Id): Promise<void> {
  const pool = issuePool(workspaceId)
  const stale = await trx
    .selectFrom('searchPool as p')
    .leftJoin('searchTimeline as t', join => join.on('t.workspaceId', '=', workspaceId))
    .select('p.documents')
    .where('p.workspaceId', '=', workspaceId)
    .where('p.pool', '=', pool.name)
    .where(
      sql<boolean>`p.documents not between coalesce(t.issues, 0) / ${GROWTH}::float8 - ${MIN_GROWTH}::integer
      and coalesce(t.issues, 0) * ${GROWTH}::float8 + ${MIN_GROWTH}::integer`
    )
    .executeTakeFirst()
  if (!stale) return
  const shares = Array.from({ length: KEPT_TIMES }, (_, n) => n / (KEPT_TIMES - 1))
  await trx
    .insertInto('searchTimeline')
    .columns(['workspaceId', 'issues', 'times'])
    .expression(eb =>
      eb
        .selectFrom('issue')
        .select(({ val, fn }) => [
          val(workspaceId).as('workspaceId'),
          fn.countAll<number>().as('issues'),
          sql<Date[]>`percentile_disc(${shares}::float8[]) within group (order by created_at)`.as('times')
        ])
        .where(notDeletedIn(workspaceId))
        .having(({ fn }) => fn.countAll(), '>', 0)
    )
    .onConflict(conflict =>
      conflict
        .column('workspaceId')
        .doUpdateSet(eb => ({ issues: eb.ref('excluded.issues'), times: eb.ref('excluded.times') }))
    )
    .execute()
}

export class Timeline {
  readonly #times: readonly number[]
  readonly #issues: number
  readonly #issuesNow: number

  /**
   * @param times in milliseconds, of evenly spaced issues in the order of creation, including the first and the last
   * @param issues their number, when these times were stored
   * @param issuesNow their present number
   */
  constructor(times: readonly number[], issues: number, issuesNow: number) {
    this.#times = times
    this.#issues = issues
    this.#issuesNow = Math.max(issues, issuesNow)
  }

  /** The number of earlier issues, interpolated; after the last stored time, extrapolated. */
  positionAt(moment: Date): number {
    const at = moment.getTime()
    const times = this.#times
    const last = times.at(-1)
    if (last === undefined || at <= times[0]!) return 0
    const intervals = times.length - 1
    if (at > last) {
      const lately = Math.min(RECENT_INTERVALS, intervals)
      const recent = Math.max(1, last - times[intervals - lately]!)
      const since = ((at - last) / recent) * (lately / Math.max(1, intervals)) * this.#issues
      return Math.min(this.#issuesNow, this.#issues + since)
    }
    let [low, high] = [0, intervals]
    while (low < high) {
      const middle = (low + high) >> 1
      if (times[middle]! < at) low = middle + 1
      else high = middle
    }
    const [before, after] = [times[low - 1]!, times[low]!]
    return ((low - 1 + (at - before) / (after - before)) / intervals) * this.#issues
  }
}
