import type { Duplex } from 'node:stream'
import type pg from 'pg'

declare module 'pg' {
  interface Connection {
    /** Parses the answers of a socket. The embedded database has no socket. */
    attachListeners?(stream: Duplex): void
  }
}

/**
 * Keeps an answer of PostgreSQL from ending the process. pg parses answers in a listener of the socket, where nobody
 * catches an exception, such as a value that is too long for a JavaScript string. With the guard, the connection breaks
 * as after a network error: the statement fails, and the pool opens another connection.
 */
export function guardConnection(connection: pg.Connection): void {
  const attach = connection.attachListeners?.bind(connection)
  if (!attach) return
  connection.attachListeners = stream => {
    attach(stream)
    for (const listener of stream.listeners('data')) {
      stream.off('data', listener as (chunk: Buffer) => void).on('data', (chunk: Buffer) => {
        try {
          Reflect.apply(listener, stream, [chunk])
        } catch (error) {
          stream.destroy(error instanceof Error ? error : new Error(String(error)))
        }
      })
    }
  }
}
