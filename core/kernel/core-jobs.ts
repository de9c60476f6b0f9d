import { daysBefore } from '../../lib/util/days.ts'
import { removeEvents } from '../events/consumers/retention.ts'
import { removeOldKeys } from '../http/idempotency/keys.ts'
import type { Kernel } from './kernel.ts'
import { removeOldPlaces } from '../auth/sign-in-places.ts'

const REMOVE_KEYS = 'core.removeOldIdempotencyKeys'
const REMOVE_EVENTS = 'core.removeEvents'
const REMOVE_PLACES = 'core.removeOldSignInPlaces'

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
  jobs.addWorker({ queue: REMOVE_PLACES, keyed: false, options: {}, handler: () => removeOldPlaces(db, now()) })
  jobs.addSchedule(REMOVE_PLACES, '26 4 * * *')
}
