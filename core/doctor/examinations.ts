import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { well, wrong, type Examination, type Finding } from '../api/points.ts'
import { isLoopback } from '../auth/loopback.ts'
import type { Configuration } from '../config/config.ts'
import type { Database } from '../db/database.ts'
import { freeBytes } from '../../lib/util/free-bytes.ts'
import { countDeadLetters } from '../events/consumers/dead-letters.ts'
import type { EventLog } from '../events/log.ts'
import { serverOf } from './queries.ts'

interface Deployment {
  database: Database
  events: EventLog
  settings: Configuration['settings']
  now(): Date
}

const HOUR_MS = 3_600_000
/** Maximum difference between the clocks of the processes of a deployment. */
const MAX_CLOCK_MS = 5_000
const MIB = 1024 * 1024
const MIN_FREE_BYTES = 1024 * MIB
const ADDRESS_TIMEOUT_MS = 5_000

/** The examinations of `doctor` that need no plugin. */
export const coreExaminations = (deployment: Deployment): Examination[] => [
  { part: 'database', examine: () => examineDatabase(deployment) },
  { part: 'clock', examine: () => examineClock(deployment) },
  { part: 'disk', examine: () => examineDisks(deployment) },
  { part: 'events', examine: () => examineEvents(deployment) },
  { part: 'backups', examine: () => examineBackups(deployment) },
  { part: 'address', examine: () => examineAddress(deployment) }
]

async function examineDatabase({ database: { db, kind } }: Deployment): Promise<Finding[]> {
  const { version } = await serverOf(db)
  return [well(`${kind === 'embedded' ? 'The embedded database' : 'PostgreSQL'} (${version}) answers.`)]
}

async function examineClock({ database: { db }, now }: Deployment): Promise<Finding[]> {
  const before = now().getTime()
  const there = (await serverOf(db)).now.getTime()
  const after = now().getTime()
  const differenceMs = Math.max(before - there, there - after, 0)
  if (differenceMs <= MAX_CLOCK_MS) return [well('The clocks of this machine and of the database agree.')]
  const seconds = Math.round(differenceMs / 1000)
  return [wrong(`The clock of the database differs by ${seconds} seconds from this machine's: set both by NTP.`)]
}

async function examineDisks({ database: { kind }, settings }: Deployment): Promise<Finding[]> {
  const { dataDir, backupFolder } = settings
  const folders = [...(kind === 'embedded' ? [dataDir] : []), ...(backupFolder ? [backupFolder] : [])]
  return folders.filter(existsSync).map(examineDisk)
}

function examineDisk(folder: string): Finding {
  const bytes = freeBytes(folder)
  const free = `${Math.floor(bytes / MIB)} MiB are free on the disk of ${resolve(folder)}`
  if (bytes >= MIN_FREE_BYTES) return well(`${free}.`)
  return wrong(`Only ${free}: free space, or move it to a larger disk. A server whose disk is full stores nothing.`)
}

async function examineEvents({ database: { db }, events }: Deployment): Promise<Finding[]> {
  const failed = await countDeadLetters(db)
  const late = (await events.lags()).filter(({ state }) => state === 'behind' || state === 'failing')
  return [
    ...late.map(({ name, events, seconds, state }) =>
      wrong(
        `The consumer ${name} is ${state}, by ${events} events and ${Math.round(seconds)} seconds: ` +
          'see the log of the server, and whether one runs.'
      )
    ),
    failed === 0
      ? well('Every event was handled.')
      : wrong(`${failed} events could not be handled: see them with events failed, and retry or discard each.`)
  ]
}

async function examineBackups({ database: { kind }, settings, now }: Deployment): Promise<Finding[]> {
  const { backupFolder, backupEveryHours } = settings
  if (kind !== 'embedded') return []
  if (backupFolder === undefined) {
    return [wrong('No backup is made by schedule: set TRACKER_BACKUP_FOLDER to a folder on another disk.')]
  }
  // Here, because a start needs none of its libraries.
  const { newestBackup } = await import('../backup/schedule.ts')
  const newest = await newestBackup(backupFolder, now())
  const ageMs = newest === undefined ? Infinity : now().getTime() - newest.getTime()
  if (newest !== undefined && ageMs <= 2 * backupEveryHours * HOUR_MS) {
    return [well(`The newest backup is of ${newest.toISOString()}.`)]
  }
  const last = newest === undefined ? 'There is no backup' : `The newest backup is of ${newest.toISOString()}`
  return [wrong(`${last}, although one is due every ${backupEveryHours} hours: see why in the log of the server.`)]
}

async function examineAddress({ settings }: Deployment): Promise<Finding[]> {
  const { publicUrl, prefix, host, trustProxy } = settings
  if (publicUrl === undefined) {
    return isLoopback(host)
      ? [well('The server is for this machine only.')]
      : [wrong('Others reach this server, and its address is not known: set TRACKER_PUBLIC_URL.')]
  }
  const { origin, protocol, pathname } = new URL(publicUrl)
  const path = pathname.replace(/\/$/, '')
  const isBehindProxy = protocol === 'https:'
  return [
    ...(isBehindProxy && trustProxy === false
      ? [wrong('All requests seem to come from the proxy: set TRACKER_TRUST_PROXY to its address.')]
      : []),
    ...(path !== '' && path !== prefix
      ? [
          wrong(
            `TRACKER_PUBLIC_URL has the path ${path}, and links lead to ${origin}${prefix}: set TRACKER_PREFIX to ` +
              `${path}, or remove the path.`
          )
        ]
      : []),
    await reached(origin + prefix)
  ]
}

async function reached(url: string): Promise<Finding> {
  const address = `${url}/health/live`
  try {
    const answer = await fetch(address, { signal: AbortSignal.timeout(ADDRESS_TIMEOUT_MS) })
    const { status } = (await answer.json()) as { status?: unknown }
    if (answer.ok && status === 'live') return well(`A server answers at ${url}.`)
    return wrong(`${address} answers with ${answer.status}: let the proxy send requests to this server.`)
  } catch (error) {
    const { message, cause } = error as Error & { cause?: Error }
    return wrong(
      `${address} is not reached from here (${cause?.message ?? message}): see whether a server runs, and what the ` +
        'name and the certificate of the proxy are.'
    )
  }
}
