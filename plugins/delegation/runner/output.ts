import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { lines } from './lines.ts'
import { endOfKey, makeLineMask } from './mask.ts'

export interface OutputEvent {
  type: 'stdout' | 'stderr' | 'status'
  text: string
}
export interface OutputLimits {
  /** Characters of output that are kept as events; the rest is read and dropped. */
  kept: number
  /** Bytes of output at which the command counts as flooding. */
  flood: number
}
export const LIMITS: OutputLimits = { kept: 1024 * 1024, flood: 256 * 1024 * 1024 }

/** Milliseconds that output waits for more, so that it is stored in batches. */
const GATHER_MS = 200
/** Characters of one event, about. */
const EVENT_SIZE = 16_384
const SUMMARY_SIZE = 2_000

export interface Output {
  /** Settles when both streams are at their end and what could be stored is. It never rejects. */
  readonly done: Promise<void>
  /** The last lines of standard output, masked. */
  summary(): string | null
}

/**
 * Stores a command's output as events. Memory is bounded: while a batch is being stored nothing more is read, and the
 * command waits; past the limit, output is read, so that the command can go on, and dropped.
 * @param write stores events; when it fails it is tried again with the same events until `abandoned` returns true
 */
export function followOutput({
  stdout,
  stderr,
  mask,
  write,
  onFlood,
  abandoned,
  limits = LIMITS
}: {
  stdout: Readable
  stderr: Readable
  mask: (text: string) => string
  write: (events: OutputEvent[]) => Promise<void>
  onFlood: () => void
  abandoned: AbortSignal
  limits?: OutputLimits
}): Output {
  let pending: OutputEvent[] = []
  let waiting = 0
  let kept = 0
  let bytes = 0
  let tail = ''
  let storing = Promise.resolve()

  const store = () => {
    storing = storing.then(storePending)
    return storing
  }
  async function storePending(): Promise<void> {
    const events = pending
    pending = []
    waiting = 0
    while (events.length > 0 && !abandoned.aborted) {
      try {
        return await write(events)
      } catch {
        await sleep(1_000, undefined, { signal: abandoned }).catch(() => {})
      }
    }
  }

  function keep(type: 'stdout' | 'stderr', line: string): Promise<void> | undefined {
    if (type === 'stdout') tail = `${tail}${line}\n`.slice(-SUMMARY_SIZE)
    if (kept > limits.kept) return undefined
    kept += line.length + 1
    if (kept > limits.kept) {
      pending.push({
        type: 'status',
        text: `The output is longer than ${limits.kept} characters; what follows is not kept.`
      })
      return store()
    }
    const last = pending.at(-1)
    if (last?.type === type && last.text.length < EVENT_SIZE) last.text += `\n${line}`
    else pending.push({ type, text: line })
    waiting += line.length + 1
    return waiting > EVENT_SIZE ? store() : undefined
  }

  async function follow(type: 'stdout' | 'stderr', stream: Readable): Promise<void> {
    let last: Buffer[] = []
    async function* beginning(): AsyncGenerator<Buffer> {
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        const before = bytes
        bytes += chunk.length
        if (before <= limits.flood && bytes > limits.flood) onFlood()
        if (kept <= limits.kept) yield chunk
        else last = [...last.slice(-1), chunk]
      }
    }
    try {
      for await (const line of lines(beginning(), makeLineMask(mask))) await keep(type, line)
      // Of what is not kept, the end still counts for the summary.
      for await (const line of lines(withoutHalves(Buffer.concat(last)), makeLineMask(mask))) await keep(type, line)
    } catch {
      /* destroyed: something outside of the run held it open */
    }
  }

  const timer = setInterval(() => {
    if (pending.length > 0) store()
  }, GATHER_MS)
  const done = Promise.all([follow('stdout', stdout), follow('stderr', stderr)])
    .then(() => clearInterval(timer))
    .then(store)
  return { done, summary: () => tail.trim() || null }
}

/**
 * Output that starts in the middle: without its first line, which may be half a secret, and the rest of a private key.
 */
function withoutHalves(output: Buffer): Buffer[] {
  const start = Math.max(output.indexOf('\n') + 1, endOfKey(output.toString('latin1')))
  return start > 0 ? [output.subarray(start)] : []
}
