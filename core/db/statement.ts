import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
  type CompiledQuery,
  type QueryExecutorProvider,
  type RawBuilder
} from 'kysely'
import { queryPlugins } from './query-plugins.ts'
import type { ShortReads } from './short-reads.ts'

class Placeholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

type Parameters<P> = { [K in keyof P]: RawBuilder<P[K]> }
/** A raw statement or one of a query builder. */
interface Compilable<Row> {
  compile(provider: QueryExecutorProvider): CompiledQuery<Row>
}

/**
 * A statement that is built and compiled once and run many times: for the hot ones, making the SQL text
 * anew would cost more than sending it.
 * @param build gets an expression for each parameter and a query builder, and returns the statement
 */
export function statement<P extends Record<string, unknown>, Row, Tables = never>(
  build: (parameters: Parameters<P>, builder: Kysely<Tables>) => Compilable<Row>
) {
  const parameters = new Proxy({}, { get: (_, name: string) => sql`${new Placeholder(name)}` }) as Parameters<P>
  const compile = () => {
    const builder = makeBuilder<Tables>()
    return build(parameters, builder).compile(builder)
  }
  let compiled: CompiledQuery<Row> | undefined
  return async <DB>(db: ShortReads<DB>, values: P): Promise<Row[]> => {
    compiled ??= compile()
    const { rows } = await db.executeQuery<Row>({
      ...compiled,
      parameters: compiled.parameters.map(p => (p instanceof Placeholder ? values[p.name] : p))
    })
    return rows
  }
}

/** Compiles statements and runs none. */
const makeBuilder = <Tables>() =>
  new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: db => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler()
    },
    plugins: queryPlugins
  })
