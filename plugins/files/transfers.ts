import { runAsSharer, Shares } from '../../core/api/accounts.ts'
import type { Principal } from '../../core/api/contract.ts'
import { overloaded } from '../../core/api/errors.ts'

interface TransferLimits {
  /** As of `Shares`. */
  what: string
  advice: string
  perToken: number
  perWorkspace: number
  perProcess: number
  full: string
}

export class Transfers {
  readonly #shares: Shares
  readonly #limits: TransferLimits
  #count = 0

  constructor(limits: TransferLimits) {
    this.#limits = limits
    this.#shares = new Shares(limits)
  }

  /** @returns a function that ends it @throws 429 or 503 when there are too many */
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
