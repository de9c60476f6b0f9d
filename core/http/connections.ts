import type { Duplex } from 'node:stream'
import type { FastifyHttpOptions, FastifyReply, FastifyRequest, RawServerDefault } from 'fastify'
import { ApiError, errorBody, invalid, tooLarge } from '../api/errors.ts'
import type { App } from '../api/plugin.ts'

export interface ConnectionLimits {
  /** Milliseconds in which a request must have arrived as a whole. */
  requestTimeoutMs: number
  /** Milliseconds that a connection may be idle between two requests. */
  keepAliveTimeoutMs: number
  maxConnections: number
}

/** Milliseconds in which the headers of a request must have arrived. */
const MAX_HEADERS_TIMEOUT_MS = 15_000
/** Milliseconds between checks for requests that take too long to arrive. */
const MAX_CHECKING_INTERVAL_MS = 5_000
/** Milliseconds without a byte in either direction, after which a connection is closed; no answer takes as long. */
const INACTIVITY_TIMEOUT_MS = 120_000
/** Bytes of a refused body that are read, so that its client gets to read the answer. */
const MAX_DISCARDED_BYTES = 64 * 1024 * 1024
/** Milliseconds in which a client may read the answer to a broken request, before its connection is closed. */
const LAST_ANSWER_MS = 1_000
/** Milliseconds between two log lines about connections that were turned away. */
const LOG_DROPPED_EVERY_MS = 60_000

/** Node's time limits for what a client sends, and for connections on which nothing happens. */
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

/** Closes connections beyond the limit, and logs it. */
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

/**
 * Answers what never became a request: malformed or oversized headers, and what did not arrive in time.
 * @see https://nodejs.org/api/http.html#event-clienterror
 */
export function answerClientError(error: Error & { code?: string }, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const answer = clientError(error.code)
  const body = JSON.stringify(errorBody(answer))
  socket.end(
    `HTTP/1.1 ${answer.statusCode} ${errorBody(answer).error}\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`
  )
  // Closed at once, with bytes unread, the connection would be reset, and the answer lost.
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
 * Reads the rest of a body that was refused for its size, up to a limit, before the answer leaves: most clients read
 * the answer only once they have sent everything, and a connection that is closed before that breaks without one.
 */
export function discardBody({ raw }: FastifyRequest, reply: FastifyReply, done: () => void): void {
  // `complete` is set by Node's HTTP parser; an injected request only ends.
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
  raw.on('data', count).once('end', finish).once('close', finish)
}
