import { AsyncLocalStorage } from 'node:async_hooks'
import {
  PostgresDriver,
  type AbortableOperationOptions,
  type CompiledQuery,
  type ControlledTransaction,
  type DatabaseConnection,
  type Kysely,
  type KyselyPlugin,
  type OperationNode,
  type PluginTransformQueryArgs,
  type QueryResult,
  type RootOperationNode,
  type Transaction,
  type TransactionSettings
} from 'kysely'
import { retryConflicts } from './retry.ts'
import type { CoreTables } from '../../api/database/types.ts'
import { commitUnknown, isConnectionError } from '../../api/errors.ts'

/*
 * A request that must be stored together with its answer has one transaction. It begins with the first
 * `ctx.transaction` of the route, and stays open until the answer is made: later ones are savepoints in it, and reads
 * through `ctx.db` run in it, too. Statements find it by their asynchronous context.
 */

const current = new AsyncLocalStorage<RequestTransaction | 'each of its own' | undefined>()

/** Until the answer is made; undefined for most requests. */
export function requestTransaction(): RequestTransaction | undefined {
  const transaction = current.getStore()
  return transaction instanceof RequestTransaction && !transaction.isOver ? transaction : undefined
}

/** POST or DELETE, with the scope for it. */
const isInWritingRequest = (): boolean => current.getStore() === 'each of its own' || requestTransaction() !== undefined

/** @param transaction all of its transactions join this one; undefined: each is separate */
export const runInWritingRequest = (transaction: RequestTransaction | undefined, rest: () => void): void =>
  current.run(transaction ?? 'each of its own', rest)

/** For work that a request only triggers. */
export const runOutsideRequests = <T>(work: () => T): T => current.run(undefined, work)

const followUps = new WeakMap<object, Array<() => void>>()

/** Does `work` after the commit, outside of the request. */
export function onCommit(trx: object, work: () => void): void {
  const works = followUps.get(trx)
  if (works === undefined) followUps.set(trx, [work])
  else works.push(work)
}

export const afterCommit = (trx: object): void => runOutsideRequests(() => followUps.get(trx)?.forEach(work => work()))

interface RequestTransactionOptions {
  db: Kysely<CoreTables>
  begin(trx: Transaction<CoreTables>): Promise<void>
  committed(trx: Transaction<CoreTables>): void
}

const SAVEPOINT = 'inner'

export class RequestTransaction {
  readonly #options: RequestTransactionOptions
  #open: ControlledTransaction<CoreTables> | undefined
  #last: Promise<unknown> = Promise.resolve()
  isOver = false

  constructor(options: RequestTransactionOptions) {
    this.#options = options
  }

  get connection(): DatabaseConnection | undefined {
    return this.#open && new JoinedConnection(this.#open)
  }

  run<T>(work: (trx: Transaction<CoreTables>) => Promise<T>): Promise<T> {
    return this.#inTurn(() =>
      retryConflicts(() => (this.#open === undefined ? this.#begin(work) : runInSavepoint(this.#open, work)))
    )
  }

  commit(last: (trx: Transaction<CoreTables>) => Promise<void>): Promise<boolean> {
    return this.#inTurn(async () => {
      const trx = this.#end()
      if (trx === undefined) return false
      try {
        await last(trx)
        await trx.commit().execute()
      } catch (error) {
        await rollBack(trx)
        throw error
      }
      this.#options.committed(trx)
      return true
    })
  }

  rollBack(): Promise<void> {
    return this.#inTurn(async () => {
      const trx = this.#end()
      if (trx !== undefined) await rollBack(trx)
    })
  }

  #end(): ControlledTransaction<CoreTables> | undefined {
    const trx = this.#open
    this.#open = undefined
    this.isOver = true
    return trx
  }

  async #begin<T>(work: (trx: Transaction<CoreTables>) => Promise<T>): Promise<T> {
    const trx = await this.#options.db.startTransaction().execute()
    try {
      await this.#options.begin(trx)
      const result = await work(trx)
      this.#open = trx
      return result
    } catch (error) {
      await rollBack(trx)
      throw error
    }
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work)
    this.#last = turn.catch(() => {}) // whoever awaits `turn` gets the error
    return turn
  }
}

async function runInSavepoint<T>(
  trx: ControlledTransaction<CoreTables>,
  work: (trx: Transaction<CoreTables>) => Promise<T>
): Promise<T> {
  const savepoint = await trx.savepoint(SAVEPOINT).execute()
  const doneBefore = followUps.get(trx)?.length ?? 0
  try {
    const result = await work(trx)
    await savepoint.releaseSavepoint(SAVEPOINT).execute()
    return result
  } catch (error) {
    followUps.get(trx)?.splice(doneBefore)
    // A broken connection fails again: the first error is more useful, and the commit will fail.
    await savepoint
      .rollbackToSavepoint(SAVEPOINT)
      .execute()
      .catch(() => {})
    throw error
  }
}

const rollBack = (trx: ControlledTransaction<CoreTables>): Promise<void> =>
  trx
    .rollback()
    .execute()
    .catch(() => {})

/** The transaction's connection, for a statement that was sent to the database. */
class JoinedConnection implements DatabaseConnection {
  readonly #trx: Kysely<CoreTables>

  constructor(trx: ControlledTransaction<CoreTables>) {
    this.#trx = trx.withoutPlugins()
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.#trx.executeQuery<R>(query as CompiledQuery<R>)
  }
  async *streamQuery<R>(): AsyncGenerator<QueryResult<R>> {
    throw new Error('A request with an Idempotency-Key cannot stream rows: read them in statements of bounded size.')
  }
}

export class JoiningDriver extends PostgresDriver {
  override async acquireConnection(options?: AbortableOperationOptions): Promise<DatabaseConnection> {
    return requestTransaction()?.connection ?? super.acquireConnection(options)
  }
  override async releaseConnection(connection: PooledConnection): Promise<void> {
    if (!(connection instanceof JoinedConnection)) await super.releaseConnection(connection)
  }
  override async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    if (connection instanceof JoinedConnection) throw new Error('Begin a transaction with ctx.transaction.')
    await super.beginTransaction(connection, settings)
  }
  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await super.commitTransaction(connection)
    } catch (error) {
      throw isConnectionError(error) ? commitUnknown() : error
    }
  }
  /** On a broken connection there is nothing left to roll back, and the first error says more. */
  override async rollbackTransaction(connection: PooledConnection): Promise<void> {
    try {
      await super.rollbackTransaction(connection)
    } catch (error) {
      if (!isConnectionError(error)) throw error
    }
  }
}
type PooledConnection = Parameters<PostgresDriver['releaseConnection']>[0]

/** Refuses writes of a request outside of `ctx.transaction`, which a repeated request would repeat. */
export const writesInTransactions: KyselyPlugin = {
  transformQuery({ node }: PluginTransformQueryArgs): RootOperationNode {
    if (isWrite(node) && isInWritingRequest()) {
      throw new Error('A request wrote through ctx.db. Write through the trx of ctx.transaction(async trx => …).')
    }
    return node
  },
  transformResult: async ({ result }) => result
}

type Kind = OperationNode['kind']
const WRITES = new Set<Kind>(['InsertQueryNode', 'UpdateQueryNode', 'DeleteQueryNode', 'MergeQueryNode'])

function isWrite(node: RootOperationNode): boolean {
  if (node.kind === 'SelectQueryNode') {
    return node.with?.expressions.some(({ expression }) => WRITES.has(expression.kind)) ?? false
  }
  // A raw statement is recognised by its first word; one that begins with `with` may be a read.
  if (node.kind === 'RawNode') return /^\s*(?:insert|update|delete|merge)\b/i.test(node.sqlFragments[0] ?? '')
  return WRITES.has(node.kind)
}
