import { sql, type CompiledQuery, type RawBuilder } from 'kysely'
import type { ShortReads } from './short-reads.ts'

class Placeholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/**
 * A statement that is built and compiled once and run many times: for the hot ones, making the SQL text
 * anew would cost more than sending it.
 * @param build gets an expression for each parameter, and returns the statement
 */
export function statement<P extends Record<string, unknown>, Row>(
  build: (parameters: { [K in keyof P]: RawBuilder<P[K]> }) => RawBuilder<Row>
) {
  let compiled: CompiledQuery<Row> | undefined
  const parameters = new Proxy({}, { get: (_, name: string) => sql`${new Placeholder(name)}` }) as {
    [K in keyof P]: RawBuilder<P[K]>
  }
  return async <DB>(db: ShortReads<DB>, values: P): Promise<Row[]> => {
    compiled ??= build(parameters).compile(db)
    const { rows } = await db.executeQuery<Row>({
      ...compiled,
      parameters: compiled.parameters.map(p => (p instanceof Placeholder ? values[p.name] : p))
    })
    return rows
  }
}
