import { createHash } from 'node:crypto'
import type { Duplex } from 'node:stream'
import pg from 'pg'

declare module 'pg' {
  interface Connection {
    attachListeners?(stream: Duplex): void
  }
}

/** Further statements are sent unprepared. */
const MAX_PREPARED = 500
/** Texts to detect repetitions; then all are forgotten. */
const MAX_COUNTED = 5_000
/** Characters. A longer statement is a bulk insert, hardly ever of the same number of rows again. */
const MAX_LENGTH = 20_000

export interface PreparingOptions {
  plainStatements?: boolean | undefined
  onStatement?: ((sql: string, values: readonly unknown[]) => void) | undefined
  onAnswer?: ((sql: string, durationMs: number) => void) | undefined
  slowStatements?: SlowStatements | undefined
}

export interface SlowStatements {
  /** May change; 0: no statement is slow. */
  readonly settings: { readonly slowStatementMs: number }
  report(sql: string, durationMs: number): void
}

/** From the second run on; undefined: sent without a name. */
function makeStatementNames(): (text: string) => string | undefined {
  const names = new Map<string, string>()
  const sentTexts = new Set<string>()

  return text => {
    const name = names.get(text)
    if (name !== undefined || names.size >= MAX_PREPARED || text.length > MAX_LENGTH) return name
    if (!sentTexts.has(text)) {
      if (sentTexts.size >= MAX_COUNTED) sentTexts.clear()
      sentTexts.add(text)
      return undefined
    }
    sentTexts.delete(text)
    const fresh = createHash('sha1').update(text).digest('base64url')
    names.set(text, fresh)
    return fresh
  }
}

/**
 * From its second run on, a statement with parameters is sent under a name: PostgreSQL parses it once per connection
 * and may keep its plan (planning a context takes longer than running it).
 * @see https://node-postgres.com/features/queries#prepared-statements
 */
export function preparingClient(options: PreparingOptions): new (config?: string | pg.ClientConfig) => pg.Client {
  const { onStatement, plainStatements = false } = options
  const nameOf = makeStatementNames()

  return class PreparingClient extends pg.Client {
    /** Names that were sent and not answered yet; names that this connection knows. */
    readonly #preparing = new Set<string>()
    readonly #prepared = new Set<string>()

    constructor(config?: string | pg.ClientConfig) {
      super(config)
      guardConnection(this.connection)
    }

    override query(...args: unknown[]): never {
      const result = this.#send(args)
      if (result instanceof Promise) reportAnswer(result, args[0], options)
      return result as never
    }

    // pg's `query` has a dozen overloads; this one passes all but (text, values) through.
    #send(args: unknown[]): unknown {
      const [text, values, callback] = args
      onStatement?.(textOf(text), Array.isArray(values) ? values : [])
      const isRepeatable = !plainStatements && typeof text === 'string' && Array.isArray(values) && values.length > 0
      const name = isRepeatable && callback === undefined ? nameOf(text) : undefined
      // In a pipeline, further runs may be sent before the answer: if preparing failed, those by name would fail, too.
      if (!isRepeatable || name === undefined || this.#preparing.has(name)) {
        return super.query(...(args as Parameters<pg.Client['query']>)) as unknown
      }
      const result = this.#sendNamed(name, text, values)
      if (this.pipeline && !this.#prepared.has(name)) this.#prepare(name, result)
      return result
    }

    /** Like `query({ name, text, values })`: pg's copy of such an object takes longer than the rest of sending it. */
    #sendNamed(name: string, text: string, values: unknown[]): Promise<pg.QueryResult> {
      return new Promise<pg.QueryResult>((resolve, reject) => {
        super.query(new NamedQuery(name, text, values, (error, result) => (error ? reject(error) : resolve(result))))
      }).catch((error: unknown) => {
        // Like pg: its own stack only shows the socket.
        if (error instanceof Error) Error.captureStackTrace(error)
        throw error
      })
    }

    #prepare(name: string, result: Promise<unknown>): void {
      this.#preparing.add(name)
      result
        .then(
          () => this.#prepared.add(name),
          () => {} // the caller gets the error
        )
        .finally(() => this.#preparing.delete(name))
    }
  }
}

function reportAnswer(
  result: Promise<unknown>,
  statement: unknown,
  { onAnswer, slowStatements }: PreparingOptions
): void {
  const sentAt = performance.now()
  const answered = () => {
    const durationMs = performance.now() - sentAt
    const { slowStatementMs = 0 } = slowStatements?.settings ?? {}
    if (slowStatementMs > 0 && durationMs >= slowStatementMs) slowStatements?.report(textOf(statement), durationMs)
    onAnswer?.(textOf(statement), durationMs)
  }
  result.then(answered, answered)
}

type QueryCallback = NonNullable<ConstructorParameters<typeof pg.Query>[2]>

class NamedQuery extends pg.Query {
  readonly name: string
  constructor(name: string, text: string, values: unknown[], callback: QueryCallback) {
    super(text, values, callback)
    this.name = name
  }
}

const textOf = (statement: unknown): string =>
  typeof statement === 'string' ? statement : String((statement as { text?: string }).text)

/**
 * pg parses answers in a listener of the socket, where nobody catches an exception, such as a value too long for a
 * JavaScript string: it would end the process. With the guard, the connection breaks as after a network error.
 */
function guardConnection(connection: pg.Connection): void {
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
