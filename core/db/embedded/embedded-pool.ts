import pg from 'pg'
import { overloaded } from '../../api/errors.ts'
import { makeDiskGuard, type DiskGuard } from './disk-space.ts'
import { EmbeddedSocket } from './embedded-thread.ts'
import type { EmbeddedDatabase } from './embedded.ts'

export interface OpenedDatabase {
  readonly pool: pg.Pool
  guardDisk(): void
  dump(): Promise<Blob>
  whileStill<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export function embeddedPool(
  { thread, pgdata, close }: EmbeddedDatabase,
  onReadOnly: ((isReadOnly: boolean, freeBytes: number) => void) | undefined,
  poolConfig: Pick<pg.PoolConfig, 'Client' | 'types'>
): OpenedDatabase {
  const stream = () => new EmbeddedSocket(thread)
  const pool = new GuardedPool({ ...poolConfig, stream, ssl: false, max: 1, idleTimeoutMillis: 0 })
  // Statements fail by themselves; without listeners the process would exit.
  pool.on('error', () => {}).on('connect', client => client.on('error', () => {}))
  return {
    pool,
    guardDisk() {
      if (pgdata !== undefined) pool.guard = makeDiskGuard(pgdata, onReadOnly ?? (() => {}))
    },
    dump: () => thread.dump(),
    whileStill: work => pool.whileStill(work),
    close
  }
}

/** A request waits so long for a database that stands still. */
const MAX_WAIT_MS = 5_000

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: boolean | Error) => void
) => void

class GuardedPool extends pg.Pool {
  guard: DiskGuard | undefined
  #still: Promise<void> | undefined

  /** While nobody else has the connection, after a checkpoint. */
  async whileStill<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const ended = Promise.withResolvers<void>()
    // From now on: nobody queues behind the work.
    this.#still = ended.promise
    try {
      const client = await super.connect()
      try {
        await client.query('checkpoint')
        return await work(client)
      } finally {
        client.release()
      }
    } finally {
      this.#still = undefined
      ended.resolve()
    }
  }

  override connect(): Promise<pg.PoolClient>
  override connect(callback: Connected): void
  override connect(callback?: Connected): Promise<pg.PoolClient> | void {
    if (callback) return super.connect(callback)
    const still = this.#still
    const connecting = still === undefined ? super.connect() : endOf(still).then(() => super.connect())
    return connecting.then(async client => {
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

async function endOf(still: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(overloaded('A backup is being made: try again in a few seconds.')),
    MAX_WAIT_MS
  )
  try {
    await Promise.race([still, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
