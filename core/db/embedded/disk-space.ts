import { existsSync, readdirSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { PoolClient } from 'pg'

/** Bytes that stay free for what runs already: a transaction that has begun, its write-ahead log, a checkpoint. */
const RESERVE_BYTES = 16 * 1024 * 1024
/** Bytes of these that only the write-ahead log may use, however much a transaction stores in tables. */
const LOG_RESERVE_BYTES = 8 * 1024 * 1024
/** Bytes that must be free to start with a database, even one that has become read-only, and with an empty folder. */
const START_RESERVE_BYTES = 4 * 1024 * 1024
const NEW_DATABASE_BYTES = 50 * 1024 * 1024
/** Bytes of a file of the write-ahead log in databases that this version makes; earlier versions chose 16 MiB. */
const NEW_WAL_SEGMENT_BYTES = 1024 * 1024
/** What `initdb` gets: small files of the write-ahead log leave 15 MiB more of a small disk. */
export const INITDB_OPTIONS = [`--wal-segsize=${NEW_WAL_SEGMENT_BYTES / 1024 / 1024}`]

/** Codes of PostgreSQL's errors on a full disk: it is read-only, as the guard makes it, or a file cannot grow. */
export const FULL_DISK_CODES: readonly string[] = ['25006', '53100']

export interface DiskGuard {
  /** Lets transactions write only while there is space; called with the connection before each use of it. */
  check(client: Pick<PoolClient, 'query'>): Promise<void>
  isReadOnly(): boolean
}

/**
 * Makes the embedded database read-only before its disk is full. It has no process that could be restarted: when the
 * write-ahead log finds no space, it loops forever, and every statement waits.
 * @param pgdata the folder of the database
 * @param onChange called when it becomes read-only, and when it can be written again
 */
export function makeDiskGuard(pgdata: string, onChange: (isReadOnly: boolean, freeBytes: number) => void): DiskGuard {
  const neededBytes = RESERVE_BYTES + walSegmentBytes(pgdata)
  let isReadOnly = false
  return {
    async check(client) {
      const free = freeBytes(pgdata)
      const isLow = free < neededBytes
      if (isLow === isReadOnly) return
      await client.query(`set default_transaction_read_only = ${isLow ? 'on' : 'off'}`)
      isReadOnly = isLow
      onChange(isReadOnly, free)
    },
    isReadOnly: () => isReadOnly
  }
}

/**
 * @param pgdata the folder of the database, which may not be there yet
 * @throws Error that says what to do, when its disk has no space to start with
 */
export function assertSpaceToStart(dir: string, pgdata: string): void {
  const needed = existsSync(pgdata) ? START_RESERVE_BYTES + walSegmentBytes(pgdata) : NEW_DATABASE_BYTES
  const free = freeBytes(dir)
  if (free >= needed) return
  throw new Error(
    `The disk of the data directory ${dir} is full: ${Math.floor(free / 1024)} KiB are free, ${needed / 1024} are ` +
      'needed to start. Free some space; nothing that was stored is lost.'
  )
}

/** Bytes of the disk that the tables of a database leave free. @param pgdata its folder, which may not be there yet */
export const logReserveBytes = (pgdata: string): number => LOG_RESERVE_BYTES + walSegmentBytes(pgdata)

/** Bytes that are free where this folder is. */
export function freeBytes(dir: string): number {
  const { bavail, bsize } = statfsSync(dir)
  return bavail * bsize
}

/** Bytes by which the write-ahead log of a database grows. */
function walSegmentBytes(pgdata: string): number {
  const dir = join(pgdata, 'pg_wal')
  const segment = existsSync(dir) && readdirSync(dir).find(name => /^[0-9A-F]{24}$/.test(name))
  return segment ? statSync(join(dir, segment)).size : NEW_WAL_SEGMENT_BYTES
}
