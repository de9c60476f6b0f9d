import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { PoolClient } from 'pg'
import { freeBytes } from '../../../lib/util/free-bytes.ts'

/** For running work: a transaction, its write-ahead log, a checkpoint. */
const RESERVE_BYTES = 16 * 1024 * 1024
/** The part that only the write-ahead log may use. */
const LOG_RESERVE_BYTES = 8 * 1024 * 1024
/** For a start, even with a read-only database, or in an empty folder. */
const START_RESERVE_BYTES = 4 * 1024 * 1024
const NEW_DATABASE_BYTES = 50 * 1024 * 1024
/** In new databases; earlier versions had 16 MiB. */
const NEW_WAL_SEGMENT_BYTES = 1024 * 1024
/** For `initdb`: small files of the write-ahead log save 15 MiB of a small disk. */
export const INITDB_OPTIONS = [`--wal-segsize=${NEW_WAL_SEGMENT_BYTES / 1024 / 1024}`]

export interface DiskGuard {
  /** Call it before each use of the connection. */
  check(client: Pick<PoolClient, 'query'>): Promise<void>
  isReadOnly(): boolean
}

/** Read-only before the disk is full: without space, the write-ahead log loops forever. */
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

/** @param pgdata may not exist yet. @throws Error that says what to do */
export function assertSpaceToStart(dir: string, pgdata: string): void {
  const needed = existsSync(pgdata) ? START_RESERVE_BYTES + walSegmentBytes(pgdata) : NEW_DATABASE_BYTES
  const free = freeBytes(dir)
  if (free >= needed) return
  throw new Error(
    `The disk of the data directory ${dir} is full: ${Math.floor(free / 1024)} KiB are free, ${needed / 1024} are ` +
      'needed to start. Free some space; nothing that was stored is lost.'
  )
}

/** Bytes that tables must leave free. @param pgdata may not exist yet */
export const logReserveBytes = (pgdata: string): number => LOG_RESERVE_BYTES + walSegmentBytes(pgdata)

function walSegmentBytes(pgdata: string): number {
  const dir = join(pgdata, 'pg_wal')
  const segment = existsSync(dir) && readdirSync(dir).find(name => /^[0-9A-F]{24}$/.test(name))
  return segment ? statSync(join(dir, segment)).size : NEW_WAL_SEGMENT_BYTES
}
