import { existsSync } from 'node:fs'
import { access, constants, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import pg from 'pg'
import { explainDirectoryError } from '../start-errors.ts'
import { holdDirectory } from './directory-lock.ts'
import { assertSpaceToStart, INITDB_OPTIONS, makeDiskGuard, type DiskGuard } from './disk-space.ts'
import { EmbeddedSocket, EmbeddedThread } from './embedded-thread.ts'
import { collectGarbage } from './garbage.ts'

/** A quarter of PostgreSQL's default: what the operating system keeps of the files is nearly as fast. */
const SHARED_BUFFERS_MB = 32
const LOW_SHARED_BUFFERS_MB = 16

export interface OpenedDatabase {
  readonly pool: pg.Pool
  /** From now on it is read-only while its disk is nearly full. */
  guardDisk(): void
  dump(): Promise<Blob>
  close(): Promise<void>
}

/**
 * The embedded database behind a pool like that of a PostgreSQL server, with one connection.
 * @param options.lowMemory whether little memory matters more than the time of searches
 * @param poolConfig what that pool has in common with the others
 * @throws Error that says what to do, when the folder is in use, cannot be written, or its disk is full
 */
export async function openEmbedded(
  {
    dataDir,
    template,
    lowMemory = false,
    settings,
    onReadOnly
  }: {
    dataDir?: string | undefined
    template?: Blob | undefined
    lowMemory?: boolean | undefined
    settings: Record<string, number>
    onReadOnly?: ((isReadOnly: boolean, freeBytes: number) => void) | undefined
  },
  poolConfig: Pick<pg.PoolConfig, 'Client' | 'types'>
): Promise<OpenedDatabase> {
  const release = dataDir === undefined ? async () => {} : await holdDirectory(await makeDirectory(dataDir))
  const pgdata = dataDir === undefined ? undefined : join(dataDir, 'pgdata')
  if (dataDir !== undefined && pgdata !== undefined) assertSpaceToStart(dataDir, pgdata)
  if (lowMemory) {
    // The optimizing compiler needs 600 MB for a single function of the database, the interpreter of expressions.
    setFlagsFromString('--no-wasm-tier-up --no-wasm-dynamic-tiering')
    // What loading the modules has left behind would still be there when the database takes its memory.
    collectGarbage()
  }
  const options = {
    dataDir: pgdata,
    template,
    initDbStartParams: INITDB_OPTIONS,
    sharedBuffersMb: lowMemory ? LOW_SHARED_BUFFERS_MB : SHARED_BUFFERS_MB,
    settings
  }
  if (lowMemory && pgdata !== undefined && !existsSync(pgdata)) {
    // What makes a database keeps its memory until its thread ends.
    await (await EmbeddedThread.open(options)).close()
  }
  const thread = await EmbeddedThread.open(options)
  const stream = () => new EmbeddedSocket(thread)
  const pool = new GuardedPool({ ...poolConfig, stream, ssl: false, max: 1, idleTimeoutMillis: 0 })
  // A statement that fails with its connection says so itself; without listeners the process would end.
  pool.on('error', () => {}).on('connect', client => client.on('error', () => {}))
  return {
    pool,
    guardDisk() {
      if (pgdata !== undefined) pool.guard = makeDiskGuard(pgdata, onReadOnly ?? (() => {}))
    },
    dump: () => thread.dump(),
    async close() {
      await thread.close()
      await release()
    }
  }
}

/** A pool that looks at the space on the disk before each use of its connection. */
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

/** @throws Error when this user cannot write to it */
async function makeDirectory(dir: string): Promise<string> {
  try {
    await mkdir(dir, { recursive: true })
    await access(dir, constants.W_OK)
  } catch (error) {
    throw explainDirectoryError(error as Error, dir)
  }
  return dir
}
