import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../api/plugin.ts'

/** Maximum milliseconds that a closing server waits for its handlers. */
const MAX_WAIT_MS = 3_000

/**
 * Counts the running handlers of all routes that are registered from now on: a closing server waits for connections,
 * but not for handlers whose clients have disconnected.
 * @returns a function that waits until no handler runs; slower ones fail when the database is closed
 */
export function trackHandlers(app: App): () => Promise<void> {
  // A number: with a set of promises, about twice as many bytes of a request outlive the young generation.
  let running = 0
  let allEnded: (() => void) | undefined
  const end = () => {
    running--
    if (running === 0) allEnded?.()
  }
  app.addHook('onRoute', route => {
    const { handler } = route
    route.handler = function (request, reply) {
      const result: unknown = handler.call(this, request, reply)
      if (result instanceof Promise) {
        running++
        result.then(end, end)
      }
      return result
    }
  })
  return async () => {
    if (running === 0) return
    const ended = new Promise<void>(resolve => {
      allEnded = resolve
    })
    await Promise.race([ended, sleep(MAX_WAIT_MS, undefined, { ref: false })])
  }
}
