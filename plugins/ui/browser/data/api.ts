import { prefix } from '../go.ts'
import { isOfProxy, noteReached } from './connection.ts'

export class ApiProblem extends Error {
  readonly status: number
  readonly code: string
  readonly details: Record<string, unknown>
  constructor(status: number, body: { code?: string; message?: string }) {
    super(body.message ?? `The server answered ${status}: try again in a moment.`)
    this.status = status
    this.code = body.code ?? ''
    this.details = { ...body }
  }
}

/** True if the server could not be reached: it may have handled the request all the same. */
export const isUnreached = (error: unknown): boolean => error instanceof ApiProblem && error.status === 0

export const SIGNED_OUT = 'tracker:signed-out'

interface ApiOptions {
  body?: object
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  headers?: Record<string, string>
  signal?: AbortSignal
  /** For a request that may be repeated: without an answer by then, the server counts as unreachable. */
  timeoutMs?: number
}

/** @throws ApiProblem when the request is refused, or the server cannot be reached */
export async function api<T>(path: string, { body, method, headers, signal, timeoutMs }: ApiOptions = {}): Promise<T> {
  const end = timeoutMs === undefined ? signal : AbortSignal.timeout(timeoutMs)
  const { answer, text } = await fetch(prefix + path, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(end && { signal: end })
  })
    .then(async answer => ({ answer, text: await answer.text() }))
    .catch((error: unknown) => {
      if (signal?.aborted) throw error
      throw unreached()
    })
  const json = jsonOf(text)
  if (isOfProxy(answer.status, json !== undefined)) throw unreached()
  noteReached(true)
  if (answer.ok && json !== undefined) return json as T
  const problem = new ApiProblem(answer.status, json ?? {})
  if (problem.status === 401 && problem.code === 'TOKEN_MISSING') window.dispatchEvent(new Event(SIGNED_OUT))
  throw problem
}

function unreached(): ApiProblem {
  noteReached(false)
  return new ApiProblem(0, {
    code: 'OFFLINE',
    message: 'The server cannot be reached: try again when you are online.'
  })
}

/** Undefined: the answer is a proxy's page, not JSON. */
function jsonOf(text: string): object | undefined {
  try {
    return text === '' ? {} : (JSON.parse(text) as object)
  } catch {
    return undefined
  }
}

/** The values of an answer 412; undefined for other errors. */
export function currentValues<T extends object = Record<string, unknown>>(error: unknown): Partial<T> | undefined {
  if (!(error instanceof ApiProblem) || error.status !== 412) return undefined
  return error.details['current'] as Partial<T> | undefined
}

/** For `theirs` of `useSaving`. */
export function currentText(error: unknown, field: string): { text: string; context: string } | undefined {
  const text = currentValues(error)?.[field]
  return typeof text === 'string' ? { text, context: text } : undefined
}

export function messageOf(error: unknown): string {
  const current = currentValues(error)
  if (current !== undefined) {
    const quote = (value: unknown) => (typeof value === 'string' ? `“${value}”` : JSON.stringify(value))
    const values = Object.values(current).map(quote)
    return `Somebody has changed this meanwhile: it is ${values.join(', ')} now. Save yours again to replace it.`
  }
  return error instanceof Error ? error.message : String(error)
}
