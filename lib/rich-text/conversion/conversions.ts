import type { Piscina } from 'piscina'
import { groupBySize } from '../../util/group-by-size.ts'
import type { Criterion } from '../criteria/criteria.ts'
import { RichTextError, tooDeep } from '../limits.ts'
import type { ProseBlock } from '../read/prose.ts'
import { convert, type Operation, type Operations, type Outcome, type TextInput } from './convert.ts'
import type { Rebased, RebaseInput } from './rebase.ts'
import type { RichText } from './stored.ts'
import type { TickedText, TickInput } from './ticks.ts'

export type { MergeConflict } from './merge.ts'
export type { RichText, TextInput, TickedText }

export interface ConversionLimits {
  /** Maximum milliseconds of a conversion, including the wait for a thread. */
  timeoutMs: number
  maxHeapMb: number
  maxWaiting: number
  maxThreads: number
}

interface ConversionOptions extends ConversionLimits {
  /**
   * Takes a share of the threads.
   * @returns a function that releases it
   * @throws when the caller has too many
   */
  takeShare(): () => void
  errorOf(refusal: RichTextError): Error
}

/** Each throws `errorOf` of a RichTextError, OVERLOADED when the server has no time or memory for it. */
export interface Conversions {
  /**
   * Reads the rich texts of one request, each from its raw or markdown field; the raw one wins.
   * @returns the stored form of each text, undefined when it has neither field
   */
  read(texts: readonly TextInput[]): Promise<Array<RichText | undefined>>
  /** Ticks items of a stored text. @throws INVALID that lists the items */
  tick(json: string, met: TickInput['met'], unmet: TickInput['unmet']): Promise<TickedText>
  /** Like `tick`, synchronously; undefined for texts that are too large for the event loop. */
  tickSmall(json: string, met: TickInput['met'], unmet: TickInput['unmet']): TickedText | undefined
  criteria(markdown: string): Promise<Criterion[]>
  prose(markdown: string): Promise<ProseBlock[]>
  rebase(input: RebaseInput): Promise<Rebased>
}

/**
 * Maximum bytes of markdown converted on the event loop: low, because markup makes some texts fifty times as slow as
 * others, and a call of a thread costs less than a millisecond.
 */
const MAX_INLINE_BYTES = 4 * 1024
/** Deep quotes are not converted on the event loop: each level reads all lines again. */
const DEEP_QUOTE = /(?:>[ \t]?){10}/
/** The cost of a character of JSON, relative to a character of markdown. */
const JSON_SHARE = 0.25
/** An address in JSON is written and read several times: it costs as much as this many other characters. */
const ADDRESS_CHARACTERS = 100
/**
 * Maximum bytes of several texts in one call of a thread. Each call has the whole time limit, which a slow machine
 * needs for a megabyte of markup.
 */
const MAX_CALL_BYTES = 256 * 1024
const MAX_REQUEST_JSON_BYTES = 16 * 1024 * 1024
const HEAP_CHECK_INTERVAL_MS = 25
const MEGABYTE = 1024 * 1024

/** Converts rich texts: small ones on the event loop, large ones in worker threads that start with the first. */
export function makeConversions(options: ConversionOptions): Conversions {
  const { errorOf } = options
  const inThread = makeThreads(options)

  async function run<N extends Operation>(
    name: N,
    input: Parameters<Operations[N]>[0],
    bytes: number
  ): Promise<ReturnType<Operations[N]>> {
    return resultOf(bytes <= MAX_INLINE_BYTES ? convert(name, input) : await inThread(name, input), errorOf)
  }

  return {
    async read(texts) {
      const sizes = texts.map(sizeOf)
      if (sizes.reduce((sum, size) => sum + size, 0) <= MAX_INLINE_BYTES) return run('read', texts, 0)
      const results: Array<RichText | undefined> = []
      let jsonBytes = 0
      const sized = texts.map((text, n) => ({ text: serialised(text, errorOf), size: sizes[n]! }))
      for (const call of groupBySize(sized, ({ size }) => size, MAX_CALL_BYTES)) {
        const inputs = call.map(({ text }) => text)
        const read = await run('read', inputs, Infinity)
        jsonBytes += read.reduce((sum, text) => sum + (text?.json?.length ?? 0), 0)
        if (jsonBytes > MAX_REQUEST_JSON_BYTES) throw errorOf(tooMuchAtOnce())
        results.push(...read)
      }
      return results
    },
    tick: (json, met, unmet) => run('tick', { json, met, unmet }, tickSize(json, met, unmet)),
    tickSmall: (json, met, unmet) =>
      tickSize(json, met, unmet) > MAX_INLINE_BYTES
        ? undefined
        : resultOf(convert('tick', { json, met, unmet }), errorOf),
    criteria: markdown => run('criteria', markdown, markdownSize(markdown)),
    prose: markdown => run('prose', markdown, markdownSize(markdown)),
    rebase: input =>
      run('rebase', input, isMerge(input) ? Infinity : markdownSize(input.mine) + markdownSize(input.theirs))
  }
}

type Convert = <N extends Operation>(
  name: N,
  input: Parameters<Operations[N]>[0]
) => Promise<Outcome<ReturnType<Operations[N]>>>

function makeThreads({ takeShare, errorOf, ...limits }: ConversionOptions): Convert {
  let pool: Promise<Piscina> | undefined
  const total = limits.maxThreads + limits.maxWaiting
  let running = 0
  let heapCheck: NodeJS.Timeout | undefined

  return async function inThread(name, input) {
    // The pool's own limit does not count tasks with an abort signal.
    if (running >= total) throw errorOf(tooManyWait())
    const giveBack = takeShare()
    const isFirst = running++ === 0
    try {
      const started = await (pool ??= makePool(limits.maxThreads))
      if (isFirst) heapCheck = setInterval(() => endLargeThreads(started, limits.maxHeapMb), HEAP_CHECK_INTERVAL_MS)
      return await started.run({ name, input }, { signal: AbortSignal.timeout(limits.timeoutMs) })
    } catch (error) {
      const refusal = outOfLimits(error, limits)
      throw refusal ? errorOf(refusal) : error
    } finally {
      giveBack()
      if (--running === 0) clearInterval(heapCheck)
    }
  }
}

async function makePool(maxThreads: number): Promise<Piscina> {
  const { Piscina } = await import('piscina')
  return new Piscina({
    filename: new URL('./worker.ts', import.meta.url).href,
    // One thread stays: after ending its last thread, a pool would not start another for waiting tasks.
    minThreads: 1,
    maxThreads,
    recordTiming: false
    // No resourceLimits: V8 may end the whole process when a thread reaches such a limit. The heap is polled instead.
  })
}

function endLargeThreads({ threads }: Piscina, maxHeapMb: number): void {
  for (const thread of threads) {
    thread.getHeapStatistics().then(
      ({ used_heap_size: used }) => {
        if (used > maxHeapMb * MEGABYTE) return thread.terminate()
      },
      // The thread has ended meanwhile.
      () => {}
    )
  }
}

const busy = (why: string) => new RichTextError('OVERLOADED', why)
const tooManyWait = () => busy('Too many large texts wait to be converted: try again later.')

/** The error of an aborted conversion; undefined for a defect. */
function outOfLimits(error: unknown, { timeoutMs, maxHeapMb }: ConversionLimits): RichTextError | undefined {
  const { name, message, code } = error as Error & { code?: string }
  if (name === 'AbortError') {
    return busy(`The text was not converted within ${timeoutMs / 1000} s: try again later, or shorten it.`)
  }
  if (code === 'ERR_WORKER_OUT_OF_MEMORY' || /^worker exited/.test(message)) {
    return busy(`The text needs more than ${maxHeapMb} MB to be converted: shorten it, or use less markup.`)
  }
  return undefined
}

function resultOf<T>(outcome: Outcome<T>, errorOf: ConversionOptions['errorOf']): T {
  if ('result' in outcome) return outcome.result
  const { code, message, details } = outcome.refused
  throw errorOf(new RichTextError(code, message, details))
}

const tooMuchAtOnce = () =>
  new RichTextError(
    'TOO_LARGE',
    `The texts of this request have more than ${MAX_REQUEST_JSON_BYTES} bytes of JSON, the form in which they are ` +
      'stored: send fewer at once.'
  )

/** The approximate cost of converting a text, in bytes of markdown. */
function sizeOf({ raw, markdown, criteria = [] }: TextInput): number {
  const added = criteria.reduce((sum, criterion) => sum + criterion.length, 0)
  if (raw === undefined || raw === null) return added + markdownSize(markdown ?? '')
  return added + charactersOf(raw) * JSON_SHARE
}

const markdownSize = (markdown: string): number => (DEEP_QUOTE.test(markdown) ? Infinity : markdown.length)

/** A merge of small texts that have nothing in common takes about 100 ms. */
const isMerge = ({ base, theirs }: RebaseInput): boolean => base !== undefined && base !== theirs

/** The approximate cost of ticking items of a text, in bytes of markdown. */
const tickSize = (json: string, met: TickInput['met'], unmet: TickInput['unmet']): number =>
  charactersOf(json) * JSON_SHARE + [...met, ...unmet].reduce<number>((sum, item) => sum + String(item).length, 0)

/** The approximate length of a value's JSON, and its addresses' cost; counting stops once the decision is clear. */
function charactersOf(value: unknown): number {
  let characters = 0
  const stack: unknown[] = [value]
  while (stack.length > 0 && characters * JSON_SHARE <= MAX_INLINE_BYTES) {
    const next = stack.pop()
    characters += typeof next === 'string' ? next.length + ADDRESS_CHARACTERS * countAddresses(next) : 10
    if (typeof next === 'object' && next !== null) {
      for (const inner in next) stack.push(inner, (next as Record<string, unknown>)[inner])
    }
  }
  return characters
}

const countAddresses = (text: string): number =>
  text.slice(0, MAX_INLINE_BYTES / JSON_SHARE).match(/www\.|:\/\//gi)?.length ?? 0

/** The document as text: sending it to a thread takes a tenth of the time of its objects. */
function serialised(text: TextInput, errorOf: ConversionOptions['errorOf']): TextInput {
  if (typeof text.raw !== 'object' || text.raw === null) return text
  try {
    return { ...text, raw: JSON.stringify(text.raw) }
  } catch (error) {
    // V8's stack holds more levels than a document may have.
    throw error instanceof RangeError ? errorOf(tooDeep()) : error
  }
}
