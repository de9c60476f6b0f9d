import { PostgresAdapter, type CompiledQuery, type Kysely } from 'kysely'
import type { DatabaseHandle } from '../api/database/types.ts'

export type Executing = Pick<Kysely<unknown>, 'executeQuery' | 'getExecutor'>

/** Short reads on the nodes that have the rows: see citus/workers.ts. */
export interface DirectReads {
  /** @returns undefined: the query must go through the coordinator */
  read<R>(workspaceId: string, query: CompiledQuery<R>): Promise<R[] | undefined>
}

export class DatabaseAdapter extends PostgresAdapter {
  /** Undefined: the handle's own. See statements/short-reads.ts. */
  shortReads: DatabaseHandle | undefined
  isDistributed = false
  /** Undefined: one PostgreSQL has all tables. */
  directReads: DirectReads | undefined
}
