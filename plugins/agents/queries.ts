import type { Transaction } from 'kysely'
import { newId, notDeletedIn } from '../../core/api/database/queries.ts'
import type { CoreTables, Id, Reader } from '../../core/api/database/types.ts'

/** Oldest first. @param defaultScopes the scopes of agents from before scopes existed */
export async function listAgents(db: Reader<CoreTables>, workspaceId: Id, defaultScopes: string[], id?: Id) {
  const rows = await db
    .selectFrom('account as agent')
    .leftJoin('account as creator', join =>
      join.onRef('creator.workspaceId', '=', 'agent.workspaceId').onRef('creator.id', '=', 'agent.createdById')
    )
    .select(eb => [
      'agent.id',
      'agent.fullname',
      'agent.scopes',
      'agent.createdAt',
      'creator.id as creatorId',
      'creator.fullname as creatorName',
      eb
        .selectFrom('token')
        .select(({ fn }) => fn.max('token.lastUsedAt').as('at'))
        .where('token.workspaceId', '=', workspaceId)
        .whereRef('token.accountId', '=', 'agent.id')
        .as('lastUsedAt')
    ])
    .where(notDeletedIn(workspaceId, 'agent'))
    .where('agent.kind', '=', 'AGENT')
    .$if(id !== undefined, query => query.where('agent.id', '=', id!))
    .orderBy('agent.createdAt')
    .orderBy('agent.id')
    .execute()
  return rows.map(row => ({
    id: row.id,
    fullname: row.fullname,
    kind: 'AGENT' as const,
    scopes: row.scopes ?? defaultScopes,
    createdAt: row.createdAt.toISOString(),
    createdBy: row.creatorId === null ? null : { id: row.creatorId, fullname: row.creatorName ?? '' },
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null
  }))
}

export interface NewAgent {
  workspaceId: Id
  fullname: string
  scopes: string[]
  createdById: Id | null
}

export async function insertAgent(trx: Transaction<CoreTables>, agent: NewAgent): Promise<Id> {
  const { id } = await trx
    .insertInto('account')
    .values({ ...agent, id: newId(), kind: 'AGENT', role: 'MEMBER', email: null })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export const lockAgent = (trx: Transaction<CoreTables>, workspaceId: Id, id: Id) =>
  trx
    .selectFrom('account')
    .select(['id', 'fullname', 'scopes'])
    .where(notDeletedIn(workspaceId))
    .where('id', '=', id)
    .where('kind', '=', 'AGENT')
    .forNoKeyUpdate()
    .executeTakeFirst()

export async function updateAgent(
  trx: Transaction<CoreTables>,
  workspaceId: Id,
  id: Id,
  changes: { fullname?: string; scopes?: string[] }
): Promise<void> {
  await trx
    .updateTable('account')
    .set({ ...changes, id }) // with the id, so that no change is still SQL
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}
