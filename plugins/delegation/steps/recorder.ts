import { setTimeout as sleep } from 'node:timers/promises'
import { cleanText } from '../runner/lines.ts'
import { store } from '../runner/output.ts'
import type { RunEvent } from '../queries/listing.ts'
import { makeStepReader, type Step } from './streams.ts'

interface StepLimits {
  /** Maximum steps of an attempt, and characters of all of them; the rest is not kept. */
  steps: number
  kept: number
}
const STEP_LIMITS: StepLimits = { steps: 2_000, kept: 512 * 1024 }

const MAX_NAME_LENGTH = 100
const MAX_LENGTHS: Record<Step['type'], number> = { message: 4_000, tool: 300, file: 300, failure: 600 }
const STORE_INTERVAL_MS = 500

interface StepRecorder {
  readLine(line: string): void
  /** True once a line of a known stream was read: from then on, lines are JSON, not text for people. */
  isStream(): boolean
  /** The agent's last message, masked. */
  lastMessage(): string | null
  /** It never rejects. */
  end(): Promise<void>
}

interface RecorderOptions {
  mask: (text: string) => string
  /** Stores events; a failure is retried until the run is abandoned. */
  write: (events: RunEvent[]) => Promise<void>
  abandoned: AbortSignal
  limits?: StepLimits
}

export function makeStepRecorder({ mask, write, abandoned, limits = STEP_LIMITS }: RecorderOptions): StepRecorder {
  const read = makeStepReader()
  const batches = makeBatches(write, abandoned)
  let last: string | null = null
  let isStream = false
  let count = 0
  let kept = 0
  // A secret at the cut is masked before the text is cut.
  const shown = (text: string, max: number) => {
    const masked = mask(cleanText(text.slice(0, 2 * max))).trim()
    return masked.length > max ? `${masked.slice(0, max).toWellFormed()}…` : masked
  }

  function add({ type, name, text }: Step): void {
    const step = {
      type,
      name: name === null ? null : shown(name, MAX_NAME_LENGTH),
      text: shown(text, MAX_LENGTHS[type])
    }
    if (type === 'message' && step.text === last) return
    if (type === 'message') last = step.text
    if (count >= limits.steps || kept > limits.kept) return
    count += 1
    kept += step.text.length + (step.name?.length ?? 0)
    batches.add(step)
    if (count < limits.steps && kept <= limits.kept) return
    batches.add({ type: 'status', text: 'It has more steps than are kept: the rest is in the output alone.' })
  }

  return {
    readLine(line) {
      const steps = read(line)
      isStream ||= steps !== undefined
      for (const step of steps ?? []) add(step)
    },
    isStream: () => isStream,
    lastMessage: () => last,
    end: batches.end
  }
}

function makeBatches(write: RecorderOptions['write'], abandoned: AbortSignal) {
  let pending: RunEvent[] = []
  function storePending(): Promise<void> {
    const events = pending
    pending = []
    return store(events, { write, abandoned })
  }
  const over = new AbortController()
  async function storeRepeatedly(): Promise<void> {
    while (!over.signal.aborted) {
      await sleep(STORE_INTERVAL_MS, undefined, { signal: over.signal }).catch(() => {})
      await storePending()
    }
  }
  const storing = storeRepeatedly()
  return {
    add: (event: RunEvent) => pending.push(event),
    async end(): Promise<void> {
      over.abort()
      await storing
      await storePending()
    }
  }
}
