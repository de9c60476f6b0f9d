import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { invalid } from '../../api/errors.ts'
import type { CallerHeader } from '../../api/points.ts'
import { validSession } from '../../auth/auth.ts'

/**
 * The equality of requests: method, path with query, parsed body, `If-Match`, the headers that plugins read, and
 * session.
 * @returns a SHA-256
 * @throws 400 when the body is nested too deeply
 */
export function fingerprintOf(
  { method, url, body, headers }: FastifyRequest,
  pluginHeaders: readonly CallerHeader[]
): Buffer {
  const parts = [
    method,
    url,
    headers['if-match'] ?? null,
    ...pluginHeaders.map(({ name }) => headers[name] ?? null),
    validSession(headers['x-tracker-session']) ?? null
  ]
  return createHash('sha256').update(JSON.stringify(parts)).update(canonicalJson(body)).digest()
}

function canonicalJson(value: unknown): string {
  try {
    return JSON.stringify(value, sortFields) ?? ''
  } catch (error) {
    if (error instanceof RangeError) throw invalid('The body is nested too deeply: send a flatter one.')
    throw error
  }
}

function sortFields(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const names = Object.keys(value)
  if (names.every((name, n) => n === 0 || names[n - 1]! <= name)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
