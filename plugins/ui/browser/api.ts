import { prefix } from './go.ts'

/** An answer that is no success: its sentence says what would be right. */
export class ApiProblem extends Error {
  readonly status: number
  readonly code: string
  readonly details: Record<string, unknown>
  constructor(status: number, body: { code?: string; message?: string }) {
    super(body.message ?? `The server answered ${status}.`)
    this.status = status
    this.code = body.code ?? ''
    this.details = { ...body }
  }
}

/** What `window` hears when the session has ended. */
export const SIGNED_OUT = 'tracker:signed-out'

export interface ApiOptions {
  /** A body makes it a POST. */
  body?: object
  method?: 'GET' | 'POST' | 'DELETE'
  headers?: Record<string, string>
  signal?: AbortSignal
}

/** One request to REST. @throws ApiProblem when it is refused, or the server cannot be reached */
export async function api<T>(path: string, { body, method, headers, signal }: ApiOptions = {}): Promise<T> {
  const answer = await fetch(prefix + path, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal })
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error
    throw new ApiProblem(0, {
      code: 'OFFLINE',
      message: 'The server cannot be reached: try again when you are online.'
    })
  })
  const text = await answer.text()
  const json: unknown = text === '' ? {} : JSON.parse(text)
  if (answer.ok) return json as T
  const problem = new ApiProblem(answer.status, json as { code?: string; message?: string })
  if (problem.status === 401 && problem.code === 'TOKEN_MISSING') window.dispatchEvent(new Event(SIGNED_OUT))
  throw problem
}

/** What an error tells the reader. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
