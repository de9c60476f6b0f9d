import { isUtf8 } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import underPressure from '@fastify/under-pressure'
import Fastify, { type FastifyBaseLogger, type FastifyReply, type FastifyRequest } from 'fastify'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { isCut, MARK_WORDS } from '../../lib/util/cut-text.ts'
import { isId } from '../db/sql.ts'
import {
  acceptSlowBodies,
  answerClientError,
  discardBody,
  limitConnections,
  timeouts,
  type ConnectionLimits
} from './connections.ts'
import { BODY_LIMIT, errorBody, errors, invalid, overloaded, toApiError } from '../api/errors.ts'
import { limitStreams, type StreamLimits } from './http-answers.ts'
import { RequestLog } from './logger.ts'
import { READING } from './read-ahead.ts'
import type { App } from '../api/plugin.ts'
import { Closed } from '../api/schemas.ts'
import { readScope, requiredScope } from '../api/scopes.ts'
import { pathOfText, serializerCompiler, unstorableText, validatorCompiler, validatorOf } from './validation.ts'

/** Shorter answers are not worth compressing. */
const MIN_COMPRESSED_BYTES = 1024
/** Milliseconds that a closing server waits for connections: for requests that run, or do not arrive. */
const MAX_CONNECTIONS_WAIT_MS = 5_000
const SANE_REQUEST_ID = /^[\w.:/+=-]{1,128}$/
/** Escapes that may stand for NUL or a lone surrogate. */
const SUSPICIOUS_ESCAPE = /\\u(?:0000|d[89a-f])/i

interface HttpOptions extends ConnectionLimits, StreamLimits {
  prefix: string
  /** Addresses or networks of proxies, comma-separated. */
  trustProxy: string | false
  maxEventLoopDelay: number
  logger: FastifyBaseLogger
}

/** A Fastify instance with the server's rules for connections, bodies, ids, errors and headers, and no routes. */
export async function makeHttp(options: HttpOptions): Promise<App> {
  const { prefix, trustProxy, maxEventLoopDelay, logger } = options
  const app = Fastify({
    loggerInstance: logger,
    logController: new RequestLog(),
    trustProxy,
    bodyLimit: BODY_LIMIT,
    genReqId: requestId,
    forceCloseConnections: 'idle',
    return503OnClosing: false, // its answer would have no Retry-After
    ...timeouts(options),
    routerOptions: { maxParamLength: 512 },
    rewriteUrl: ({ url = '/' }: IncomingMessage) => (prefix === '' ? url : stripPrefix(url, prefix)),
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, { id }, reply: FastifyReply) => {
      const known = toApiError(error) ?? invalid('The request is not valid HTTP.')
      reply.code(known.statusCode).header('x-request-id', id).type('application/json; charset=utf-8')
      return reply.send(errorBody(known))
    }
  }).withTypeProvider<TypeBoxTypeProvider>()

  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.decorateRequest(READING, null)
  let isClosing = false
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff')
    lowerCaseIds(request.params)
    done(isClosing ? overloaded('The server is stopping: try again in a few seconds.') : undefined)
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    if (reply.statusCode === 413) discardBody(request, reply, () => done(null, payload))
    else done(null, payload)
  })
  app.addHook('preClose', async () => {
    isClosing = true
  })
  closeConnections(app)
  await app.register(compress, {
    customTypes: /^application\/json/,
    encodings: ['br', 'gzip'],
    threshold: MIN_COMPRESSED_BYTES,
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
    globalDecompression: false
  })
  // Cookies are read by the routes that have some, and not of each request.
  await app.register(cookie, { hook: false })
  limitConnections(app, options)
  acceptSlowBodies(app)
  limitStreams(app, options)
  acceptJsonOnly(app)
  await app.register(errors)
  // An interval without a turn of the event loop counts as infinite delay: it must not be shorter than the limit.
  await app.register(underPressure, { maxEventLoopDelay, sampleInterval: maxEventLoopDelay, retryAfter: 2 })
  return app
}

/** Closes the connections of a closing server. A busy one would be kept alive after its answer, and keep it open. */
function closeConnections(app: App): void {
  app.addHook('preClose', async () => {
    if (!app.server.listening) return
    const closing = setInterval(() => app.server.closeIdleConnections(), 50)
    const late = setTimeout(() => app.server.closeAllConnections(), MAX_CONNECTIONS_WAIT_MS)
    app.server.once('close', () => {
      clearInterval(closing)
      clearTimeout(late)
    })
  })
}

/** Maximum milliseconds that a closing server waits for its handlers. */
const MAX_HANDLERS_WAIT_MS = 3_000

/**
 * Counts the running handlers of all routes that are registered from now on: a closing server waits for connections,
 * but not for handlers whose clients have disconnected.
 * @returns a function that waits until no handler runs; slower ones fail when the database is closed
 */
export function trackHandlers(app: App): () => Promise<void> {
  // A number: with a set of promises, about twice as many bytes of a request outlive the young generation.
  let running = 0
  let allEnded: (() => void) | undefined
  const end = () => {
    running--
    if (running === 0) allEnded?.()
  }
  app.addHook('onRoute', route => {
    const { handler } = route
    route.handler = function (request, reply) {
      const result: unknown = handler.call(this, request, reply)
      if (result instanceof Promise) {
        running++
        result.then(end, end)
      }
      return result
    }
  })
  return async () => {
    if (running === 0) return
    const ended = new Promise<void>(resolve => {
      allEnded = resolve
    })
    await Promise.race([ended, sleep(MAX_HANDLERS_WAIT_MS, undefined, { ref: false })])
  }
}

function requestId(request: IncomingMessage): string {
  const header = request.headers['x-request-id']
  return typeof header === 'string' && SANE_REQUEST_ID.test(header) ? header : randomUUID()
}

/** UUIDs in paths may be uppercase; stored ones are lowercase. */
function lowerCaseIds(params: unknown): void {
  if (typeof params !== 'object' || params === null) return
  for (const [name, value] of Object.entries(params)) {
    if (typeof value === 'string' && isId(value)) Reflect.set(params, name, value.toLowerCase())
  }
}

function stripPrefix(url: string, prefix: string): string {
  if (!url.startsWith(prefix)) return url
  const rest = url.slice(prefix.length)
  return rest === '' ? '/' : rest.startsWith('/') ? rest : rest.startsWith('?') ? `/${rest}` : url
}

/** Refuses text that cannot be stored unchanged, for every route. */
function acceptJsonOnly(app: App): void {
  const validateNoBody = validatorOf(Closed({}), 'body')
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const bytes = body as Buffer
    if (bytes.length === 0) return done(null, undefined)
    if (!isUtf8(bytes)) return done(invalid('The body is not valid UTF-8.'))
    const text = bytes.toString('utf8')
    return parse(request, text, (error, value) => {
      if (error) return done(invalid(problemOfJson(text)))
      if (request.routeOptions.schema?.body === undefined) {
        const validated = validateNoBody(value ?? {})
        if ('error' in validated) return done(validated.error)
      }
      const at = SUSPICIOUS_ESCAPE.test(text) ? unstorableText(value) : undefined
      if (at !== undefined) return done(unstorable(`body${at && `.${at}`}`))
      const cut = text.includes(MARK_WORDS) && writes(request) ? pathOfText(value, isCut) : undefined
      if (cut !== undefined) return done(cutText(cut))
      done(null, value)
    })
  })
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.body === undefined && request.routeOptions.schema?.body !== undefined) request.body = {}
    const at = request.url.includes('%') ? (unstorableText(request.query) ?? unstorableText(request.params)) : undefined
    done(at === undefined ? undefined : unstorable(at))
  })
}

/** Why Fastify's parser refuses a text. */
function problemOfJson(text: string): string {
  try {
    JSON.parse(text)
  } catch (error) {
    return `The body is not valid JSON: ${(error as Error).message.slice(0, 200)}.`
  }
  return 'The body has the key __proto__ or constructor.prototype: leave it out.'
}

/** True if a request is a client's write. Deliveries of other systems are taken unchanged. */
const writes = ({ method, routeOptions: { config } }: FastifyRequest): boolean =>
  !config.public && requiredScope(method, config.scope) !== readScope

const cutText = (at: string) =>
  invalid(
    `body.${at} has the mark of a text that was cut for its reader ("… (20 more characters)"), and the rest would be ` +
      'lost. Read all of it before you change it: get_task with part and from reads on, REST answers the whole text.',
    { field: at }
  )

const unstorable = (at: string) =>
  invalid(`${at} has a NUL character or half of a surrogate pair: send Unicode text without them.`)
