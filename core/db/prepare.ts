import { createHash } from 'node:crypto'
import pg from 'pg'
import { guardConnection } from './guard.ts'

/** Maximum statements that are prepared; further ones are sent unprepared. */
const MAX_PREPARED = 500
/** Maximum statement texts that are remembered to notice repetitions; then all are forgotten. */
const MAX_COUNTED = 5_000
/** Characters of a statement that is prepared: a longer one is a bulk insert, hardly ever of as many rows again. */
const MAX_LENGTH = 20_000

export interface PreparingOptions {
  /** Called with each statement and its parameters before it is sent: the tests count them. */
  onStatement?: ((sql: string, values: readonly unknown[]) => void) | undefined
}

/**
 * A pg client class that prepares what repeats: from its second run on, a parameterised statement
 * is sent under a name, so that PostgreSQL parses it once per connection and may keep its plan
 * (planning the context statement takes longer than running it).
 * @see https://node-postgres.com/features/queries#prepared-statements
 */
export function preparingClient({
  onStatement
}: PreparingOptions): new (config?: string | pg.ClientConfig) => pg.Client {
  const names = new Map<string, string>()
  const seen = new Set<string>()

  function nameOf(text: string): string | undefined {
    const name = names.get(text)
    if (name !== undefined || names.size >= MAX_PREPARED || text.length > MAX_LENGTH) return name
    if (!seen.has(text)) {
      if (seen.size >= MAX_COUNTED) seen.clear()
      seen.add(text)
      return undefined
    }
    seen.delete(text)
    const fresh = createHash('sha1').update(text).digest('base64url')
    names.set(text, fresh)
    return fresh
  }

  return class PreparingClient extends pg.Client {
    /** Names that were sent and not answered yet, and those that this connection knows. */
    readonly #preparing = new Set<string>()
    readonly #prepared = new Set<string>()

    constructor(config?: string | pg.ClientConfig) {
      super(config)
      guardConnection(this.connection)
    }

    // pg's `query` has a dozen overloads; this one passes all but (text, values) through untouched.
    override query(...args: unknown[]): never {
      const [text, values] = args
      onStatement?.(textOf(text), Array.isArray(values) ? values : [])
      const name = typeof text === 'string' && Array.isArray(values) && values.length > 0 ? nameOf(text) : undefined
      // In a pipeline, further runs may be sent before the answer: if preparing failed, those by name would fail, too.
      if (name === undefined || this.#preparing.has(name)) return this.#send(args)
      args.splice(0, 2, { name, text, values })
      return this.pipeline && !this.#prepared.has(name) ? this.#prepare(name, args) : this.#send(args)
    }

    #send(args: unknown[]): never {
      return super.query(...(args as Parameters<pg.Client['query']>)) as never
    }

    #prepare(name: string, args: unknown[]): never {
      this.#preparing.add(name)
      const result = this.#send(args) as Promise<unknown>
      result
        .then(
          () => this.#prepared.add(name),
          () => {} // the caller gets the error
        )
        .finally(() => this.#preparing.delete(name))
      return result as never
    }
  }
}

const textOf = (statement: unknown): string =>
  typeof statement === 'string' ? statement : String((statement as { text?: string }).text)
