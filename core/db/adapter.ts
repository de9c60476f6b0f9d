import { PostgresAdapter, type CompiledQuery, type Kysely } from 'kysely'
import type { DatabaseHandle } from '../api/database/types.ts'

export type Executing = Pick<Kysely<unknown>, 'executeQuery' | 'getExecutor'>

/** Short reads on the nodes that have the rows of a workspace: see citus/workers.ts. */
export interface DirectReads {
  /** @returns undefined: the query must go through the coordinator */
  read<R>(workspaceId: string, query: CompiledQuery<R>): Promise<R[] | undefined>
}

/** The adapter of a server's connections. */
export class DatabaseAdapter extends PostgresAdapter {
  /** Connections that short reads share; undefined: the handle's own. See statements/short-reads.ts. */
  shortReads: DatabaseHandle | undefined
  isDistributed = false
  /** Set for short reads; undefined: one PostgreSQL has all tables. */
  directReads: DirectReads | undefined
}
