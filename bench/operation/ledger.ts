import { setTimeout as sleep } from 'node:timers/promises'

/** Milliseconds between two attempts, where the answer names no time. */
const RETRY_MS = 500
/** Attempts of one request before it counts as lost. */
const MAX_ATTEMPTS = 60

/** The answers to the clients, and the writes that these acknowledge. */
export class Ledger {
  /** Answers by status. */
  readonly statuses = new Map<string, number>()
  /** Answers that no client should get, and requests that were never answered. */
  readonly lost: string[] = []
  /** The title of each issue that was acknowledged last. */
  readonly titles = new Map<string, string>()
  /** Issues whose next title was sent, and perhaps stored, but not acknowledged. */
  readonly uncertain = new Set<string>()
  /** The issue of each comment that was acknowledged. */
  readonly comments = new Map<string, string>()
  readonly closed = new Set<string>()
  /** Milliseconds of each answered request. */
  readonly times: number[] = []

  count(status: number | string): void {
    this.statuses.set(String(status), (this.statuses.get(String(status)) ?? 0) + 1)
  }
}

interface Request {
  url: string
  token: string
  body?: object
  headers?: Record<string, string>
}

/**
 * Sends a request as a careful client: again after a 503 with `Retry-After`, with the same `Idempotency-Key`.
 * @param accepted further statuses that are right
 * @returns the answer's JSON; undefined when it was lost
 */
export async function send<T>(
  ledger: Ledger,
  { url, token, body, headers }: Request,
  accepted: number[] = []
): Promise<T | undefined> {
  const key = crypto.randomUUID()
  const lose = (why: string) => ledger.lost.push(`${new Date().toISOString()} ${new URL(url).pathname}: ${why}`)
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const started = performance.now()
    const answer = await fetch(url, {
      method: body ? 'POST' : 'GET',
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json, text/event-stream',
        ...(body && { 'content-type': 'application/json', 'idempotency-key': key }),
        ...headers
      },
      ...(body && { body: JSON.stringify(body) })
    }).catch((error: unknown) => error as Error)
    if (answer instanceof Error) {
      ledger.count('no answer')
      lose(`no answer, ${String(answer.cause)}`)
      return undefined
    }
    const text = await answer.text()
    ledger.times.push(performance.now() - started)
    const retryAfter = answer.headers.get('retry-after')
    ledger.count(answer.status === 503 && retryAfter === null ? '503 without Retry-After' : answer.status)
    if (answer.ok || accepted.includes(answer.status)) return JSON.parse(text) as T
    if (retryAfter === null) {
      lose(`${answer.status} ${text.slice(0, 200)}`)
      return undefined
    }
    await sleep(Number(retryAfter) * 1000 || RETRY_MS)
  }
  lose(`${MAX_ATTEMPTS} attempts`)
  return undefined
}
