import { runAsSharer, Shares } from '../../core/api/accounts.ts'
import type { Principal } from '../../core/api/contract.ts'
import { overloaded } from '../../core/api/errors.ts'

interface TransferLimits {
  /** The transfers, in the plural, and what a client can do instead: as of `Shares`. */
  what: string
  advice: string
  perToken: number
  perWorkspace: number
  perProcess: number
  /** The refusal when this process has as many as it can. */
  full: string
}

/** Uploads or downloads that are under way: each holds a part of a file in memory. */
export class Transfers {
  readonly #shares: Shares
  readonly #limits: TransferLimits
  #count = 0

  constructor(limits: TransferLimits) {
    this.#limits = limits
    this.#shares = new Shares(limits)
  }

  /**
   * Counts one.
   * @returns a function that ends it
   * @throws 429 or 503 when there are too many
   */
  take(principal: Principal): () => void {
    const release = runAsSharer(principal, () => this.#shares.take())
    if (this.#count >= this.#limits.perProcess) {
      release()
      throw overloaded(this.#limits.full)
    }
    this.#count++
    return () => {
      release()
      this.#count--
    }
  }
}
