import { access, constants, mkdir } from 'node:fs/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { explainDamage, explainDirectoryError } from '../start-errors.ts'
import { hasCluster, markFinished, markUnfinished, pgdataOf } from './cluster-folder.ts'
import { holdDirectory } from './directory-lock.ts'
import { assertSpaceToStart, INITDB_OPTIONS } from './disk-space.ts'
import { EmbeddedThread, type EmbeddedOptions } from './embedded-thread.ts'
import { RANDOM_PAGE_COST } from '../limits.ts'
import { readCluster } from './prepared-cluster.ts'

/** A quarter of PostgreSQL's default: the operating system's cache is nearly as fast. */
const SHARED_BUFFERS_MB = 32
const LOW_SHARED_BUFFERS_MB = 16
/**
 * Roughly bytes of executed code before V8 optimizes a function; nearly the maximum. With the default, the few
 * statements of a start make V8 optimize the largest functions, which takes longer.
 */
const TIERING_BUDGET = 2_000_000_000

export interface EmbeddedDatabaseOptions extends Pick<EmbeddedOptions, 'dataDir' | 'template'> {
  /** New databases are copies of it; absent: that of `npm install`. */
  preparedCluster?: string | undefined
  lowMemory?: boolean | undefined
  worker?: URL | undefined
}

export interface EmbeddedDatabase {
  readonly thread: EmbeddedThread
  /** Undefined: in memory. */
  readonly pgdata: string | undefined
  close(): Promise<void>
}

export interface OpeningDatabase {
  readonly opened: Promise<EmbeddedDatabase>
}

/** @throws Error that says what to do, when the folder is in use, cannot be written, or its disk is full */
export async function openEmbedded(options: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> {
  return (await startEmbedded(options)).opened
}

/** Resolves as soon as the thread runs: from then on opening needs no turn of the event loop. */
export async function startEmbedded(options: EmbeddedDatabaseOptions): Promise<OpeningDatabase> {
  const { dataDir } = options
  const release = dataDir === undefined ? async () => {} : await holdDirectory(await makeDirectory(dataDir))
  const releaseAfter = async (error: unknown): Promise<never> => {
    await release()
    throw error
  }
  const { opened } = await openThread(options).catch(releaseAfter)
  return {
    opened: opened.then(({ thread, pgdata }) => {
      let closing: Promise<void> | undefined
      return { thread, pgdata, close: () => (closing ??= thread.close().then(release)) }
    }, releaseAfter)
  }
}

async function openThread({
  dataDir,
  template,
  preparedCluster,
  lowMemory = false,
  worker
}: EmbeddedDatabaseOptions): Promise<{ opened: Promise<Pick<EmbeddedDatabase, 'thread' | 'pgdata'>> }> {
  const pgdata = dataDir === undefined ? undefined : pgdataOf(dataDir)
  if (dataDir !== undefined && pgdata !== undefined) assertSpaceToStart(dataDir, pgdata)
  const isNew = dataDir === undefined || !hasCluster(dataDir)
  if (dataDir !== undefined && isNew) await markUnfinished(dataDir)
  const copied = template ?? (isNew ? await readCluster(preparedCluster) : undefined)
  // Validating all functions takes longer than running those that a start needs.
  setFlagsFromString('--wasm-lazy-validation')
  if (lowMemory) {
    // The optimizing compiler needs 600 MB for one function, the interpreter of expressions.
    setFlagsFromString('--no-wasm-tier-up --no-wasm-dynamic-tiering')
    // Before the database allocates its memory.
    collectGarbage()
  } else {
    setFlagsFromString(`--wasm-tiering-budget=${TIERING_BUDGET}`)
  }
  const options = {
    dataDir: pgdata,
    template: copied,
    initDbStartParams: INITDB_OPTIONS,
    sharedBuffersMb: lowMemory ? LOW_SHARED_BUFFERS_MB : SHARED_BUFFERS_MB,
    settings: { random_page_cost: RANDOM_PAGE_COST }
  }
  if (lowMemory && pgdata !== undefined && isNew && copied === undefined) {
    // The memory of `initdb` is freed only when the thread ends.
    await (await EmbeddedThread.open(options)).close()
  }
  const opening = EmbeddedThread.open(options, worker)
  const opened = opening.then(async thread => {
    if (dataDir !== undefined) await markFinished(dataDir)
    return { thread, pgdata }
  })
  if (dataDir === undefined || isNew) return { opened }
  return {
    opened: opened.catch((error: Error) => {
      throw explainDamage(error, dataDir)
    })
  }
}

/** V8 itself returns memory only after it has doubled, and keeps the young generation, up to 128 MB. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect: NodeJS.GCFunction = runInNewContext('gc')
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

async function makeDirectory(dir: string): Promise<string> {
  try {
    await mkdir(dir, { recursive: true })
    await access(dir, constants.W_OK)
  } catch (error) {
    throw explainDirectoryError(error as Error, dir)
  }
  return dir
}
