import { availableParallelism } from 'node:os'
import type { Piscina } from 'piscina'
import { ApiError } from '../api/errors.ts'
import { groupBySize } from '../../lib/util/group-by-size.ts'
import { Shares } from '../auth/shares.ts'
import type { Criterion, ProseBlock } from '../../lib/rich-text/index.ts'
import {
  convert,
  type Operation,
  type Operations,
  type Outcome,
  type Rebased,
  type RebaseInput,
  type RichText,
  type TextInput,
  type TickedText,
  type TickInput
} from './convert.ts'

export type { RichText, TickedText } from './convert.ts'

export interface ConversionLimits {
  /** Milliseconds that a conversion may take, with its wait for a thread. */
  timeoutMs: number
  /** Megabytes of heap that a thread may use. */
  maxHeapMb: number
  /** Conversions that may wait for a thread. */
  maxWaiting: number
  maxThreads: number
}

interface Conversions {
  /**
   * Reads the rich texts of one request, each from its raw or markdown field; the raw one wins.
   * @returns for each text what is stored, undefined when it has neither field
   * @throws ApiError 400, 413, or 503 when the server has no time or memory for it
   */
  read(texts: readonly TextInput[]): Promise<Array<RichText | undefined>>
  /** Ticks items of a stored text. @throws as `read`, and 400 that lists the items */
  tick(json: string, met: TickInput['met'], unmet: TickInput['unmet']): Promise<TickedText>
  /** As `tick`, at once; undefined for what must not run on the event loop. */
  tickSmall(json: string, met: TickInput['met'], unmet: TickInput['unmet']): TickedText | undefined
  /** The checklist items of a markdown text. @throws as `read` */
  criteria(markdown: string): Promise<Criterion[]>
  /** The prose of a markdown text. @throws as `read` */
  prose(markdown: string): Promise<ProseBlock[]>
  /** See `Rebased`. @throws as `read` */
  rebase(input: RebaseInput): Promise<Rebased>
}

/**
 * Maximum bytes of markdown that are converted on the event loop. The limit is low, because markup makes some texts
 * fifty times as slow as others, and a call of a thread costs less than a millisecond.
 */
const MAX_INLINE_BYTES = 4 * 1024
/** A text with such quotes is not converted on the event loop: each level reads all lines again. */
const DEEP_QUOTE = /(?:>[ \t]?){10}/
/** To convert a character of JSON costs about this share of what a character of markdown does. */
const JSON_SHARE = 0.25
/**
 * Maximum bytes of several texts that are converted in one call of a thread. Each call has the whole time limit, which
 * a slow machine needs for a megabyte of markup.
 */
const MAX_CALL_BYTES = 256 * 1024
/** Bytes of JSON that the texts of one request may have together. */
const MAX_REQUEST_JSON_BYTES = 16 * 1024 * 1024
const HEAP_CHECK_INTERVAL_MS = 25
const MEGABYTE = 1024 * 1024

/** Conversions of rich texts: small ones on the event loop, large ones in worker threads that start with the first. */
export function makeConversions(limits: ConversionLimits): Conversions {
  let pool: Promise<Piscina> | undefined
  const total = limits.maxThreads + limits.maxWaiting
  const shares = sharesOf(total)
  let running = 0
  let heapCheck: NodeJS.Timeout | undefined

  async function run<N extends Operation>(
    name: N,
    input: Parameters<Operations[N]>[0],
    bytes: number
  ): Promise<ReturnType<Operations[N]>> {
    return resultOf(bytes <= MAX_INLINE_BYTES ? convert(name, input) : await inThread(name, input))
  }

  async function inThread<N extends Operation>(
    name: N,
    input: Parameters<Operations[N]>[0]
  ): Promise<Outcome<ReturnType<Operations[N]>>> {
    // Not the pool's own limit, which does not count tasks that have an abort signal.
    if (running >= total) throw tooManyWait()
    const giveBack = shares.take()
    const isFirst = running++ === 0
    try {
      const started = await (pool ??= makePool(limits.maxThreads))
      if (isFirst) heapCheck = setInterval(() => endLargeThreads(started, limits.maxHeapMb), HEAP_CHECK_INTERVAL_MS)
      return await started.run({ name, input }, { signal: AbortSignal.timeout(limits.timeoutMs) })
    } catch (error) {
      throw outOfLimits(error, limits) ?? error
    } finally {
      giveBack()
      if (--running === 0) clearInterval(heapCheck)
    }
  }

  return {
    async read(texts) {
      const sizes = texts.map(sizeOf)
      if (sizes.reduce((sum, size) => sum + size, 0) <= MAX_INLINE_BYTES) return run('read', texts, 0)
      const results: Array<RichText | undefined> = []
      let jsonBytes = 0
      const sized = texts.map((text, n) => ({ text: serialised(text), size: sizes[n]! }))
      for (const call of groupBySize(sized, ({ size }) => size, MAX_CALL_BYTES)) {
        const inputs = call.map(({ text }) => text)
        const read = await run('read', inputs, Infinity)
        jsonBytes += read.reduce((sum, text) => sum + (text?.json?.length ?? 0), 0)
        if (jsonBytes > MAX_REQUEST_JSON_BYTES) throw tooMuchAtOnce()
        results.push(...read)
      }
      return results
    },
    tick: (json, met, unmet) => run('tick', { json, met, unmet }, tickSize(json, met, unmet)),
    tickSmall: (json, met, unmet) =>
      tickSize(json, met, unmet) > MAX_INLINE_BYTES ? undefined : resultOf(convert('tick', { json, met, unmet })),
    criteria: markdown => run('criteria', markdown, markdownSize(markdown)),
    prose: markdown => run('prose', markdown, markdownSize(markdown)),
    rebase: input =>
      run('rebase', input, isMerge(input) ? Infinity : markdownSize(input.mine) + markdownSize(input.theirs))
  }
}

const sharesOf = (total: number) =>
  new Shares({
    what: 'large texts that wait to be converted',
    perToken: Math.ceil(total / 4),
    perWorkspace: Math.ceil(total / 2),
    advice: 'try again when the others are done'
  })

async function makePool(maxThreads: number): Promise<Piscina> {
  const { Piscina } = await import('piscina')
  return new Piscina({
    filename: new URL('./worker.ts', import.meta.url).href,
    // One stays: after ending its last thread, a pool would not start another for the tasks that wait.
    minThreads: 1,
    maxThreads,
    recordTiming: false
    // No resourceLimits: V8 may end the whole process where a thread reaches such a limit. The heap is looked at
    // instead.
  })
}

function endLargeThreads({ threads }: Piscina, maxHeapMb: number): void {
  for (const thread of threads) {
    thread.getHeapStatistics().then(
      ({ used_heap_size: used }) => {
        if (used > maxHeapMb * MEGABYTE) return thread.terminate()
      },
      // It has ended meanwhile.
      () => {}
    )
  }
}

const busy = (why: string) => new ApiError(503, 'OVERLOADED', why, {}, { 'retry-after': '5' })
const tooManyWait = () => busy('Too many large texts wait to be converted: try again later.')

/** The answer to a conversion that was ended; undefined for a defect. */
function outOfLimits(error: unknown, { timeoutMs, maxHeapMb }: ConversionLimits): ApiError | undefined {
  const { name, message, code } = error as Error & { code?: string }
  if (name === 'AbortError') {
    return busy(`The text was not converted within ${timeoutMs / 1000} s: try again later, or shorten it.`)
  }
  if (code === 'ERR_WORKER_OUT_OF_MEMORY' || /^worker exited/.test(message)) {
    return busy(`The text needs more than ${maxHeapMb} MB to be converted: shorten it, or use less markup.`)
  }
  return undefined
}

function resultOf<T>(outcome: Outcome<T>): T {
  if ('result' in outcome) return outcome.result
  const { statusCode, code, message, details } = outcome.refused
  throw new ApiError(statusCode, code, message, details)
}

const tooMuchAtOnce = () =>
  new ApiError(
    413,
    'TOO_LARGE',
    `The texts of this request have more than ${MAX_REQUEST_JSON_BYTES} bytes of JSON, the form in which they are ` +
      'stored: send fewer at once.'
  )

/** How much work it is to convert a text, in bytes of markdown, roughly. */
function sizeOf({ raw, markdown, criteria = [] }: TextInput): number {
  const added = criteria.reduce((sum, criterion) => sum + criterion.length, 0)
  if (raw === undefined || raw === null) return added + markdownSize(markdown ?? '')
  return added + (typeof raw === 'string' ? raw.length : charactersOf(raw)) * JSON_SHARE
}

const markdownSize = (markdown: string): number => (DEEP_QUOTE.test(markdown) ? Infinity : markdown.length)

/** A merge of small texts that have nothing in common takes some 100 ms. */
const isMerge = ({ base, theirs }: RebaseInput): boolean => base !== undefined && base !== theirs

/** How much work it is to tick items of a text, in bytes of markdown, roughly. */
const tickSize = (json: string, met: TickInput['met'], unmet: TickInput['unmet']): number =>
  json.length * JSON_SHARE + [...met, ...unmet].reduce<number>((sum, item) => sum + String(item).length, 0)

/** The characters of a value's JSON, roughly; counted only as far as decides where it is converted. */
function charactersOf(value: unknown): number {
  let characters = 0
  const stack: unknown[] = [value]
  while (stack.length > 0 && characters * JSON_SHARE <= MAX_INLINE_BYTES) {
    const next = stack.pop()
    characters += typeof next === 'string' ? next.length : 10
    if (typeof next === 'object' && next !== null) {
      for (const inner in next) stack.push(inner, (next as Record<string, unknown>)[inner])
    }
  }
  return characters
}

/** With its document as text: to send that to a thread takes a tenth of the time that its objects take. */
const serialised = (text: TextInput): TextInput =>
  typeof text.raw === 'object' && text.raw !== null ? { ...text, raw: JSON.stringify(text.raw) } : text

/** The conversions of this process: all of its servers share the threads. */
export const conversions: Conversions = makeConversions({
  timeoutMs: 10_000,
  // Garbage of earlier conversions, which is not collected yet, included.
  maxHeapMb: 1024,
  maxWaiting: 64,
  // The event loop keeps a processor for itself.
  maxThreads: Math.max(1, Math.min(2, availableParallelism() - 1))
})

/** The texts of the checklist items that are not ticked. */
export const unmetCriteria = async (markdown: string): Promise<string[]> =>
  (await conversions.criteria(markdown)).filter(({ met }) => !met).map(({ text }) => text)

/** Maximum characters of a text that is cut, and how often half of it is tried where it still is too long. */
const [MAX_CUT_CHARACTERS, MAX_CUTS] = [1024 * 1024, 7]

/**
 * Reads a rich text as an export has it. Of a text that cannot be stored whole its beginning is read, with a last line
 * that says so.
 * @returns what is wrong with it, when it cannot be read; `cutCharacters` of its markdown are left out
 */
export async function readStoredRichText(
  raw: unknown,
  markdown: string
): Promise<(RichText & { cutCharacters: number }) | string> {
  const read = async (input: Omit<TextInput, 'field'>) => (await conversions.read([{ ...input, field: 'text' }]))[0]!
  try {
    return { ...(await read({ raw, markdown })), cutCharacters: 0 }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    let refusal = error
    for (let cuts = 0; cuts < MAX_CUTS && isTooLong(refusal); cuts++) {
      const kept = markdown.slice(0, Math.min(MAX_CUT_CHARACTERS, markdown.length - 1) / 2 ** cuts).toWellFormed()
      const cutCharacters = markdown.length - kept.length
      try {
        return { ...(await read({ markdown: withCutLine(kept, cutCharacters) })), cutCharacters }
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        refusal = error
      }
    }
    return error.message
  }
}

const isTooLong = ({ statusCode }: ApiError) => statusCode === 413 || statusCode === 503

/** The end of a text that is cut; a block of code is closed before it. */
function withCutLine(kept: string, cutCharacters: number): string {
  const fences = kept.match(/^[ \t>]*(?:`{3,}|~{3,})/gm) ?? []
  const end = fences.length % 2 === 1 ? `\n${fences.at(-1)!.trim()}` : ''
  return `${kept}${end}\n\n*The import left out the last ${cutCharacters} characters of this text: it is too long.*`
}
