import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { modelIn, nameOf, type ModelFiles } from './files.ts'
import { isRuntimeInstalled, load, type Embedder } from './runtime.ts'
import type { Settings } from './settings.ts'

/**
 * `unavailable`: there is none, or it cannot be used; it is looked for again and again.
 * `not installed`: the packages that run a model are missing.
 */
export type State = 'downloading' | 'loading' | 'ready' | 'unavailable' | 'not installed'

export interface Model extends Embedder {
  name: string
  /** Name and fingerprint: vectors with the same id can be compared. */
  id: string
}

/** The model of one server: found in its folder or fetched, loaded, and exchanged when the files are. */
export interface ModelHolder {
  state(): { state: State; model: string | null }
  current(): Model | undefined
  /** A model that was current before, and whose vectors may still be asked. */
  named(id: string): Model | undefined
  /** Begins to look; returns at once. */
  start(): void
  stop(): Promise<void>
}

/** What a model is for. */
export interface Work {
  /** From now on its vectors are made. */
  adopt(model: Model): Promise<void>
  /** Has all embedded that waits for it. */
  request(): Promise<void>
  /** The ids of the models whose vectors answer. */
  answering(): Promise<string[]>
}

const NOT_INSTALLED =
  'Search goes by words alone, because the packages that run an embedding model are not installed: ' +
  'run npm install --include=optional, or turn the plugin off with TRACKER_PLUGINS__EMBEDDINGS__ENABLED=false.'

/** pgvector's index takes no more. */
const MAX_DIMENSIONS = 4_000

/** Between looks into the folder. */
const LOOK_INTERVAL_MS = 2_000
/** After a download that failed; twice as long after each further one. */
const MIN_RETRY_MS = 1_000
const MAX_RETRY_MS = 600_000
/** Between requests: a replica without a model may have taken one, and done nothing. */
const RECONCILE_INTERVAL_MS = 30_000
/** Between messages about a download. */
const REPORT_INTERVAL_MS = 5_000

export function makeModelHolder(
  { modelDir, modelUrl, modelSha256, download, maxTokens }: Settings,
  log: FastifyBaseLogger,
  { adopt, request, answering }: Work
): ModelHolder {
  const models: Model[] = []
  const stopping = new AbortController()
  let state: State = 'loading'
  let running: Promise<void> | undefined
  let tried = ''
  let failures = 0
  let nextDownload = 0
  let reconciledAt = 0
  let lastLogged = ''

  async function look(): Promise<void> {
    const found = await find()
    if (!found || found.version === tried) {
      if (models.length > 0 && Date.now() > reconciledAt + RECONCILE_INTERVAL_MS) await reconcile()
      return
    }
    tried = found.version
    if (models.length === 0) state = 'loading'
    const model = await loaded(found)
    if (models[0]?.id === model.id) return model.release()
    await adopt(model).catch((error: unknown) => {
      // That is the database's fault: it is tried again.
      tried = ''
      model.release()
      throw error
    })
    models.unshift(model)
    state = 'ready'
    lastLogged = ''
    log.info(
      { model: model.id, dimensions: model.dimensions },
      'search goes by words and by meaning: the embedding model is ready'
    )
    await reconcile()
  }

  async function loaded(files: ModelFiles): Promise<Model> {
    const embedder = await load({ ...files, maxTokens })
    const { dimensions } = embedder
    if (dimensions > MAX_DIMENSIONS) {
      throw new Error(
        `The model ${files.name} makes vectors of ${dimensions} dimensions; there can be ${MAX_DIMENSIONS}.`
      )
    }
    return { ...embedder, name: files.name, id: `${files.name}:${embedder.fingerprint}` }
  }

  /**
   * Requests vectors for what waits, and keeps or drops the former models: they are still used while the vectors of
   * the new one are being made.
   */
  async function reconcile(): Promise<void> {
    reconciledAt = Date.now()
    await request()
    const ids = await answering()
    for (const old of models.splice(1)) {
      if (ids.includes(old.id)) models.push(old)
      else old.release()
    }
    for (const id of ids.filter(id => !models.some(model => model.id === id))) {
      const name = id.slice(0, id.lastIndexOf(':'))
      const files = name === models[0]?.name ? undefined : await modelIn(join(modelDir, name))
      const model = files && (await loaded(files))
      if (model?.id === id) models.push(model)
      else model?.release()
    }
  }

  async function find(): Promise<ModelFiles | undefined> {
    const there = async () => (await modelIn(modelDir)) ?? (await modelIn(join(modelDir, nameOf(modelUrl))))
    const found = await there()
    if (found || models.length > 0) return found
    if (!download) throw new Error(`there is no model in ${modelDir}`)
    if (Date.now() < nextDownload) return undefined
    state = 'downloading'
    let reported = 0
    try {
      const { fetchModel } = await import('./download.ts')
      await fetchModel({ url: modelUrl, sha256: modelSha256 }, modelDir, stopping.signal, (bytes, total) => {
        if (Date.now() < reported + REPORT_INTERVAL_MS && bytes !== total) return
        reported = Date.now()
        log.info(
          { bytes, total, percent: total && Math.round((100 * bytes) / total) },
          'downloading the embedding model'
        )
      })
      failures = 0
    } catch (error) {
      nextDownload = Date.now() + Math.min(MIN_RETRY_MS * 2 ** failures++, MAX_RETRY_MS)
      throw error
    }
    return there()
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await look()
      } catch (error) {
        if (stopping.signal.aborted) return
        if (models.length === 0) state = 'unavailable'
        // Once: a closed network stays closed.
        const { message } = error as Error
        log[message === lastLogged ? 'debug' : 'warn'](
          { err: error },
          models.length > 0
            ? 'the embedding models cannot be reconciled with what the database asks for'
            : 'search goes by words alone: there is no embedding model'
        )
        lastLogged = message
      }
      await sleep(LOOK_INTERVAL_MS, undefined, { signal: stopping.signal, ref: false }).catch(() => {})
    }
  }

  return {
    state: () => ({ state, model: models[0]?.name ?? null }),
    current: () => models[0],
    named: id => models.find(model => model.id === id),
    start() {
      if (isRuntimeInstalled()) {
        running = run()
      } else {
        state = 'not installed'
        log.warn(NOT_INSTALLED)
      }
    },
    async stop() {
      stopping.abort()
      await running
      for (const model of models.splice(0)) model.release()
    }
  }
}
