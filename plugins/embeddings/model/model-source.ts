import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import { modelIn, nameOf, type ModelFiles } from './files.ts'
import type { Settings } from '../settings.ts'

/** The delay after a failed download; doubled with each further failure. */
const MIN_RETRY_MS = 1_000
const MAX_RETRY_MS = 600_000
const REPORT_INTERVAL_MS = 5_000

export class ModelSource {
  readonly #settings: Settings
  readonly #log: FastifyBaseLogger
  readonly #abandoned: AbortSignal
  #failures = 0
  /** By `performance.now()`: the clock may be set back. */
  #nextDownload = -Infinity

  constructor(settings: Settings, log: FastifyBaseLogger, abandoned: AbortSignal) {
    this.#settings = settings
    this.#log = log
    this.#abandoned = abandoned
  }

  async find(): Promise<ModelFiles | undefined> {
    const { modelDir, modelUrl } = this.#settings
    return (await modelIn(modelDir)) ?? (await modelIn(join(modelDir, nameOf(modelUrl))))
  }

  /** Undefined if that has just failed. @throws Error when it fails, or downloads are off */
  async download(onBegin: () => void): Promise<ModelFiles | undefined> {
    const { modelDir, modelUrl: url, modelSha256: sha256, download } = this.#settings
    if (!download) throw new Error(`there is no model in ${modelDir}`)
    if (performance.now() < this.#nextDownload) return undefined
    onBegin()
    try {
      const { fetchModel } = await import('./download.ts')
      await fetchModel({ url, sha256 }, modelDir, this.#abandoned, this.#makeReport())
      this.#failures = 0
    } catch (error) {
      this.#nextDownload = performance.now() + Math.min(MIN_RETRY_MS * 2 ** this.#failures++, MAX_RETRY_MS)
      throw error
    }
    return this.find()
  }

  #makeReport() {
    let reported = -Infinity
    return (bytes: number, total: number | undefined) => {
      if (performance.now() < reported + REPORT_INTERVAL_MS && bytes !== total) return
      reported = performance.now()
      const percent = total && Math.round((100 * bytes) / total)
      this.#log.info({ bytes, total, percent }, 'downloading the embedding model')
    }
  }
}
