import { daysBefore } from '../../lib/util/days.ts'
import type { WorkOptions } from '../api/plugin.ts'
import type { BackupSource } from '../backup/backup.ts'
import type { Settings } from '../config/config.ts'
import { removeEvents } from '../events/consumers/retention.ts'
import { removeOldKeys } from '../http/idempotency/keys.ts'
import type { Kernel } from './kernel.ts'
import { removeOldPlaces } from '../auth/sign-in-places.ts'

type AddOptions = WorkOptions & { keyed?: boolean }

const BACKUP_EXPIRES_SECONDS = 6 * 3600

export function addCoreJobs(
  { jobs, database, now, app }: Kernel,
  settings: Settings,
  source: () => BackupSource
): void {
  const { db, kind } = database
  const add = (
    work: string,
    cron: string,
    handler: () => Promise<void>,
    { keyed = false, ...options }: AddOptions = {}
  ) => {
    const queue = `core.${work}`
    jobs.addWorker({ queue, keyed, options, handler })
    jobs.addSchedule(queue, cron)
  }
  add('removeOldIdempotencyKeys', '20 * * * *', () => removeOldKeys(db, now()))
  add('removeEvents', '23 * * * *', () => removeEvents(db, daysBefore(now(), settings.eventsKeepDays)), { keyed: true })
  add('removeOldSignInPlaces', '26 4 * * *', () => removeOldPlaces(db, now()))
  const { backupFolder: folder } = settings
  if (folder === undefined || kind !== 'embedded') return
  const backUp = async () => {
    const { makeBackup } = await import('../backup/backup.ts')
    const { makeDueBackup } = await import('../backup/schedule.ts')
    const { backupEveryHours: everyHours, backupKeep: keep } = settings
    await makeDueBackup({ folder, everyHours, keep }, now(), async file => {
      const backup = await makeBackup(source(), file)
      app.log.info({ file, ...backup }, 'a backup was made')
    })
  }
  // Each hour it is checked whether one is due: the server may have been off at the time.
  add('backup', '7 * * * *', backUp, { retries: 1, expireSeconds: BACKUP_EXPIRES_SECONDS })
}
