import { Readable, Writable } from 'node:stream'
import type { App } from '../../../core/api/plugin.ts'
import type { InnerAnswer, RestRequest } from '../tool-calls.ts'

/*
 * Requests of this server to its own routes, as `app.inject` sends them, but without Node's classes for HTTP messages,
 * which are made for sockets and cost more than the rest of a call.
 */

export function sendInside(app: Pick<App, 'routing'>, request: RestRequest): Promise<InnerAnswer> {
  return new Promise((resolve, reject) => {
    const response = new InnerResponse()
      .once('finish', () => resolve(response))
      .once('close', () => {
        if (response.writableFinished) return
        reject(new Error(`The answer to ${request.method} ${request.url} broke off.`))
      })
      .on('error', reject)
    // Untyped: they have only the parts of Node's messages that Fastify uses.
    Reflect.apply(app.routing, app, [new InnerRequest(request), response])
  })
}

const SOCKET = { remoteAddress: '127.0.0.1' }

class InnerRequest extends Readable {
  readonly httpVersion = '1.1'
  readonly httpVersionMajor = 1
  readonly complete = true
  readonly socket = SOCKET
  readonly method: string
  readonly url: string
  readonly headers: Record<string, string | undefined>

  constructor({ method, url, headers, payload }: RestRequest) {
    super()
    this.method = method
    this.url = url
    this.headers = { host: 'localhost', ...headers }
    if (payload) {
      const body = payload instanceof Uint8Array ? payload : Buffer.from(JSON.stringify(payload))
      this.headers['content-type'] ??= 'application/json'
      this.headers['content-length'] = String(body.length)
      this.push(body)
    }
    this.push(null)
  }

  override _read(): void {}
}

class InnerResponse extends Writable implements InnerAnswer {
  statusCode = 200
  headersSent = false
  readonly #headers = new Map<string, unknown>()
  readonly #pieces: Array<string | Uint8Array> = []

  constructor() {
    super({ decodeStrings: false })
  }

  json<T>(): T {
    const [first, ...more] = this.#pieces
    // A character may be in two pieces.
    const text = more.length === 0 ? first : Buffer.concat(this.#pieces.map(piece => Buffer.from(piece)))
    return JSON.parse(String(text))
  }

  override _write(piece: string | Uint8Array, _encoding: BufferEncoding, done: () => void): void {
    this.headersSent = true
    this.#pieces.push(piece)
    done()
  }

  writeHead(statusCode: number): this {
    this.statusCode = statusCode
    this.headersSent = true
    return this
  }
  setHeader(name: string, value: unknown): this {
    this.#headers.set(name.toLowerCase(), value)
    return this
  }
  getHeader(name: string): unknown {
    return this.#headers.get(name.toLowerCase())
  }
  getHeaders(): Record<string, unknown> {
    return Object.fromEntries(this.#headers)
  }
  hasHeader(name: string): boolean {
    return this.#headers.has(name.toLowerCase())
  }
  removeHeader(name: string): void {
    this.#headers.delete(name.toLowerCase())
  }
}
