import { sql } from 'kysely'
import { notDeletedIn } from '../../../../core/api/database/queries.ts'
import type { Id } from '../../../../core/api/database/types.ts'
import { notFound } from '../../../../core/api/errors.ts'
import type { Trx } from '../../context.ts'

/* The order of locks is in CONTRIBUTING.md, under “Locks”; rows of issues are locked in the order of their ids. */

/**
 * Serialises additions of edges to the graph of parents and blockers, and removals of issues from it, so that no two
 * together close a circle. `shared`: for new issues, to which no edge leads yet.
 */
export async function lockGraph(trx: Trx, workspaceId: Id, mode: 'exclusive' | 'shared' = 'exclusive'): Promise<void> {
  const lock = sql.raw(mode === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock')
  // Raw: a function call.
  await sql`select ${lock}(hashtext('issues.graph'), hashtext(${workspaceId}))`.execute(trx)
}

/** @throws 404 when one of them does not exist */
export async function lockIssues(trx: Trx, workspaceId: Id, ids: readonly Id[]): Promise<void> {
  refuseMissing(ids, await lockFound(trx, workspaceId, ids))
}

export const lockFound = (trx: Trx, workspaceId: Id, ids: readonly Id[]): Promise<Array<{ id: Id }>> =>
  living(trx, workspaceId, ids).orderBy('id').forNoKeyUpdate().execute()

export const lockWithSubIssues = (trx: Trx, workspaceId: Id, id: Id): Promise<Array<{ id: Id }>> =>
  trx
    .selectFrom('issue')
    .select('id')
    .where(notDeletedIn(workspaceId))
    .where(eb => eb.or([eb('id', '=', id), eb('parentId', '=', id)]))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()

export async function lockIssuesOfState(trx: Trx, workspaceId: Id, stateId: Id): Promise<void> {
  // Counted in the database: there may be very many.
  const locked = trx
    .selectFrom('issue')
    .select('id')
    .where(notDeletedIn(workspaceId))
    .where('stateId', '=', stateId)
    .orderBy('id')
    .forNoKeyUpdate()
  await trx
    .with('locked', () => locked)
    .selectFrom('locked')
    .select(({ fn }) => fn.countAll().as('n'))
    .execute()
}

/** Asserts that the issues exist; the caller has locked the graph, so that none is removed meanwhile. @throws 404 */
export async function assertThere(trx: Trx, workspaceId: Id, ids: readonly Id[]): Promise<void> {
  refuseMissing(ids, await living(trx, workspaceId, ids).execute())
}

const living = (trx: Trx, workspaceId: Id, ids: readonly Id[]) =>
  trx
    .selectFrom('issue')
    .select('id')
    .where(notDeletedIn(workspaceId))
    .where('id', '=', sql<Id>`any(${ids}::uuid[])`)

function refuseMissing(ids: readonly Id[], rows: ReadonlyArray<{ id: Id }>): void {
  const missing = ids.find(id => !rows.some(row => row.id === id))
  if (missing !== undefined) throw notFound('issue', missing)
}
