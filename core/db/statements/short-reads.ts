import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import pg from 'pg'
import { SHORT_READ_CONNECTIONS } from '../limits.ts'

export interface ShortReadTimeouts {
  /** After which the server cancels it, so that those behind it run. */
  statementTimeoutMs: number
  /** Including waiting; then the connection counts as broken. */
  answerTimeoutMs: number
}
const DEFAULT_TIMEOUTS: ShortReadTimeouts = { statementTimeoutMs: 10_000, answerTimeoutMs: 15_000 }

type ClientClass = new (config: pg.ClientConfig) => pg.Client

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

export const leastBusy = (connections: readonly SharedConnection[]): SharedConnection =>
  connections.reduce((a, b) => (b.inFlight < a.inFlight ? b : a))

/** Gives each statement the connection with the fewest in flight, which may be busy. */
export class ShortReadDriver implements Driver {
  readonly #connections: readonly SharedConnection[]
  readonly #joined: () => DatabaseConnection | undefined

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
  async destroy(): Promise<void> {}
}
const noTransaction = () => new Error('Short reads share their connections: a transaction needs ctx.transaction.')

/** Opened by its first statement, and reopened after it broke. */
export class SharedConnection implements DatabaseConnection {
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
    // Statements fail by themselves; without a listener the event would end the process.
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

/** In one write for a turn of the event loop: a context takes 7 % less processor time (`bench:versions`). */
function sendTogether({ connection: { stream } }: pg.Client): void {
  stream.cork()
  setImmediate(() => stream.uncork())
}

/** After any other error the connection is unusable. */
export const isStatementError = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && !/^(08|57P)/.test(error.code ?? '')

export const isCanceled = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === '57014'
