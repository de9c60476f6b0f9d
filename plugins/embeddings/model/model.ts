import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { modelIn, type ModelFiles } from './files.ts'
import { ModelSource } from './model-source.ts'
import { isRuntimeInstalled, load, type Embedder } from './runtime.ts'
import type { Settings } from '../settings.ts'

/**
 * `unavailable`: there is none, or it is invalid; checks go on. `not installed`: the packages that run a model are
 * missing.
 */
export type State = 'downloading' | 'loading' | 'ready' | 'unavailable' | 'not installed'

export interface Model extends Embedder {
  name: string
  /** Name and fingerprint: vectors with the same id are comparable. */
  id: string
}

interface Work {
  adopt(model: Model): Promise<void>
  request(): Promise<void>
  /** The ids of the models whose vectors answer. */
  answering(): Promise<string[]>
}

export const NOT_INSTALLED =
  'Search goes by words alone, because the packages that run an embedding model are not installed: ' +
  'npm run tracker -- model install adds them for the next start; TRACKER_PLUGINS__EMBEDDINGS__ENABLED=false turns ' +
  'the plugin off.'

/** The limit of pgvector's index. */
const MAX_DIMENSIONS = 4_000

const CHECK_INTERVAL_MS = 2_000
/**
 * Milliseconds between requests, which are repeated because a replica without a model may have taken one and done
 * nothing.
 */
const RECONCILE_INTERVAL_MS = 30_000

export class ModelHolder {
  readonly #settings: Settings
  readonly #log: FastifyBaseLogger
  readonly #work: Work
  readonly #source: ModelSource
  readonly #stopping = new AbortController()
  /** The current one, and former ones whose vectors still answer. */
  readonly #models: Model[] = []
  #state: State = 'loading'
  #running: Promise<void> | undefined
  /** The version of the files that were loaded last. */
  #tried = ''
  /** By `performance.now()`: the clock may be set back. */
  #reconciledAt = -Infinity
  #lastLogged = ''

  constructor(settings: Settings, log: FastifyBaseLogger, work: Work) {
    this.#settings = settings
    this.#log = log
    this.#work = work
    this.#source = new ModelSource(settings, log, this.#stopping.signal)
  }

  state(): { state: State; model: string | null } {
    return { state: this.#state, model: this.#models[0]?.name ?? null }
  }

  current(): Model | undefined {
    return this.#models[0]
  }

  named(id: string): Model | undefined {
    return this.#models.find(model => model.id === id)
  }

  start(): void {
    if (isRuntimeInstalled()) {
      this.#running = this.#run()
    } else {
      this.#state = 'not installed'
      this.#log.warn(NOT_INSTALLED)
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
    await Promise.all(this.#models.splice(0).map(model => model.release()))
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      try {
        await this.#look()
      } catch (error) {
        if (signal.aborted) return
        if (this.#models.length === 0) this.#state = 'unavailable'
        // Once: a closed network stays closed.
        const { message } = error as Error
        this.#log[message === this.#lastLogged ? 'debug' : 'warn'](
          { err: error },
          this.#models.length > 0
            ? 'the embedding models cannot be reconciled with what the database asks for'
            : 'search goes by words alone: there is no embedding model'
        )
        this.#lastLogged = message
      }
      await sleep(CHECK_INTERVAL_MS, undefined, { signal, ref: false }).catch(() => {})
    }
  }

  async #look(): Promise<void> {
    const files = await this.#find()
    if (!files || files.version === this.#tried) {
      const isDue = performance.now() > this.#reconciledAt + RECONCILE_INTERVAL_MS
      if (this.#models.length > 0 && isDue) await this.#reconcile()
      return
    }
    this.#tried = files.version
    if (this.#models.length === 0) this.#state = 'loading'
    const model = await loadModel(files, this.#settings)
    if (this.#models[0]?.id === model.id) return await model.release()
    await this.#adopt(model)
    await this.#reconcile()
  }

  async #find(): Promise<ModelFiles | undefined> {
    const files = await this.#source.find()
    if (files || this.#models.length > 0) return files
    return this.#source.download(() => {
      this.#state = 'downloading'
    })
  }

  async #adopt(model: Model): Promise<void> {
    await this.#work.adopt(model).catch(async (error: unknown) => {
      // The database has failed: retry.
      this.#tried = ''
      await model.release()
      throw error
    })
    this.#models.unshift(model)
    this.#state = 'ready'
    this.#lastLogged = ''
    this.#log.info(
      { model: model.id, dimensions: model.dimensions },
      'search goes by words and by meaning: the embedding model is ready'
    )
  }

  /** The former models are used until the vectors of the new one are complete. */
  async #reconcile(): Promise<void> {
    this.#reconciledAt = performance.now()
    await this.#work.request()
    const ids = await this.#work.answering()
    const models = this.#models
    for (const old of models.splice(1)) {
      if (ids.includes(old.id)) models.push(old)
      else await old.release()
    }
    for (const id of ids.filter(id => !models.some(model => model.id === id))) {
      const name = id.slice(0, id.lastIndexOf(':'))
      const files = name === models[0]?.name ? undefined : await modelIn(join(this.#settings.modelDir, name))
      const model = files && (await loadModel(files, this.#settings))
      if (model?.id === id) models.push(model)
      else await model?.release()
    }
  }
}

async function loadModel(files: ModelFiles, { maxTokens }: Settings): Promise<Model> {
  const embedder = await load({ ...files, maxTokens })
  const { dimensions } = embedder
  if (dimensions > MAX_DIMENSIONS) {
    throw new Error(
      `The model ${files.name} makes vectors of ${dimensions} dimensions; there can be ${MAX_DIMENSIONS}.`
    )
  }
  return { ...embedder, name: files.name, id: `${files.name}:${embedder.fingerprint}` }
}
