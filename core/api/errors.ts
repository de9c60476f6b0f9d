import { STATUS_CODES } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import type { FastifyError, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { ApiError, problem } from './contract.ts'
import { FULL_DISK_CODES } from '../db/limits.ts'

export { ApiError }

/** The core's error codes; plugins contribute theirs to the point `problems`. */
export const CORE_ERROR_CODES = [
  'TOKEN_MISSING',
  'TOKEN_INVALID',
  'SCOPE_REQUIRED',
  'ADMIN_REQUIRED',
  'TOKEN_CONFINED',
  'CROSS_SITE',
  'FORBIDDEN',
  'VALIDATION',
  'NOT_FOUND',
  'CONFLICT',
  'PRECONDITION_FAILED',
  'IDEMPOTENCY_KEY_IN_USE',
  'IDEMPOTENCY_KEY_REUSED',
  'TOO_LARGE',
  'REQUEST_TIMEOUT',
  'UNSUPPORTED_MEDIA_TYPE',
  'RATE_LIMITED',
  'OVERLOADED',
  'STORAGE_FULL',
  'INTERNAL'
] as const

/** Maximum bytes of a request, unless its route has another limit; texts in it have smaller limits. */
export const BODY_LIMIT = 8 * 1024 * 1024

const REASONS: typeof STATUS_CODES = { ...STATUS_CODES, 422: 'Unprocessable Content' }

/** Errors with a code of the core, for code that can say how to correct the request. */
export const invalid = problem<object>(400, 'VALIDATION')
export const missing = problem(404, 'NOT_FOUND')
export const conflict = problem<object>(409, 'CONFLICT')
/** `changes` and `conflicts`: the changes since the revision that the request is based on. */
export const preconditionFailed = problem<
  | { rev: number; changes?: readonly object[]; conflicts?: readonly object[] }
  | { fence: number }
  | { current: Readonly<Record<string, unknown>> }
>(412, 'PRECONDITION_FAILED')
/**
 * Prevents lost updates: see `previously` in schemas.ts.
 * @param current as its routes answer it, locked by the transaction.
 * @throws 412 with the values that differ
 */
export function assertUnchanged<P extends object>(previous: P | undefined, current: Required<P>): void {
  const fields = (Object.keys(previous ?? {}) as Array<string & keyof P>).filter(
    field => !isDeepStrictEqual(previous?.[field], current[field])
  )
  if (fields.length === 0) return
  const values = fields.map(field => `${field} is ${abbreviate(JSON.stringify(current[field]))} now`)
  throw preconditionFailed(
    `This was changed since you read it: ${values.join(', ')}. Nothing was changed by you; to replace it, send the ` +
      'change again with the current values in `previous`.',
    { current: Object.fromEntries(fields.map(field => [field, current[field]])) }
  )
}
export const forbidden = problem(403, 'FORBIDDEN')
export const tooLarge = problem(413, 'TOO_LARGE')
/** Also for things of other workspaces. */
export const notFound = (what: string, ref: string) =>
  missing(`There is no ${what} '${abbreviate(ref)}' in this workspace.`)

export const abbreviate = (text: string): string => (text.length > 80 ? text.slice(0, 77) + '…' : text)

export function errorBody(error: ApiError) {
  return {
    statusCode: error.statusCode,
    error: REASONS[error.statusCode] ?? 'Error',
    code: error.code,
    message: error.message,
    ...error.details
  }
}

interface PostgresError {
  code: string
  message: string
  constraint?: string
}
const isPostgresError = (error: unknown): error is PostgresError =>
  error instanceof Error &&
  typeof (error as { code?: unknown }).code === 'string' &&
  /^[0-9A-Z]{5}$/.test((error as unknown as PostgresError).code)

/** Translates an error of PostgreSQL. Routes that can say more throw their own error before. */
function fromPostgres(error: PostgresError): ApiError | undefined {
  if (FULL_DISK_CODES.includes(error.code)) return storageFull()
  switch (error.code) {
    case '23503':
      return missing('The request refers to something that does not exist in this workspace.')
    case '23505':
      return conflict('This already exists: choose another name, or change the existing one.')
    case '23514':
    case '22001':
    case '22003':
    case '22007':
    case '22008':
    case '22P02':
      return invalid('A value is outside of the range of its field.')
    case '22021':
    case '22P05':
      return invalid('Text must not contain NUL characters.')
    case '54000':
    case '54001':
      return invalid('The request is too complex: send less at once.')
    case '57014':
    case '40001':
    case '40P01':
    case '55P03':
    case '25P03':
      return overloaded()
    case '55000':
      return databaseAway()
  }
  // The class of resources.
  return error.code.startsWith('53') ? overloaded() : undefined
}

/** Citus reports a broken connection to a worker as an internal error, with the message of libpq. */
const isLostWorker = ({ code, message }: PostgresError): boolean =>
  code === 'XX000' && /\b(connection|server|socket|node)\b/.test(message)

const CONNECTION_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN'
])
/** Substrings of messages of pg, its pool and Kysely, whose errors have no codes. */
const CONNECTION_MESSAGES = [
  'Connection terminated',
  'not queryable',
  'Query read timeout',
  'timeout expired',
  'after calling end on the pool',
  'driver has already been destroyed'
]

/** True if the database could not be reached, or the connection to it broke. */
export function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { syscall, code = '', message }: NodeJS.ErrnoException = error
  return (
    syscall === 'connect' ||
    CONNECTION_CODES.has(code) ||
    CONNECTION_MESSAGES.some(part => message.includes(part)) ||
    // The classes of connections and of operator intervention: the database starts or stops.
    (isPostgresError(error) && (/^(08|57P)/.test(code) || isLostWorker(error)))
  )
}

export const overloaded = (message = 'The server is busy: try again in a few seconds.') =>
  new ApiError(503, 'OVERLOADED', message, {}, { 'retry-after': '2' })
const databaseAway = () => overloaded('The database of the server cannot be reached now: try again in a few seconds.')
/** The connection broke before the answer to a commit. */
export const commitUnknown = () =>
  overloaded(
    'The connection to the database broke while the change was stored: it may be stored or not. Read before you send ' +
      'it again; with an Idempotency-Key it can be sent again, and happens once.'
  )
const storageFull = () =>
  new ApiError(
    503,
    'STORAGE_FULL',
    'Nothing can be stored now, because the disk of the database is full: an administrator must free space. ' +
      'Reading goes on.',
    {},
    { 'retry-after': '60' }
  )

const PARTS: Record<string, string> = { querystring: 'query', params: 'path', headers: 'header' }

/** For a union, Ajv reports the errors of each member: take that of the member whose type matches. */
function errorToTell(errors: readonly Refused[]): Refused | undefined {
  const union = errors.findLast(({ keyword }) => keyword === 'anyOf')
  if (union === undefined) return errors[0]
  const isOfType = ({ keyword, instancePath }: Refused) =>
    ['type', 'const', 'anyOf'].includes(keyword) && instancePath === union.instancePath
  const isDescribed = typeof union.parentSchema?.description === 'string'
  return errors.find(error => !isOfType(error)) ?? (isDescribed ? union : errors[0])
}

function fromValidation(error: FastifyError): ApiError {
  const first = errorToTell((error.validation ?? []) as Refused[])
  const part = PARTS[error.validationContext ?? ''] ?? error.validationContext ?? 'body'
  if (first === undefined) return invalid(error.message)
  const { instancePath, params } = first
  const path = instancePath.split('/').map(name => name.replaceAll('~1', '/').replaceAll('~0', '~'))
  const field = [...path, params.additionalProperty, params.missingProperty].filter(Boolean).join('.')
  const where = field === '' ? `The ${part}` : `${part}.${abbreviate(field)}`
  const known = (error as { knownFields?: string[] }).knownFields
  return invalid(`${where} ${complaint(first, known)}.`, {
    field: field || part,
    ...(known && { knownFields: known })
  })
}

interface Refused {
  keyword: string
  instancePath: string
  message?: string
  params: { additionalProperty?: string; missingProperty?: string; allowedValues?: unknown[]; limit?: number }
  parentSchema?: { description?: unknown; [keyword: string]: unknown }
}

/** The problem with a value: the end of a sentence that begins with its name. */
export function complaint(
  { keyword, message = 'is not valid', params, parentSchema }: Refused,
  known?: string[]
): string {
  switch (keyword) {
    case 'additionalProperties':
      return 'is not a field of this request' + (known?.length ? `; the fields are: ${known.join(', ')}` : '')
    case 'required':
      return 'is missing'
    case 'enum':
      return `must be one of: ${(params.allowedValues ?? []).join(', ')}`
    case 'minLength':
      return params.limit === 1 ? 'must not be empty' : message
    // Few readers learn the expected form from a regular expression or a list of schemas.
    case 'anyOf':
    case 'format':
    case 'pattern':
      return typeof parentSchema?.description === 'string'
        ? `does not fit: ${parentSchema.description.replace(/\.$/, '')}`
        : message
  }
  return message
}

/** @param bodyLimit bytes of a request to the route. @returns undefined for a defect of the server, which is hidden */
export function toApiError(error: unknown, bodyLimit = BODY_LIMIT): ApiError | undefined {
  if (error instanceof ApiError) return error
  if (!(error instanceof Error)) return undefined
  // Node's error when a client disconnects; it has the code of a broken connection.
  if (error.message === 'aborted') return invalid('The request was not sent to its end.')
  if (error.message.includes('timeout exceeded when trying to connect')) return overloaded()
  if (isConnectionError(error)) return databaseAway()
  if (isPostgresError(error)) return fromPostgres(error)
  const { validation, statusCode, code } = error as FastifyError
  if (validation) return fromValidation(error as FastifyError)
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE': {
      const kib = bodyLimit / 1024
      return tooLarge(`The body is too large: send at most ${kib < 1024 ? `${kib} KiB` : `${kib / 1024} MiB`} at once.`)
    }
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new ApiError(415, 'UNSUPPORTED_MEDIA_TYPE', "Send JSON, with the header 'Content-Type: application/json'.")
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return invalid('The body is empty: send a JSON object.')
    case 'FST_UNDER_PRESSURE':
      return overloaded()
    case 'FST_ERR_BAD_URL':
      return invalid('The path is not a valid URL.')
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new ApiError(statusCode, statusCode === 413 ? 'TOO_LARGE' : 'VALIDATION', error.message)
  }
  return undefined
}

/** An unauthorized request gets only the error of authorization, although its body may have been read meanwhile. */
async function firstError({ authorizing }: FastifyRequest, error: unknown): Promise<unknown> {
  try {
    await authorizing
    return error
  } catch (refusal) {
    return refusal
  }
}

/** Answers every error in one shape, without internals (stack, SQL, paths). */
export const errors = fp(
  async app => {
    app.setErrorHandler(async (thrown, request, reply) => {
      const error = await firstError(request, thrown)
      const known = toApiError(error, request.routeOptions.bodyLimit)
      if (known === undefined) request.log.error({ err: error }, 'request failed')
      else if (known.statusCode >= 500) request.log.warn({ err: error }, known.message)
      const answer =
        known ??
        new ApiError(500, 'INTERNAL', `Something went wrong; the server's log has the request id ${request.id}.`)
      return reply
        .code(answer.statusCode)
        .headers(answer.headers)
        .type('application/json; charset=utf-8')
        .send(errorBody(answer))
    })
    app.setNotFoundHandler((request, reply) => {
      const path = abbreviate(request.url.split('?')[0] ?? '')
      const answer = new ApiError(
        404,
        'NOT_FOUND',
        `There is no ${request.method} ${path}; /openapi.json lists the routes.`
      )
      return reply.code(404).send(errorBody(answer))
    })
  },
  { name: 'errors' }
)
