import type { FastifyRequest, onSendHookHandler, preHandlerHookHandler, RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import { Type, type TProperties } from 'typebox'
import { runInWritingRequest } from '../../db/transactions/request-transaction.ts'
import type { CallerHeader } from '../../api/points.ts'
import { readScope, requiredScope } from '../../api/scopes.ts'
import { fingerprintOf } from './fingerprint.ts'
import type { KeptAnswer, SecretFields } from './kept-answer.ts'
import { answerOf, KeyedRequest, prepareReplay, type KeyedRequestOptions } from './keyed-request.ts'
import { findKey } from './keys.ts'
import { makeTurns } from './turns.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set for the first request with an `Idempotency-Key`; `release` lets the next one with the same key begin. */
    keyed: { request: KeyedRequest; release: () => void } | null
  }
  interface FastifyContextConfig {
    /** For routes that support `Idempotency-Key`: the fields of their answers that hold a secret. */
    secretFields?: SecretFields
  }
}

const HEADER = 'idempotency-key'
const IdempotencyKey = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: '^[\\x20-\\x7e]*$',
  description:
    '1 to 255 printable ASCII characters. Sent again with the same key within 24 hours, the same request is answered ' +
    'with the first answer and `Idempotency-Replayed: true`, and does nothing; above 64 KiB a replay has only ids, ' +
    'and a secret is null in it. Another request with the key is refused: 422 `IDEMPOTENCY_KEY_REUSED`.'
})

interface IdempotencyOptions extends KeyedRequestOptions {
  /** The headers that plugins read; complete before the first request. */
  pluginHeaders: () => readonly CallerHeader[]
}

/**
 * `Idempotency-Key` on every POST, PUT and DELETE route that writes. The transaction that does the work also writes
 * the key and the answer.
 * @see https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/
 */
export const idempotency = fp<IdempotencyOptions>(
  async (app, options) => {
    const takeTurn = makeTurns()
    app.decorateRequest('keyed', null)

    app.addHook('onRoute', route => {
      if (!isWriting(route)) return
      acceptKey(route)
      route.preHandler = [beginRequest, route.preHandler ?? []].flat()
      // Before the compression of the answer.
      route.onSend = [endRequest, route.onSend ?? []].flat()
    })

    const beginRequest: preHandlerHookHandler = (request, reply, done) => {
      const key = request.headers[HEADER]
      if (key === undefined) return runInWritingRequest(undefined, done)
      begin(request, String(key)).then(answer => {
        if (answer) reply.send(prepareReplay(reply, answer))
        else if (request.keyed) runInWritingRequest(request.keyed.request.transaction, done)
      }, done)
    }

    const endRequest: onSendHookHandler = (request, reply, payload, done) => {
      const { keyed } = request
      if (keyed === null) return done(null, payload)
      // When the commit fails, the error passes this hook again as another answer.
      request.keyed = null
      keyed.request
        .end(reply, payload, request.routeOptions.config.secretFields ?? new Map())
        .finally(keyed.release)
        .then(sent => done(null, sent), done)
    }

    /**
     * @returns the answer of an earlier request with the key, if any
     * @throws 401, 403, 409, 422
     */
    async function begin(request: FastifyRequest, key: string): Promise<KeptAnswer | undefined> {
      const { workspaceId, tokenId } = request.principal
      const sent = { workspaceId, tokenId, key, fingerprint: fingerprintOf(request, options.pluginHeaders()) }
      const release = await takeTurn(`${tokenId} ${key}`)
      try {
        const earlier = await findKey(options.db, sent, options.now())
        if (earlier === undefined) {
          request.keyed = { request: new KeyedRequest(sent, options), release }
          return undefined
        }
        return answerOf(earlier)
      } finally {
        if (request.keyed === null) release()
      }
    }
  },
  { name: 'idempotency' }
)

function isWriting({ method, config }: RouteOptions): boolean {
  const [first] = [method].flat()
  if (first !== 'POST' && first !== 'PUT' && first !== 'DELETE') return false
  return !config?.public && !config?.signIn && requiredScope(first, config?.scope) !== readScope
}

function acceptKey(route: RouteOptions): void {
  const { headers, response = {} } = (route.schema ?? {}) as {
    headers?: { properties?: TProperties }
    response?: Record<string, object>
  }
  route.config = { ...route.config, secretFields: secretFieldsOf(response) }
  route.schema = {
    ...route.schema,
    headers: Type.Object({ ...headers?.properties, [HEADER]: Type.Optional(IdempotencyKey) })
  }
}

/** The fields of a route's success that were made with `secretShownOnce`. */
function secretFieldsOf(response: Record<string, object>): SecretFields {
  const secretFields = new Map<string, string>()
  for (const [status, schema] of Object.entries(response)) {
    const { properties = {} } = schema as { properties?: Record<string, { 'x-shown-once'?: string }> }
    if (!status.startsWith('2')) continue
    for (const [name, { 'x-shown-once': sentence }] of Object.entries(properties)) {
      if (sentence !== undefined) secretFields.set(name, sentence)
    }
  }
  return secretFields
}
