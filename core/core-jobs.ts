import { daysBefore } from './days.ts'
import { removeEvents } from './events/retention.ts'
import { removeOldKeys } from './idempotency/keys.ts'
import type { Kernel } from './kernel.ts'

/** The job that removes expired idempotency keys. */
const REMOVE_KEYS = 'core.removeOldIdempotencyKeys'
/** The job that removes events older than the retention period. */
const REMOVE_EVENTS = 'core.removeEvents'

/** The background work that every server has. */
export function addCoreJobs(
  { jobs, database: { db }, now }: Kernel,
  { eventsKeepDays }: { eventsKeepDays: number }
): void {
  jobs.addWorker({ queue: REMOVE_KEYS, keyed: false, options: {}, handler: () => removeOldKeys(db, now()) })
  jobs.addSchedule(REMOVE_KEYS, '20 * * * *')
  jobs.addWorker({
    queue: REMOVE_EVENTS,
    keyed: true,
    options: {},
    handler: () => removeEvents(db, daysBefore(now(), eventsKeepDays))
  })
  jobs.addSchedule(REMOVE_EVENTS, '23 * * * *')
}
