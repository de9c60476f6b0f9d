import pg from 'pg'
import { makeDiskGuard, type DiskGuard } from './disk-space.ts'
import { EmbeddedSocket } from './embedded-thread.ts'
import type { EmbeddedDatabase } from './embedded.ts'

export interface OpenedDatabase {
  readonly pool: pg.Pool
  /** From now on the database is read-only while its disk is nearly full. */
  guardDisk(): void
  dump(): Promise<Blob>
  close(): Promise<void>
}

/**
 * The embedded database behind a pool like that of a PostgreSQL server, with one connection.
 * @param poolConfig what that pool has in common with the others
 */
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

/** A pool that checks the disk space before each use of its connection. */
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
