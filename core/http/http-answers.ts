import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { overloaded } from '../api/errors.ts'
import type { ItemsText } from '../db/statements/bounded-rows.ts'
import type { App } from '../api/plugin.ts'
import { Shares } from '../limits/shares.ts'

const JSON_TYPE = 'application/json; charset=utf-8'

/** Sends JSON from the database unchanged, without parsing or serialising it. */
export const sendJson = (reply: FastifyReply, json: string): FastifyReply => reply.type(JSON_TYPE).send(json)

/** The headers of a route that writes rich text: the stored JSON is returned only on request. */
export const PreferHeader = {
  prefer: Type.Optional(
    Type.String({
      description:
        '`return=representation`: the answer has the stored rich text (`description` or `body`), too, not only its ' +
        'markdown (RFC 7240).'
    })
  )
}

/**
 * True if a writing request prefers the stored rich text (`Prefer: return=representation`); sets the confirming header.
 */
export function wantsRepresentation({ headers }: FastifyRequest, reply: FastifyReply): boolean {
  const preferences = String(headers.prefer ?? '').split(/[,;]/)
  const isPreferred = preferences.some(preference => /^\s*return\s*=\s*"?representation"?\s*$/i.test(preference))
  if (isPreferred) reply.header('preference-applied', 'return=representation')
  return isPreferred
}

/** True if a client takes an encoding; a weight of 0 refuses it. */
export const acceptsEncoding = ({ headers }: FastifyRequest, encoding: string): boolean =>
  new RegExp(`\\b${encoding}\\b(?!\\s*;\\s*q=0(?:\\.0*)?(?![.\\d]))`, 'i').test(
    String(headers['accept-encoding'] ?? '')
  )

const MAX_STREAMS = 16
/** Maximum characters of an answer that is not streamed. */
const MAX_UNSTREAMED_LENGTH = 1024 * 1024
export interface StreamLimits {
  streamStallTimeoutMs: number
  streamTimeoutMs: number
}
const STREAM_LIMITS = 'streamLimits'

export const limitStreams = (app: App, { streamStallTimeoutMs, streamTimeoutMs }: StreamLimits): void => {
  app.decorate(STREAM_LIMITS, { streamStallTimeoutMs, streamTimeoutMs })
}

const streamShares = new Shares({
  what: 'long answers under way',
  perToken: MAX_STREAMS / 4,
  perWorkspace: MAX_STREAMS / 2,
  advice: 'read one to its end first, or ask for pages by cursor'
})
let streams = 0

/**
 * Sends JSON in pieces, at the client's speed, with one piece in memory; a client that stops reading is disconnected.
 * @throws ApiError 429 or 503 when there are too many long answers
 */
export async function streamJson(
  request: FastifyRequest,
  reply: FastifyReply,
  pieces: AsyncGenerator<string>
): Promise<FastifyReply> {
  let beginning = ''
  while (beginning.length <= MAX_UNSTREAMED_LENGTH) {
    const { done, value } = await pieces.next()
    if (done) return sendJson(reply, beginning)
    beginning += value
  }
  // A client that has disconnected already emits no further `close`: its stream would never be released.
  if (reply.raw.closed) {
    await pieces.return(undefined)
    return reply.hijack()
  }
  const release = takeStream()
  const cutOff = () => reply.raw.destroy(new Error('The client does not read the answer.'))
  const { streamStallTimeoutMs, streamTimeoutMs } = request.server.getDecorator<StreamLimits>(STREAM_LIMITS)
  const end = setTimeout(cutOff, streamTimeoutMs).unref()
  reply.raw.once('close', () => {
    release()
    clearTimeout(end)
  })
  async function* all() {
    let stalled: NodeJS.Timeout | undefined
    try {
      for (let piece: string | undefined = beginning; piece !== undefined;) {
        beginning = ''
        stalled = setTimeout(cutOff, streamStallTimeoutMs).unref()
        yield piece
        clearTimeout(stalled)
        const { done, value } = await pieces.next()
        piece = done ? undefined : value
      }
    } finally {
      clearTimeout(stalled)
      await pieces.return(undefined)
    }
  }
  return reply.type(JSON_TYPE).send(Readable.from(all()))
}

/**
 * Counts a stream.
 * @returns a function that releases it
 * @throws ApiError 429 or 503 when there are too many
 */
function takeStream(): () => void {
  const giveBack = streamShares.take()
  if (streams >= MAX_STREAMS) {
    giveBack()
    throw overloaded(
      'The server already sends as many long answers as it can: try again in a few seconds, or ask for pages by cursor.'
    )
  }
  streams++
  return () => {
    giveBack()
    streams--
  }
}

export async function* arrayPieces(items: AsyncIterable<ItemsText>): AsyncGenerator<string> {
  let opening = '['
  for await (const { text, isContinuation } of items) {
    yield isContinuation ? text : opening + text
    opening = ','
  }
  yield opening === '[' ? '[]' : ']'
}
