import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import pg from 'pg'
import { SHORT_READ_CONNECTIONS } from '../limits.ts'

export interface ShortReadTimeouts {
  /** Milliseconds after which the server cancels a short read, so that those behind it run. */
  statementTimeoutMs: number
  /** Milliseconds without an answer, including waiting, after which the connection counts as broken. */
  answerTimeoutMs: number
}
const DEFAULT_TIMEOUTS: ShortReadTimeouts = { statementTimeoutMs: 10_000, answerTimeoutMs: 15_000 }

type ClientClass = new (config: pg.ClientConfig) => pg.Client

/** The connections that all short reads of a process share; none is opened before its first statement. */
export function makeSharedConnections(
  Client: ClientClass,
  config: pg.ClientConfig,
  timeouts: ShortReadTimeouts = DEFAULT_TIMEOUTS
): readonly SharedConnection[] {
  const serverOptions = `-c statement_timeout=${timeouts.statementTimeoutMs} -c default_transaction_read_only=on`
  const shared: pg.ClientConfig = {
    ...config,
    pipeline: true,
    // Without probes, an idle connection that a firewall has dropped is noticed only by the next statement.
    keepAlive: true,
    query_timeout: timeouts.answerTimeoutMs,
    options: `${config.options} ${serverOptions}`
  }
  return Array.from({ length: SHORT_READ_CONNECTIONS }, () => new SharedConnection(Client, shared))
}

/** The connection with the fewest statements in flight. */
export const leastBusy = (connections: readonly SharedConnection[]): SharedConnection =>
  connections.reduce((a, b) => (b.inFlight < a.inFlight ? b : a))

/** Gives each statement the connection with the fewest in flight, without waiting for it to be free. */
export class ShortReadDriver implements Driver {
  readonly #connections: readonly SharedConnection[]
  readonly #joined: () => DatabaseConnection | undefined

  /** @param joined the connection that a statement must use instead */
  constructor(connections: readonly SharedConnection[], joined: () => DatabaseConnection | undefined) {
    this.#connections = connections
    this.#joined = joined
  }
  async init(): Promise<void> {}
  async acquireConnection(): Promise<DatabaseConnection> {
    const joined = this.#joined()
    if (joined) return joined
    const chosen = leastBusy(this.#connections)
    chosen.inFlight++
    return chosen
  }
  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    if (connection instanceof SharedConnection) connection.inFlight--
  }
  async beginTransaction(): Promise<void> {
    throw noTransaction()
  }
  async commitTransaction(): Promise<void> {
    throw noTransaction()
  }
  async rollbackTransaction(): Promise<void> {
    throw noTransaction()
  }
  /** Other drivers may use the same connections: their creator closes them. */
  async destroy(): Promise<void> {}
}
const noTransaction = () => new Error('Short reads share their connections: a transaction needs ctx.transaction.')

/** One connection, opened by its first statement, and reopened after it broke. */
export class SharedConnection implements DatabaseConnection {
  /** Statements that were sent and not answered yet. */
  inFlight = 0
  readonly #Client: ClientClass
  readonly #config: pg.ClientConfig
  #client: Promise<pg.Client> | undefined
  #isClosed = false

  constructor(Client: ClientClass, config: pg.ClientConfig) {
    this.#Client = Client
    this.#config = config
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#isClosed) throw new Error('The database is closed.')
    const opened = (this.#client ??= this.#open())
    const client = await opened
    sendTogether(client)
    try {
      const { rows } = await client.query<R & pg.QueryResultRow>(sql, [...parameters])
      return { rows }
    } catch (error) {
      if (!isStatementError(error)) {
        this.#forget(opened)
        client.end().catch(() => {}) // it is replaced, however this ends
      }
      throw error
    }
  }
  async *streamQuery<R>(): AsyncGenerator<QueryResult<R>> {
    throw new Error('Short reads share their connections: what is streamed needs ctx.db.')
  }

  #open(): Promise<pg.Client> {
    const client = new this.#Client(this.#config)
    const opened = client.connect().then(
      () => client,
      (error: unknown) => {
        this.#forget(opened)
        throw error
      }
    )
    // Its statements fail by themselves; without a listener the event would end the process.
    client.on('error', () => this.#forget(opened)).on('end', () => this.#forget(opened))
    return opened
  }

  #forget(opened: Promise<pg.Client>): void {
    if (this.#client === opened) this.#client = undefined
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const client = await this.#client?.catch(() => undefined)
    await client?.end()
  }
}

/**
 * Sends the statements of one turn of the event loop in one write: with 16 clients, a context takes 7 % less processor
 * time here, and 5 % less in PostgreSQL (`npm run bench:versions`).
 */
function sendTogether({ connection: { stream } }: pg.Client): void {
  stream.cork()
  setImmediate(() => stream.uncork())
}

/** True if the server rejected a statement; after any other error the connection is unusable. */
export const isStatementError = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && !/^(08|57P)/.test(error.code ?? '')

/** True if the server canceled a statement, which took too long. */
export const isCanceled = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === '57014'
