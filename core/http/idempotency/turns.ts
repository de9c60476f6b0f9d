import { setTimeout as sleep } from 'node:timers/promises'
import { keyInUse, MAX_WAIT_MS } from './keys.ts'

/**
 * Makes the requests of this process that have the same key run one after the other.
 * @returns a function that waits for a turn and returns a function that ends it. @throws 409 when the wait is too long
 */
export function makeTurns(): (name: string) => Promise<() => void> {
  /** The keys in use, and the end of each use. */
  const running = new Map<string, Promise<void>>()
  return async name => {
    const deadline = performance.now() + MAX_WAIT_MS
    for (let other = running.get(name); other !== undefined; other = running.get(name)) {
      const leftMs = deadline - performance.now()
      if (leftMs <= 0) throw keyInUse()
      await Promise.race([other, sleep(leftMs, undefined, { ref: false })])
    }
    const { promise, resolve } = Promise.withResolvers<void>()
    running.set(name, promise)
    return () => {
      running.delete(name)
      resolve()
    }
  }
}
