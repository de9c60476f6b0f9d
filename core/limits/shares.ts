import { AsyncLocalStorage } from 'node:async_hooks'
import type { Caller } from '../api/contract.ts'
import { ApiError } from '../api/errors.ts'

/** The caller whose use is counted. Without a token it is the server, which is not counted. */
type Sharer = Pick<Caller, 'tokenId' | 'workspaceId'>

const current = new AsyncLocalStorage<Sharer>()
/** Runs `work`, counting its shares for the caller of a request. */
export const runAsSharer = <T>(sharer: Sharer, work: () => T): T => current.run(sharer, work)

interface ShareLimits {
  /** The limited resource, in the plural, for error messages. */
  readonly what: string
  readonly perToken: number
  readonly perWorkspace: number
  /** The end of a sentence: what the client can do instead. */
  readonly advice: string
}

/** Shares of a resource that this process has a limited number of, so that no caller takes all. */
export class Shares {
  readonly #limits: ShareLimits
  readonly #used = new Map<string, number>()

  constructor(limits: ShareLimits) {
    this.#limits = limits
  }

  /**
   * Takes one for the caller of the current request.
   * @returns a function that releases it, once
   * @throws ApiError 429
   */
  take(): () => void {
    const { what, perToken, perWorkspace, advice } = this.#limits
    const { tokenId = null, workspaceId = '' } = current.getStore() ?? {}
    if (tokenId === null) return () => {}
    if (this.#count(tokenId) >= perToken) throw tooMany(`This token already has ${perToken} ${what}: ${advice}.`)
    if (this.#count(workspaceId) >= perWorkspace) {
      throw tooMany(`This workspace already has ${perWorkspace} ${what} on this server: ${advice}.`)
    }
    const sharers = [tokenId, workspaceId]
    for (const sharer of sharers) this.#used.set(sharer, this.#count(sharer) + 1)
    return () => {
      for (const sharer of sharers.splice(0)) {
        const count = this.#count(sharer) - 1
        if (count === 0) this.#used.delete(sharer)
        else this.#used.set(sharer, count)
      }
    }
  }

  #count(sharer: string): number {
    return this.#used.get(sharer) ?? 0
  }
}

const tooMany = (message: string) => new ApiError(429, 'RATE_LIMITED', message, {}, { 'retry-after': '5' })
