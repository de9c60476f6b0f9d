import { randomUUID } from 'node:crypto'
import type { Duplex } from 'node:stream'
import type { FastifyHttpOptions, FastifyReply, FastifyRequest, RawServerDefault } from 'fastify'
import { ApiError, errorBody, invalid, tooLarge } from '../api/errors.ts'
import type { App } from '../api/plugin.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True: the body may take longer than `requestTimeoutMs`. The route reads it, and ends it when it stalls. */
    hasSlowBody?: boolean
  }
}

export interface ConnectionLimits {
  requestTimeoutMs: number
  keepAliveTimeoutMs: number
  maxConnections: number
}

const MAX_HEADERS_TIMEOUT_MS = 15_000
/** Milliseconds between checks for requests that arrive too slowly. */
const MAX_CHECKING_INTERVAL_MS = 5_000
/** Milliseconds without traffic after which a connection is closed; no answer takes as long. */
const INACTIVITY_TIMEOUT_MS = 120_000
/** Maximum bytes of a refused body that are read, so that its client reads the answer. */
const MAX_DISCARDED_BYTES = 64 * 1024 * 1024
/** Milliseconds for reading the answer to a malformed request, before its connection is closed. */
const LAST_ANSWER_MS = 1_000
/** Milliseconds between two log lines about refused connections. */
const LOG_DROPPED_EVERY_MS = 60_000

export function timeouts({ requestTimeoutMs, keepAliveTimeoutMs }: ConnectionLimits) {
  return {
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    connectionTimeout: INACTIVITY_TIMEOUT_MS,
    http: {
      headersTimeout: Math.min(requestTimeoutMs, MAX_HEADERS_TIMEOUT_MS),
      connectionsCheckingInterval: Math.min(requestTimeoutMs, MAX_CHECKING_INTERVAL_MS)
    }
  } satisfies FastifyHttpOptions<RawServerDefault>
}

export function limitConnections(app: App, { maxConnections }: ConnectionLimits): void {
  let dropped = 0
  let loggedAt = -Infinity
  app.server.maxConnections = maxConnections
  app.server.on('drop', () => {
    dropped++
    if (performance.now() - loggedAt < LOG_DROPPED_EVERY_MS) return
    app.log.warn({ dropped, maxConnections }, 'connections are turned away: there are as many as maxConnections allows')
    loggedAt = performance.now()
    dropped = 0
  })
}

const receivingSlowBody = new WeakSet<object>()

export function acceptSlowBodies(app: App): void {
  app.addHook('onRoute', route => {
    if (!route.config?.hasSlowBody) return
    // After the hooks of the server, which authorize the request.
    route.onRequest = [route.onRequest ?? []].flat().concat(async ({ raw }) => {
      receivingSlowBody.add(raw.socket)
    })
    route.onResponse = [route.onResponse ?? []].flat().concat(async ({ raw }) => {
      receivingSlowBody.delete(raw.socket)
    })
  })
}

/**
 * Answers malformed or oversized headers, and requests that arrive too slowly.
 * @see https://nodejs.org/api/http.html#event-clienterror
 */
export function answerClientError(error: Error & { code?: string }, socket: Duplex): void {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && receivingSlowBody.has(socket)) return
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const answer = clientError(error.code)
  const body = JSON.stringify(errorBody(answer))
  socket.end(
    `HTTP/1.1 ${answer.statusCode} ${errorBody(answer).error}\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `x-request-id: ${randomUUID()}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`
  )
  // Closing at once, with unread bytes, would reset the connection and lose the answer.
  setTimeout(() => socket.destroy(), LAST_ANSWER_MS).unref()
}

function clientError(code: string | undefined): ApiError {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ApiError(408, 'REQUEST_TIMEOUT', 'The request did not arrive in time: send it again, without pauses.')
    case 'HPE_HEADER_OVERFLOW':
      return new ApiError(431, 'TOO_LARGE', 'The headers of the request are too large: send at most 16 KiB of them.')
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return tooLarge('The chunk extensions of the body are too large: leave them out.')
  }
  return invalid('The request is not valid HTTP.')
}

/**
 * Reads the rest of an oversized body, up to a limit, before answering: most clients read only after they have sent
 * everything, and closing the connection earlier would lose the answer.
 */
export function discardBody({ raw }: FastifyRequest, reply: FastifyReply, done: () => void): void {
  // Node's HTTP parser sets `complete`; an injected request only ends.
  if (raw.complete || raw.readableEnded || raw.destroyed) return done()
  let discardedBytes = 0
  const finish = () => {
    raw.off('data', count).off('end', finish).off('close', finish)
    if (raw.complete) reply.removeHeader('connection')
    else raw.pause()
    done()
  }
  const count = (chunk: Buffer) => {
    discardedBytes += chunk.length
    if (discardedBytes > MAX_DISCARDED_BYTES) finish()
  }
  // First, because another listener may empty the chunks.
  raw.prependListener('data', count).once('end', finish).once('close', finish).resume()
}
