import { Worker } from 'node:worker_threads'
import type { ModelFiles } from './files.ts'

export interface Question {
  id: number
  question:
    | { kind: 'load'; handle: number; dir: string; file: string; maxTokens: number }
    | { kind: 'embed'; handle: number; texts: string[] }
    | { kind: 'release'; handle: number }
}
export interface Answer {
  id: number
  result?: unknown
  error?: string
}

interface EmbedOptions {
  /** True if it precedes other requests, because somebody waits for it. */
  urgent?: boolean
  /** Removes it from the queue. */
  signal?: AbortSignal
}

/** `npm install --omit=optional` leaves out the packages that run a model. */
export function isRuntimeInstalled(): boolean {
  try {
    import.meta.resolve('onnxruntime-node')
    import.meta.resolve('@huggingface/tokenizers')
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return false
    throw error
  }
}

export interface Embedder {
  /** A hash of the model's files: equal files make equal vectors. */
  readonly fingerprint: string
  readonly dimensions: number
  /** A vector of length 1 for each text. Pass few texts at once: urgent requests wait for running ones. */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<number[][]>
  /** Resolves when the thread has answered all requests: a process that ends earlier is aborted. */
  release(): Promise<void>
}

interface Call {
  question: Question['question']
  urgent: boolean
  resolve(result: unknown): void
  reject(error: Error): void
}

/*
 * One thread for the life of the process: onnxruntime cannot be loaded a second time. It gets one request at a time, so
 * that the queue is here, where it can be changed.
 */
let thread: Worker | undefined
let pending: Call | undefined
let dead: Error | undefined
let lastId = 0
const queue: Call[] = []

function start(): Worker {
  const worker = new Worker(new URL('./thread.ts', import.meta.url))
  worker.on('message', ({ id, result, error }: Answer) => {
    if (id !== lastId || !pending) return
    const call = pending
    pending = undefined
    if (error === undefined) call.resolve(result)
    else call.reject(new Error(error))
    next()
  })
  worker.on('error', error => {
    dead = error
  })
  worker.on('exit', () => {
    dead ??= new Error('its thread has ended')
    dead = new Error(`No model can be used until the server is started again: ${dead.message}`, { cause: dead })
    for (const call of [...(pending ? [pending] : []), ...queue.splice(0)]) call.reject(dead)
  })
  return worker
}

function next(): void {
  if (dead || pending) return
  pending = queue.shift()
  thread ??= start()
  // An idle thread does not keep the process alive.
  if (!pending) return thread.unref()
  thread.ref()
  thread.postMessage({ id: ++lastId, question: pending.question } satisfies Question)
}

async function ask<T>(question: Question['question'], { urgent = false, signal }: EmbedOptions = {}): Promise<T> {
  if (dead) throw dead
  signal?.throwIfAborted()
  return new Promise<T>((resolve, reject) => {
    const call: Call = { question, urgent, resolve: result => resolve(result as T), reject }
    const before = urgent ? queue.findIndex(other => !other.urgent) : -1
    queue.splice(before < 0 ? queue.length : before, 0, call)
    signal?.addEventListener(
      'abort',
      () => {
        const at = queue.indexOf(call)
        if (at >= 0) queue.splice(at, 1)
        reject(new Error('The model took too long.', { cause: signal.reason }))
      },
      { once: true }
    )
    next()
  })
}

let lastHandle = 0

/** @param maxTokens tokens of a text that the model reads @throws Error when the files are not a usable model */
export async function load({
  dir,
  file,
  maxTokens
}: Pick<ModelFiles, 'dir' | 'file'> & { maxTokens: number }): Promise<Embedder> {
  const handle = ++lastHandle
  const about = await ask<Pick<Embedder, 'fingerprint' | 'dimensions'>>({ kind: 'load', handle, dir, file, maxTokens })
  return {
    ...about,
    embed: (texts, options) => ask({ kind: 'embed', handle, texts: [...texts] }, options),
    // Without its thread there is nothing to release.
    release: () => ask<void>({ kind: 'release', handle }).catch(() => {})
  }
}
