import { setTimeout as sleep } from 'node:timers/promises'
import { keyInUse, MAX_WAIT_MS } from './keys.ts'

/**
 * Serialises this process's requests with the same key.
 * @returns a function that waits for a turn and returns a function that ends it
 * @throws 409 when the wait is too long
 */
export function makeTurns(): (name: string) => Promise<() => void> {
  /** The end of the last use of each key. */
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
