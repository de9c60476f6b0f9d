import { daysBefore } from '../../lib/util/days.ts'
import type { BackupSource } from '../backup/backup.ts'
import type { BackupPlan } from '../backup/schedule.ts'
import type { Settings } from '../config/config.ts'
import { removeEvents } from '../events/consumers/retention.ts'
import { removeOldKeys } from '../http/idempotency/keys.ts'
import type { Kernel } from './kernel.ts'
import { removeOldPlaces } from '../auth/sign-in-places.ts'

const REMOVE_KEYS = 'core.removeOldIdempotencyKeys'
const REMOVE_EVENTS = 'core.removeEvents'
const REMOVE_PLACES = 'core.removeOldSignInPlaces'
const BACKUP = 'core.backup'
/** Seconds after which a backup counts as hung. */
const BACKUP_EXPIRES_SECONDS = 6 * 3600

export function addCoreJobs(kernel: Kernel, settings: Settings, source: () => BackupSource): void {
  const { jobs, database, now } = kernel
  const { db } = database
  jobs.addWorker({ queue: REMOVE_KEYS, keyed: false, options: {}, handler: () => removeOldKeys(db, now()) })
  jobs.addSchedule(REMOVE_KEYS, '20 * * * *')
  jobs.addWorker({
    queue: REMOVE_EVENTS,
    keyed: true,
    options: {},
    handler: () => removeEvents(db, daysBefore(now(), settings.eventsKeepDays))
  })
  jobs.addSchedule(REMOVE_EVENTS, '23 * * * *')
  jobs.addWorker({ queue: REMOVE_PLACES, keyed: false, options: {}, handler: () => removeOldPlaces(db, now()) })
  jobs.addSchedule(REMOVE_PLACES, '26 4 * * *')
  const { backupFolder: folder } = settings
  if (folder === undefined || database.kind !== 'embedded') return
  jobs.addWorker({
    queue: BACKUP,
    keyed: false,
    options: { retries: 1, expireSeconds: BACKUP_EXPIRES_SECONDS },
    handler: () => backUp(kernel, source, { folder, everyHours: settings.backupEveryHours, keep: settings.backupKeep })
  })
  // Each hour it is checked whether one is due: the server may have been off at the time.
  jobs.addSchedule(BACKUP, '7 * * * *')
}

async function backUp(kernel: Kernel, source: () => BackupSource, plan: BackupPlan): Promise<void> {
  const { makeBackup } = await import('../backup/backup.ts')
  const { makeDueBackup } = await import('../backup/schedule.ts')
  await makeDueBackup(plan, kernel.now(), async file => {
    const backup = await makeBackup(source(), file)
    kernel.app.log.info({ file, ...backup }, 'a backup was made')
  })
}
