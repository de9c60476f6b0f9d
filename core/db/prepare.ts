import { createHash } from 'node:crypto'
import pg from 'pg'

/** Statements that a client may hold prepared: beyond, new ones are sent unprepared. */
const MOST_PREPARED = 500
/** Statement texts whose repetitions are counted; the count starts anew beyond. */
const MOST_COUNTED = 5_000
/** Characters of a statement that is prepared: a longer one is a bulk insert, hardly ever of as many rows again. */
const LONGEST = 20_000

export interface PreparingOptions {
  /** Sees each statement before it is sent: the tests count them. */
  onStatement?: ((sql: string) => void) | undefined
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
    if (name !== undefined || names.size >= MOST_PREPARED || text.length > LONGEST) return name
    if (!seen.has(text)) {
      if (seen.size >= MOST_COUNTED) seen.clear()
      seen.add(text)
      return undefined
    }
    seen.delete(text)
    const fresh = createHash('sha1').update(text).digest('base64url')
    names.set(text, fresh)
    return fresh
  }

  return class PreparingClient extends pg.Client {
    // pg's `query` has a dozen overloads; this one passes all but (text, values) through untouched.
    override query(...args: unknown[]): never {
      const [text, values] = args
      onStatement?.(typeof text === 'string' ? text : String((text as { text?: string }).text))
      if (typeof text === 'string' && Array.isArray(values) && values.length > 0) {
        const name = nameOf(text)
        if (name !== undefined) args.splice(0, 2, { name, text, values })
      }
      return super.query(...(args as Parameters<pg.Client['query']>)) as never
    }
  }
}
