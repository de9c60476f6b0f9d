import { mkdir, readdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { UNFINISHED } from './archive.ts'

const HOUR_MS = 3_600_000
/** A backup that is made once a day must not be an hour later each day. */
const TOLERANCE_MS = 10 * 60_000
/** Backups: names in alphabetical order are in the order of time. */
const NAME = /^tracker-(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ)\.tar\.gz$/
const nameOf = (time: Date): string =>
  `tracker-${time
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '-')}.tar.gz`
const timeOf = (name: string): number => Date.parse(NAME.exec(name)![1]!.replace(/T(\d\d)-(\d\d)-(\d\d)/, 'T$1:$2:$3'))

interface BackupPlan {
  folder: string
  everyHours: number
  keep: number
}

/** Makes a backup if one is due, and removes the oldest. @returns its path; undefined: none was due */
export async function makeDueBackup(
  { folder, everyHours, keep }: BackupPlan,
  now: Date,
  make: (file: string) => Promise<unknown>
): Promise<string | undefined> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const name of await readdir(folder)) {
    if (name.endsWith(UNFINISHED) && NAME.test(basename(name, UNFINISHED))) await rm(join(folder, name))
  }
  const last = await newestBackup(folder, now)
  if (last && now.getTime() - last.getTime() < everyHours * HOUR_MS - TOLERANCE_MS) return undefined
  const file = join(folder, nameOf(now))
  await make(file)
  for (const name of (await backupsIn(folder, now)).slice(0, -keep)) await rm(join(folder, name))
  return file
}

export async function newestBackup(folder: string, now: Date): Promise<Date | undefined> {
  const newest = (await backupsIn(folder, now).catch(() => [])).at(-1)
  return newest === undefined ? undefined : new Date(timeOf(newest))
}

/** The oldest first, without those from the future: they were made while the clock was wrong. */
const backupsIn = async (folder: string, now: Date): Promise<string[]> =>
  (await readdir(folder)).filter(name => NAME.test(name) && timeOf(name) <= now.getTime()).toSorted()
