import { overloaded } from '../../api/errors.ts'

const MAX_WAIT_MS = 10_000

/** Limits concurrency; the rest waits in order of arrival. */
export class Turns {
  readonly #hasWaitLimit: boolean
  #free: number
  readonly #waiting = new Set<() => void>()

  constructor(atOnce: number, { hasWaitLimit = true } = {}) {
    this.#free = atOnce
    this.#hasWaitLimit = hasWaitLimit
  }

  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--
    else await this.#wait()
    try {
      return await work()
    } finally {
      const [next] = this.#waiting
      if (next === undefined) this.#free++
      else next()
    }
  }

  #wait(): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer)
        this.#waiting.delete(begin)
        resolve()
      }
      const giveUp = () => {
        this.#waiting.delete(begin)
        reject(overloaded('Too many such requests wait for the database: try again in a few seconds.'))
      }
      const timer = this.#hasWaitLimit ? setTimeout(giveUp, MAX_WAIT_MS) : undefined
      this.#waiting.add(begin)
    })
  }
}
