import {
  DummyDriver,
  ExpressionWrapper,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  RawNode,
  sql,
  Transaction,
  ValueNode,
  type CompiledQuery,
  type QueryExecutorProvider,
  type RawBuilder
} from 'kysely'
import { queryPlugins } from './query-plugins.ts'
import { DatabaseAdapter, type Executing } from '../adapter.ts'

class Placeholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** A parameter has one number, however often it is used: its value is sent once. */
class StatementCompiler extends PostgresQueryCompiler {
  readonly #numbers = new Map<string, string>()

  protected override appendValue(value: unknown): void {
    if (!(value instanceof Placeholder)) return super.appendValue(value)
    const number = this.#numbers.get(value.name)
    if (number !== undefined) return this.append(number)
    super.appendValue(value)
    this.#numbers.set(value.name, this.getCurrentParameterPlaceholder())
  }
}

class PartCompiler extends PostgresQueryCompiler {
  readonly texts = ['']
  readonly values: unknown[] = []

  protected override append(text: string): void {
    this.texts.push(`${this.texts.pop()}${text}`)
  }
  protected override appendValue(value: unknown): void {
    this.values.push(value)
    this.texts.push('')
  }
}

type Parameters<P> = { [K in keyof P]: RawBuilder<P[K]> }
interface Compilable<Row> {
  compile(provider: QueryExecutorProvider): CompiledQuery<Row>
}

export interface StatementText {
  sql: string
  /** The meanings of $1, $2, …: names, or JSON of constants. */
  parameters: readonly string[]
  isRead: boolean
}
const statements = new Map<string, Map<string, () => StatementText>>()

export const allStatements = (): ReadonlyMap<string, ReadonlyMap<string, () => StatementText>> => statements

/**
 * A statement that is compiled once: building the text of a hot one costs more than sending it. An index must answer it
 * with few rows: outside of a transaction it is a short read, behind which others wait. With a parameter `workspaceId`,
 * it must use the rows of that workspace only. `npm run generate` writes its text to `*.sql.snap`.
 * @param name unique in the module
 * @param build gets an expression for each parameter and a query builder
 */
export function statement<P extends Record<string, unknown>, Row, Tables = never>(
  { url }: Pick<ImportMeta, 'url'>,
  name: string,
  build: (parameters: Parameters<P>, builder: Kysely<Tables>) => Compilable<Row>,
  kind: 'read' | 'write' = 'read'
) {
  const isRead = kind === 'read'
  let compiled: CompiledQuery<Row> | undefined
  const compile = () => {
    const builder = makeBuilder<Tables>(new StatementCompiler())
    return (compiled ??= build(placeholders<P>(), builder).compile(builder))
  }
  const ofModule = statements.get(url) ?? new Map<string, () => StatementText>()
  statements.set(url, ofModule)
  ofModule.set(name, () => {
    const { sql, parameters } = compile()
    const names = parameters.map(p => (p instanceof Placeholder ? p.name : JSON.stringify(p)))
    return { sql, parameters: names, isRead }
  })
  return async (db: Executing, values: P): Promise<Row[]> => {
    const { query, queryId, sql, parameters } = compiled ?? compile()
    const parameterValues = parameters.map(p => (p instanceof Placeholder ? values[p.name] : p))
    const sent = { query, queryId, sql, parameters: parameterValues }
    const { workspaceId } = values
    if (isRead && typeof workspaceId === 'string') return readInWorkspace(db, sent, workspaceId)
    const { rows } = await (isRead ? asShortRead(db) : db).executeQuery<Row>(sent)
    return rows
  }
}

/** For rows of one workspace only: a short read, which on Citus the worker that has them runs. */
export async function readInWorkspace<R>(db: Executing, query: CompiledQuery<R>, workspaceId: string): Promise<R[]> {
  const reads = asShortRead(db)
  const direct = await adapterOf(reads)?.directReads?.read(workspaceId, query)
  return direct ?? (await reads.executeQuery<R>(query)).rows
}

/**
 * For a query that is built for one request, and that an index answers with few rows: on PostgreSQL it shares a few
 * connections with others, which wait behind it.
 * @param db a transaction is returned as it is
 */
export function asShortRead<Handle extends Executing>(db: Handle): Handle {
  if (db instanceof Transaction) return db
  return (adapterOf(db)?.shortReads as Handle | undefined) ?? db
}

function adapterOf(db: Executing): DatabaseAdapter | undefined {
  const { adapter } = db.getExecutor()
  return adapter instanceof DatabaseAdapter ? adapter : undefined
}

export const isDistributed = (db: Executing): boolean => adapterOf(db)?.isDistributed === true

/** A large part of statements that are built each time, compiled once. */
export function statementPart<P extends Record<string, unknown>, T>(
  build: (parameters: Parameters<P>) => RawBuilder<T>
): (values: P) => RawBuilder<T> {
  let compiled: PartCompiler | undefined
  const compile = () => {
    const compiler = new PartCompiler()
    build(placeholders<P>()).compile(makeBuilder(compiler))
    return (compiled = compiler)
  }
  return parameters => {
    const { texts, values } = compiled ?? compile()
    const nodes = values.map(value => ValueNode.create(value instanceof Placeholder ? parameters[value.name] : value))
    return sql<T>`${new ExpressionWrapper(RawNode.create(texts, nodes))}`
  }
}

const placeholders = <P>() =>
  new Proxy({}, { get: (_, name: string) => sql`${new Placeholder(name)}` }) as Parameters<P>

const makeBuilder = <Tables>(compiler: PostgresQueryCompiler) =>
  new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: db => new PostgresIntrospector(db),
      createQueryCompiler: () => compiler
    },
    plugins: queryPlugins
  })
