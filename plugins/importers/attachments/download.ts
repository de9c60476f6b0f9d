import { setTimeout } from 'node:timers/promises'
import type { Agent, Dispatcher } from 'undici'
import { makeAgent, PrivateAddressError } from '../../../core/api/http.ts'
import type { SourceAccess } from '../contract.ts'
import { AddressError, retryAfterMs } from '../io/http.ts'

const SETTING = 'plugins.importers.allowPrivateAddresses'
const MAX_ATTEMPTS = 4
const MAX_REDIRECTS = 5
const FIRST_WAIT_MS = 250

export interface DownloadSettings {
  allowPrivateAddresses: boolean
  fileTimeoutMs: number
}
export interface Answer {
  headers: Readonly<Record<string, string | undefined>>
  chunks: AsyncIterable<Uint8Array>
}

/** A retry would not change that; the message says why. */
export class Unfetchable extends Error {}
class Trouble extends Error {
  readonly waitMs: number | undefined
  constructor(message: string, waitMs?: number) {
    super(message)
    this.waitMs = waitMs
  }
}

/**
 * Only the source itself, whose address the user has named, gets the token and may be at a private address: addresses
 * in its data may lead anywhere.
 */
export class Downloads {
  readonly #settings: DownloadSettings
  readonly #access: SourceAccess
  readonly #waitFactor: number
  readonly #agents = new Map<boolean, Promise<Agent>>()

  constructor(settings: DownloadSettings, access: SourceAccess, waitFactor: number) {
    this.#settings = settings
    this.#access = access
    this.#waitFactor = waitFactor
  }

  /**
   * @param use reads the content; called again when an attempt fails
   * @throws Unfetchable
   */
  async fetch<T>(address: string, use: (answer: Answer) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const signal = AbortSignal.timeout(this.#settings.fileTimeoutMs)
      try {
        return await this.#attempt(address, signal, use)
      } catch (error) {
        if (error instanceof Unfetchable) throw error
        if (error instanceof AddressError || error instanceof PrivateAddressError) throw new Unfetchable(error.message)
        const isLate = signal.aborted
        const reason = isLate ? `it takes longer than ${this.#settings.fileTimeoutMs / 1000} seconds` : messageOf(error)
        if (isLate || attempt === MAX_ATTEMPTS) throw new Unfetchable(reason)
        const waitMs = error instanceof Trouble ? error.waitMs : undefined
        await setTimeout((waitMs ?? FIRST_WAIT_MS * 2 ** attempt) * this.#waitFactor)
      }
    }
  }

  async close(): Promise<void> {
    for (const agent of this.#agents.values()) await (await agent).destroy()
  }

  async #attempt<T>(address: string, signal: AbortSignal, use: (answer: Answer) => Promise<T>): Promise<T> {
    let url = urlOf(address)
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const answer = await this.#request(url, signal)
      // An answer that is not read to its end ends with an error, which nobody awaits.
      answer.body.on('error', () => {})
      try {
        const { statusCode } = answer
        const headers = textsOf(answer.headers)
        if (statusCode === 200) {
          assertPlain(headers)
          return await use({ headers, chunks: answer.body })
        }
        const location = headers['location']
        if (statusCode < 300 || statusCode >= 400 || location === undefined) throw refusalOf(statusCode, headers)
        url = urlOf(location, url)
      } finally {
        answer.body.destroy()
      }
    }
    throw new Unfetchable(`it is redirected more than ${MAX_REDIRECTS} times`)
  }

  async #request(url: URL, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    const { request } = await import('undici')
    const isOwn = url.origin === this.#access.origin
    const { authorization } = this.#access
    const headers = { 'accept-encoding': 'identity', ...(isOwn && authorization !== undefined && { authorization }) }
    return request(url, { dispatcher: await this.#agent(isOwn), headers, signal })
  }

  #agent(isOwn: boolean): Promise<Agent> {
    const allowed = isOwn || this.#settings.allowPrivateAddresses
    let agent = this.#agents.get(allowed)
    if (agent === undefined) this.#agents.set(allowed, (agent = makeAgent(allowed, SETTING)))
    return agent
  }
}

function urlOf(address: string, base?: URL): URL {
  const url = URL.parse(address, base?.href)
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new Unfetchable('its address is none of the web')
  }
  return url
}

function refusalOf(status: number, headers: Answer['headers']): Error {
  if (status === 429 || status >= 500) {
    return new Trouble(`it answers ${status}`, retryAfterMs(headers['retry-after'] ?? null))
  }
  const advice = status === 401 || status === 403 ? ': set a token that may read it' : ''
  return new Unfetchable(`it answers ${status}${advice}`)
}

/** @throws Unfetchable */
function assertPlain(headers: Answer['headers']): void {
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity') throw new Unfetchable(`it answers in ${encoding}`)
}

const textsOf = (headers: Dispatcher.ResponseData['headers']): Answer['headers'] =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value])
  )

/** The error of a connection that failed at several addresses has no message, but a code. */
const messageOf = (error: unknown): string => {
  const { message, code } = error as NodeJS.ErrnoException
  return message || code || 'it cannot be reached'
}
