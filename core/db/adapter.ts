import { PostgresAdapter, type CompiledQuery, type Kysely } from 'kysely'
import type { DatabaseHandle } from '../api/database/types.ts'

export type Executing = Pick<Kysely<unknown>, 'executeQuery' | 'getExecutor'>

/** The SQL types of a statement's columns, in their order. */
export type ColumnTypes = Readonly<Record<string, string>>

export interface InWorkspace {
  workspaceId: string
  /** The columns of the returned rows. */
  columns: ColumnTypes
}

type Run = <R>(db: Executing, query: CompiledQuery<R>, where: InWorkspace) => Promise<R[]>
/** How a distributed database runs the statements of one workspace: see citus/worker-statements.ts. */
export interface Distribution {
  readonly read: Run
  readonly write: Run
  readonly commit: Run
}

/** The adapter of a server's connections: tells code that builds statements whether the tables are distributed. */
export class DatabaseAdapter extends PostgresAdapter {
  /** Connections that short reads share; undefined: the handle's own. See statements/short-reads.ts. */
  shortReads: DatabaseHandle | undefined
  /** Undefined: one PostgreSQL has all tables. */
  distribution: Distribution | undefined

  // One process migrates at a time anyway (`runExclusively`), and Kysely's lock could not be released after a failure.
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}
