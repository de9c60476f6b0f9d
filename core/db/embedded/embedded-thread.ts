import { Duplex } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'

export interface EmbeddedOptions {
  dataDir?: string | undefined
  /** A dumped database to begin with. */
  template?: Blob | undefined
  initDbStartParams: string[]
  sharedBuffersMb: number
  settings: Record<string, number>
}
export interface EmbeddedModules {
  pgliteWasmModule: WebAssembly.Module
  initdbWasmModule: WebAssembly.Module
}
export interface EmbeddedThreadData {
  options: EmbeddedOptions
  modules: EmbeddedModules | undefined
}
export type EmbeddedRequest =
  { kind: 'protocol'; bytes: Uint8Array<ArrayBuffer> } | { kind: 'dump' } | { kind: 'close' }

const WORKER = new URL('./embedded-worker.ts', import.meta.url)

/**
 * So that no statement blocks the event loop. If it ends, so does the process: the next start recovers the database.
 */
export class EmbeddedThread {
  /** Compiled by the first thread of the process. */
  static #modules: EmbeddedModules | undefined
  readonly #worker: Worker
  /** In the order of their answers. */
  readonly #requests: Array<PromiseWithResolvers<unknown>> = []
  #lost: Error | undefined

  private constructor(options: EmbeddedOptions, worker: URL) {
    const workerData: EmbeddedThreadData = { options, modules: EmbeddedThread.#modules }
    this.#worker = new Worker(worker, { workerData, execArgv: [] })
    this.#worker.on('message', answer => {
      this.#requests.shift()?.resolve(answer)
      // An idle database does not keep the process alive.
      if (this.#requests.length === 0) this.#worker.unref()
    })
  }

  static async open(options: EmbeddedOptions, worker = WORKER): Promise<EmbeddedThread> {
    const thread = new EmbeddedThread(options, worker)
    const opened = Promise.withResolvers<unknown>()
    thread.#requests.push(opened)
    thread.#worker.once('error', opened.reject)
    EmbeddedThread.#modules = (await opened.promise) as EmbeddedModules
    thread.#worker.off('error', opened.reject).on('error', error => thread.#fail(error))
    return thread
  }

  async execute(messages: Uint8Array): Promise<Uint8Array> {
    const bytes = new Uint8Array(messages)
    return (await this.#request({ kind: 'protocol', bytes }, [bytes.buffer])) as Uint8Array
  }

  async dump(): Promise<Blob> {
    return (await this.#request({ kind: 'dump' })) as Blob
  }

  async close(): Promise<void> {
    if (this.#lost === undefined) await this.closeDatabase()
    await this.#worker.terminate()
  }

  /** Closes the database, but leaves its thread running. */
  async closeDatabase(): Promise<void> {
    await this.#request({ kind: 'close' })
  }

  #request(request: EmbeddedRequest, transfer: ArrayBuffer[] = []): Promise<unknown> {
    if (this.#lost) return Promise.reject(this.#lost)
    const answered = Promise.withResolvers<unknown>()
    this.#requests.push(answered)
    this.#worker.ref()
    this.#worker.postMessage(request, transfer)
    return answered.promise
  }

  #fail(error: Error): void {
    this.#lost = new Error('The embedded database has ended.', { cause: error })
    for (const { reject } of this.#requests.splice(0)) reject(this.#lost)
    throw this.#lost
  }
}

const QUERY = 'Q'
const TERMINATE = 'X'.charCodeAt(0)
/** AuthenticationOk, and ReadyForQuery, idle. */
const WELCOME = Buffer.from('R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I', 'latin1')

const MAX_PUSHED_BYTES = 1024 * 1024

function queryMessage(sql: string): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(4 + Buffer.byteLength(sql) + 1)
  return Buffer.concat([Buffer.from(QUERY), length, Buffer.from(`${sql}\0`)])
}
/** The last client's state of the only session. */
const RESET = Buffer.concat([queryMessage('rollback'), queryMessage('deallocate all')])

/**
 * Stands in for `pg`'s socket to a PostgreSQL server. Only one may be open at a time.
 * @see https://www.postgresql.org/docs/current/protocol-flow.html
 */
export class EmbeddedSocket extends Duplex {
  readonly #thread: EmbeddedThread
  #hasStarted = false

  constructor(thread: EmbeddedThread) {
    super()
    this.#thread = thread
  }

  connect(): this {
    process.nextTick(() => this.emit('connect'))
    return this
  }
  setNoDelay(): this {
    return this
  }
  setKeepAlive(): this {
    return this
  }
  ref(): this {
    return this
  }
  unref(): this {
    return this
  }

  override _read(): void {
    // `#answer` pushes the data.
  }

  /** `pg` writes a statement's messages at once: they are one request to the thread. */
  override _writev(chunks: Array<{ chunk: Buffer }>, done: (error?: Error) => void): void {
    this._write(Buffer.concat(chunks.map(({ chunk }) => chunk)), 'buffer', done)
  }

  override _write(messages: Buffer, _encoding: string, done: (error?: Error) => void): void {
    this.#answer(messages).then(() => done(), done)
  }

  async #answer(messages: Buffer): Promise<void> {
    if (!this.#hasStarted) {
      this.#hasStarted = true
      await this.#thread.execute(RESET)
      this.push(WELCOME)
    } else if (messages[0] === TERMINATE) {
      this.push(null)
    } else {
      const { buffer, byteOffset, byteLength } = await this.#thread.execute(messages)
      for (let at = 0; at < byteLength; at += MAX_PUSHED_BYTES) {
        // A long answer is parsed in several turns of the event loop.
        if (at > 0) await setImmediate()
        this.push(Buffer.from(buffer, byteOffset + at, Math.min(MAX_PUSHED_BYTES, byteLength - at)))
      }
    }
  }
}
