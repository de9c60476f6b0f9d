import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from './plugin.ts'

/** Maximum milliseconds that a closing server waits for its handlers. */
const MAX_WAIT_MS = 3_000

/**
 * Tracks the running handlers of all routes that are registered from now on. A closing server waits for its
 * connections, but not for handlers whose clients have disconnected.
 * @returns a function that waits until no handler runs; those that take longer fail when the database is closed
 */
export function trackHandlers(app: App): () => Promise<void> {
  const running = new Set<Promise<unknown>>()
  app.addHook('onRoute', route => {
    const { handler } = route
    route.handler = function (request, reply) {
      const result: unknown = handler.call(this, request, reply)
      if (result instanceof Promise) {
        running.add(result)
        const forget = () => running.delete(result)
        result.then(forget, forget)
      }
      return result
    }
  })
  return async () => {
    await Promise.race([Promise.allSettled(running), sleep(MAX_WAIT_MS, undefined, { ref: false })])
  }
}
