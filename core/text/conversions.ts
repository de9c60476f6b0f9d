import { availableParallelism } from 'node:os'
import {
  makeConversions as makeAny,
  type ConversionLimits,
  type Conversions,
  type RichText,
  type TextInput
} from '../../lib/rich-text/conversion/conversions.ts'
import type { RichTextError } from '../../lib/rich-text/index.ts'
import { ApiError, invalid, tooLarge } from '../api/errors.ts'
import { Shares } from '../limits/shares.ts'

export type { ConversionLimits }

/** Conversions that refuse with ApiErrors, and limit each token's and workspace's share of the threads. */
export function makeConversions(limits: ConversionLimits): Conversions {
  const total = limits.maxThreads + limits.maxWaiting
  const shares = new Shares({
    what: 'large texts that wait to be converted',
    perToken: Math.ceil(total / 4),
    perWorkspace: Math.ceil(total / 2),
    advice: 'try again when the others are done'
  })
  return makeAny({ ...limits, takeShare: () => shares.take(), errorOf: apiErrorOf })
}

function apiErrorOf({ code, message, details }: RichTextError): ApiError {
  if (code === 'TOO_LARGE') return tooLarge(message)
  if (code === 'OVERLOADED') return new ApiError(503, code, message, {}, { 'retry-after': '5' })
  return invalid(message, details)
}

/** The conversions of this process: its servers share the threads. */
export const conversions: Conversions = makeConversions({
  timeoutMs: 10_000,
  // Including garbage of earlier conversions.
  maxHeapMb: 1024,
  maxWaiting: 64,
  // One processor is left for the event loop.
  maxThreads: Math.max(1, Math.min(2, availableParallelism() - 1))
})

/** Maximum characters of a text that is cut, and how often it is halved while it is still too long. */
const [MAX_CUT_CHARACTERS, MAX_CUTS] = [1024 * 1024, 7]

/**
 * Reads a rich text of an export. A text that is too long to be stored is cut, with a last line that says so.
 * @returns the problem, when it cannot be read; `cutCharacters`: the characters of markdown that were cut
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
    if (markdown === '') return error.message
    let refusal = error
    for (let cuts = 0; cuts < MAX_CUTS && isTooLong(refusal); cuts++) {
      const beginning = markdown.slice(0, Math.min(MAX_CUT_CHARACTERS, markdown.length - 1) / 2 ** cuts).toWellFormed()
      const cutCharacters = markdown.length - beginning.length
      try {
        return { ...(await read({ markdown: withCutLine(beginning, cutCharacters) })), cutCharacters }
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        refusal = error
      }
    }
    return error.message
  }
}

const isTooLong = ({ statusCode }: ApiError) => statusCode === 413 || statusCode === 503

/** The last line of a text that is cut; an open block of code is closed before it. */
function withCutLine(kept: string, cutCharacters: number): string {
  const fences = kept.match(/^[ \t>]*(?:`{3,}|~{3,})/gm) ?? []
  const end = fences.length % 2 === 1 ? `\n${fences.at(-1)!.trim()}` : ''
  return `${kept}${end}\n\n*The import left out the last ${cutCharacters} characters of this text: it is too long.*`
}
