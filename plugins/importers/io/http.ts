import { setTimeout } from 'node:timers/promises'

const MAX_ATTEMPTS = 8
const FIRST_WAIT_MS = 250
const MAX_WAIT_MS = 60_000
/** After a longer one the user has to run the import again. */
const MAX_RETRY_AFTER_MS = 15 * 60_000
const TIMEOUT_MS = 60_000

export class AddressError extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Retries after rate limits, server errors and broken connections. @throws AddressError with advice */
export async function fetchJson(url: URL, headers: Record<string, string>, waitFactor: number): Promise<unknown> {
  let problem = ''
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const waitMs = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** attempt)
    try {
      const answer = await fetch(url, {
        headers: { accept: 'application/json', ...headers },
        signal: AbortSignal.timeout(TIMEOUT_MS)
      })
      // A connection may also break within the body.
      if (answer.ok) return await answer.json()
      await answer.body?.cancel()
      if (answer.status !== 429 && answer.status < 500) throw refusalError(answer.status, url)
      problem = `it answers ${answer.status}`
      await setTimeout((retryAfterMs(answer.headers.get('retry-after')) ?? waitMs) * waitFactor)
    } catch (error) {
      if (error instanceof AddressError) throw error
      problem = (error as Error).message
      await setTimeout(waitMs * waitFactor)
    }
  }
  throw new AddressError(
    0,
    `${url.origin} cannot be read: ${problem}, ${MAX_ATTEMPTS} times. Run the import again later.`
  )
}

/** @throws AddressError when the wait is too long */
export function retryAfterMs(header: string | null): number | undefined {
  if (header === null) return undefined
  const waitMs = /^\d+$/.test(header) ? Number(header) * 1000 : new Date(header).getTime() - Date.now()
  if (Number.isNaN(waitMs)) return undefined
  if (waitMs > MAX_RETRY_AFTER_MS) {
    throw new AddressError(
      429,
      `The tracker asks to wait for ${Math.ceil(waitMs / 60_000)} minutes: run the import then.`
    )
  }
  return Math.max(0, waitMs)
}

const refusalError = (status: number, url: URL): AddressError =>
  new AddressError(
    status,
    status === 401 || status === 403
      ? `${url.origin} answers ${status}: set a token that may read it (docs/importers.md says in which variable).`
      : `${url.origin}${url.pathname} answers ${status}: check the address.`
  )
