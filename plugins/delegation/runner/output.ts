import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { lines } from './lines.ts'
import { endOfKey, makeLineMask } from './mask.ts'

export interface OutputEvent {
  type: 'stdout' | 'stderr' | 'status'
  text: string
}
interface OutputLimits {
  /** Maximum characters of stored output; the rest is read and dropped. */
  kept: number
  /** Bytes of output from which on the command counts as flooding. */
  flood: number
}
export const LIMITS: OutputLimits = { kept: 1024 * 1024, flood: 256 * 1024 * 1024 }

/** Milliseconds that output waits for more, so that it is stored in batches. */
const GATHER_MS = 200
const RETRY_MS = 1_000
/** Approximate characters of one event. */
const EVENT_SIZE = 16_384
export const SUMMARY_SIZE = 2_000
/** Bytes at the end of dropped output that are kept for the summary. */
const LAST_BYTES = 65_536

export interface Output {
  /** Settles when both streams have ended and all output is stored. It never rejects. */
  readonly done: Promise<void>
  /** The last lines of standard output, masked. */
  summary(): string | null
}

interface OutputOptions {
  stdout: Readable
  stderr: Readable
  mask: (text: string) => string
  /** Stores events; a failure is retried with the same events until the run is abandoned. */
  write: (events: OutputEvent[]) => Promise<void>
  onFlood: () => void
  onStdout?: (chunk: Buffer) => void
  isInSummary?: (line: string) => boolean
  abandoned: AbortSignal
  limits?: OutputLimits
}

/**
 * Stores a command's output as events. Memory is bounded: while a batch is being stored, nothing is read, and the
 * command waits; beyond the limit, output is read and dropped, so that the command goes on.
 */
export function followOutput({
  stdout,
  stderr,
  mask,
  onFlood,
  onStdout,
  limits = LIMITS,
  ...options
}: OutputOptions): Output {
  const events = new EventBuffer({ ...options, maxKept: limits.kept })
  let bytes = 0

  async function follow(type: 'stdout' | 'stderr', stream: Readable): Promise<void> {
    const last: Buffer[] = []
    let lastBytes = 0
    async function* beginning(): AsyncGenerator<Buffer> {
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        if (type === 'stdout') onStdout?.(chunk)
        const before = bytes
        bytes += chunk.length
        if (before <= limits.flood && bytes > limits.flood) onFlood()
        if (!events.isFull) {
          yield chunk
          continue
        }
        last.push(chunk)
        lastBytes += chunk.length
        while (lastBytes - last[0]!.length >= LAST_BYTES) lastBytes -= last.shift()!.length
      }
    }
    try {
      for await (const line of lines(beginning(), makeLineMask(mask))) await events.add(type, line)
      // The end of dropped output is still part of the summary.
      for await (const line of lines(splitAtCharacters(Buffer.concat(last)), makeLineMask(mask))) {
        await events.add(type, line)
      }
    } catch {
      /* destroyed, because a process outside of the run held it open */
    }
  }

  const timer = setInterval(() => {
    if (!events.isEmpty) events.store()
  }, GATHER_MS)
  const done = Promise.all([follow('stdout', stdout), follow('stderr', stderr)])
    .then(() => clearInterval(timer))
    .then(() => events.store())
  return { done, summary: () => events.summary() }
}

type BufferOptions = Pick<OutputOptions, 'write' | 'abandoned' | 'isInSummary'> & { maxKept: number }

class EventBuffer {
  readonly #options: BufferOptions
  #pending: OutputEvent[] = []
  #waiting = 0
  #kept = 0
  #tail = ''
  #storing = Promise.resolve()

  constructor(options: BufferOptions) {
    this.#options = options
  }

  get isEmpty(): boolean {
    return this.#pending.length === 0
  }

  get isFull(): boolean {
    return this.#kept > this.#options.maxKept
  }

  summary(): string | null {
    // The cut may have split a pair of surrogates.
    return this.#tail.replace(/^[\uDC00-\uDFFF]/, '').trim() || null
  }

  /** @returns undefined, or a promise to await before reading more */
  add(type: 'stdout' | 'stderr', line: string): Promise<void> | undefined {
    if (type === 'stdout' && (this.#options.isInSummary?.(line) ?? true)) {
      this.#tail = `${this.#tail}${line}\n`.slice(-SUMMARY_SIZE)
    }
    if (this.isFull) return undefined
    this.#kept += line.length + 1
    if (this.isFull) {
      const text = `The output is longer than ${this.#options.maxKept} characters; the rest is not kept.`
      this.#pending.push({ type: 'status', text })
      return this.store()
    }
    const last = this.#pending.at(-1)
    if (last?.type === type && last.text.length < EVENT_SIZE) last.text += `\n${line}`
    else this.#pending.push({ type, text: line })
    this.#waiting += line.length + 1
    return this.#waiting > EVENT_SIZE ? this.store() : undefined
  }

  store(): Promise<void> {
    this.#storing = this.#storing.then(() => this.#storePending())
    return this.#storing
  }

  async #storePending(): Promise<void> {
    const events = this.#pending
    this.#pending = []
    this.#waiting = 0
    await store(events, this.#options)
  }
}

/** Repeats a failed write with the same events until the run is abandoned. */
export async function store<E>(
  events: E[],
  { write, abandoned }: { write: (events: E[]) => Promise<void>; abandoned: AbortSignal }
): Promise<void> {
  while (events.length > 0 && !abandoned.aborted) {
    try {
      return await write(events)
    } catch {
      await sleep(RETRY_MS, undefined, { signal: abandoned }).catch(() => {})
    }
  }
}

/** Output from its middle: without its first line, which may be half a secret, and the rest of a private key. */
function splitAtCharacters(output: Buffer): Buffer[] {
  const start = Math.max(output.indexOf('\n') + 1, endOfKey(output.toString('latin1')))
  return start > 0 ? [output.subarray(start)] : []
}
