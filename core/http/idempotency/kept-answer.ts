import type { FastifyReply } from 'fastify'

/** Maximum bytes of an answer that is stored unchanged; of longer ones only the ids. */
const MAX_KEPT_BYTES = 64 * 1024
/** All others are set again for the replay. */
const KEPT_HEADERS = ['etag', 'preference-applied', 'location']
const ID_FIELDS = new Set(['id', 'key'])

export interface KeptAnswer {
  status: number
  headers: Record<string, string>
  /** JSON; empty: no body. */
  body: string
}

/** Names of fields with a secret, and a sentence for each: how to replace it. */
export type SecretFields = ReadonlyMap<string, string>

/** The answer to store: without secrets, and shortened to its ids if it is long. @param payload the answer as sent */
export function keptAnswer(reply: FastifyReply, payload: unknown, secrets: SecretFields): KeptAnswer {
  const headers = KEPT_HEADERS.flatMap(name => {
    const value = reply.getHeader(name)
    return value === undefined ? [] : [[name, String(value)]]
  })
  return {
    status: reply.statusCode,
    headers: Object.fromEntries(headers),
    body: typeof payload === 'string' && payload !== '' ? keptBody(payload, secrets) : ''
  }
}

export function dropHeaders(reply: FastifyReply): void {
  for (const name of KEPT_HEADERS) reply.removeHeader(name)
}

function keptBody(json: string, secrets: SecretFields): string {
  const withoutSecrets = secrets.size === 0 ? json : JSON.stringify(hideSecrets(JSON.parse(json), secrets))
  return Buffer.byteLength(withoutSecrets) <= MAX_KEPT_BYTES
    ? withoutSecrets
    : JSON.stringify(idsOf(JSON.parse(withoutSecrets)))
}

function hideSecrets(answer: Record<string, unknown>, secrets: SecretFields): object {
  const hidden = [...secrets].filter(([name]) => answer[name] != null)
  return {
    ...answer,
    ...Object.fromEntries(hidden.map(([name]) => [name, null])),
    ...(hidden.length > 0 && { message: hidden.map(([, sentence]) => sentence).join(' ') })
  }
}

/** The ids in an answer, in its structure; undefined when it has none. */
function idsOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(idsOf).filter(item => item !== undefined)
  if (typeof value !== 'object' || value === null) return undefined
  const entries = Object.entries(value).flatMap(([name, inner]) => {
    if (ID_FIELDS.has(name) && typeof inner === 'string') return [[name, inner]]
    const ids = idsOf(inner)
    return ids === undefined || (Array.isArray(ids) && ids.length === 0) ? [] : [[name, ids]]
  })
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}
