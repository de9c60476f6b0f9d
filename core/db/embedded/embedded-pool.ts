import pg from 'pg'
import { makeDiskGuard, type DiskGuard } from './disk-space.ts'
import { EmbeddedSocket } from './embedded-thread.ts'
import type { EmbeddedDatabase } from './embedded.ts'

export interface OpenedDatabase {
  readonly pool: pg.Pool
  /** Makes the database read-only while its disk is nearly full. */
  guardDisk(): void
  dump(): Promise<Blob>
  close(): Promise<void>
}

/** The embedded database behind a pool with one connection. @param poolConfig the common options of all pools */
export function embeddedPool(
  { thread, pgdata, close }: EmbeddedDatabase,
  onReadOnly: ((isReadOnly: boolean, freeBytes: number) => void) | undefined,
  poolConfig: Pick<pg.PoolConfig, 'Client' | 'types'>
): OpenedDatabase {
  const stream = () => new EmbeddedSocket(thread)
  const pool = new GuardedPool({ ...poolConfig, stream, ssl: false, max: 1, idleTimeoutMillis: 0 })
  // A statement reports the failure of its connection itself; without listeners the process would exit.
  pool.on('error', () => {}).on('connect', client => client.on('error', () => {}))
  return {
    pool,
    guardDisk() {
      if (pgdata !== undefined) pool.guard = makeDiskGuard(pgdata, onReadOnly ?? (() => {}))
    },
    dump: () => thread.dump(),
    close
  }
}

/** Checks the disk space before each use of the connection. */
class GuardedPool extends pg.Pool {
  guard: DiskGuard | undefined

  override connect(): Promise<pg.PoolClient>
  override connect(
    callback: (
      error: Error | undefined,
      client: pg.PoolClient | undefined,
      done: (release?: boolean | Error) => void
    ) => void
  ): void
  override connect(
    callback?: (
      error: Error | undefined,
      client: pg.PoolClient | undefined,
      done: (release?: boolean | Error) => void
    ) => void
  ): Promise<pg.PoolClient> | void {
    if (callback) return super.connect(callback)
    return super.connect().then(async client => {
      try {
        await this.guard?.check(client)
      } catch (error) {
        client.release(error as Error)
        throw error
      }
      return client
    })
  }
}
