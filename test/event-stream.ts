import type { EventJson } from '../plugins/events/contract.ts'
import type { TestServer } from './runner/harness.ts'

/** A client of `GET /v1/events` as a stream. */
interface StreamClient {
  /** The events so far, each with its cursor. */
  readonly received: Array<{ id: string; event: EventJson }>
  readonly comments: number
  /** The client's next `Last-Event-ID`. */
  readonly lastId: string | undefined
  /** Settles with the first block of the stream. */
  readonly begun: Promise<void>
  /** Waits for this number of events. @throws Error when the stream ends before */
  reached(count: number): Promise<void>
  /** Settles when either side has ended the stream. */
  readonly ended: Promise<void>
  close(): void
}

/** The address of a server that listens on a free port. */
export async function listen({ app }: TestServer): Promise<string> {
  return app.listen({ host: '127.0.0.1', port: 0 })
}

/**
 * Opens a stream, and waits until it has begun.
 * @param token undefined: the headers authenticate the request
 * @throws Error with an error answer
 */
export async function openStream(
  origin: string,
  token: string | undefined,
  { query = '', headers = {} }: { query?: string; headers?: Record<string, string> } = {}
): Promise<StreamClient> {
  const closing = new AbortController()
  const answer = await fetch(`${origin}/v1/events${query}`, {
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      accept: 'text/event-stream',
      ...headers
    },
    signal: closing.signal
  })
  if (!answer.ok || answer.body === null) throw new Error(`${answer.status}: ${await answer.text()}`)
  const received: StreamClient['received'] = []
  const begun = Promise.withResolvers<void>()
  let lastId: string | undefined
  let comments = 0
  let isOver = false
  const waiting = new Set<() => void>()
  const wake = () => waiting.forEach(check => check())
  const read = async (body: ReadableStream<Uint8Array>) => {
    let text = ''
    const decoder = new TextDecoder()
    for await (const chunk of body) {
      const blocks = (text + decoder.decode(chunk, { stream: true })).split('\n\n')
      text = blocks.pop()!
      for (const block of blocks) {
        const lines = block.split('\n')
        const valueOf = (field: string) => lines.find(line => line.startsWith(`${field}: `))?.slice(field.length + 2)
        const [id, data] = [valueOf('id'), valueOf('data')]
        lastId = id ?? lastId
        begun.resolve()
        if (id !== undefined && data !== undefined) received.push({ id, event: JSON.parse(data) as EventJson })
        comments += lines.filter(line => line.startsWith(':')).length
      }
      wake()
    }
  }
  const ended = read(answer.body)
    .catch(() => {}) // it was cut off
    .then(() => {
      isOver = true
      wake()
    })
  return {
    received,
    get comments() {
      return comments
    },
    get lastId() {
      return lastId
    },
    begun: begun.promise,
    reached: count =>
      new Promise((resolve, reject) => {
        const check = () => {
          if (received.length < count && !isOver) return
          waiting.delete(check)
          if (received.length >= count) resolve()
          else reject(new Error(`The stream ended after ${received.length} of ${count} events.`))
        }
        waiting.add(check)
        check()
      }),
    ended,
    close: () => closing.abort()
  }
}
