import { notDeletedIn } from '../../../core/api/database/queries.ts'
import type { Id } from '../../../core/api/database/types.ts'
import type { Db, Trx } from '../context.ts'

const MAX_AGENTS = 500

export const listAgents = (
  db: Db | Trx,
  workspaceId: Id,
  { connectableBy, id }: { connectableBy: Id | undefined; id: Id | undefined }
) =>
  db
    .selectFrom('account')
    .select(['account.id', 'account.fullname', 'account.scopes'])
    .where(notDeletedIn(workspaceId))
    .where('kind', '=', 'AGENT')
    .$if(id !== undefined, query => query.where('account.id', '=', id!))
    .$if(connectableBy !== undefined, query =>
      query.where('account.id', 'in', agents =>
        agents
          .selectFrom('oauthConnector')
          .select('agentId')
          .where('oauthConnector.workspaceId', '=', workspaceId)
          .where('oauthConnector.personId', '=', connectableBy!)
      )
    )
    .orderBy('account.fullname')
    .orderBy('account.id')
    .limit(MAX_AGENTS)
    .execute()

export const lockAgent = (trx: Trx, workspaceId: Id, id: Id) =>
  trx
    .selectFrom('account')
    .select('id')
    .where(notDeletedIn(workspaceId))
    .where('id', '=', id)
    .where('kind', '=', 'AGENT')
    .forNoKeyUpdate()
    .executeTakeFirst()

export const listPeople = (trx: Trx, workspaceId: Id, ids: readonly Id[]) =>
  trx
    .selectFrom('account')
    .select('id')
    .where(notDeletedIn(workspaceId))
    .where('kind', '=', 'PERSON')
    .where('id', 'in', [...ids])
    .execute()

export const listConnectors = (db: Db | Trx, workspaceId: Id, agentId?: Id) =>
  db
    .selectFrom('oauthConnector')
    .innerJoin('account', join =>
      join
        .onRef('account.workspaceId', '=', 'oauthConnector.workspaceId')
        .onRef('account.id', '=', 'oauthConnector.personId')
    )
    .select(['oauthConnector.agentId', 'oauthConnector.personId'])
    .where('oauthConnector.workspaceId', '=', workspaceId)
    .where('account.workspaceId', '=', workspaceId)
    .where('account.deletedAt', 'is', null)
    .$if(agentId !== undefined, query => query.where('oauthConnector.agentId', '=', agentId!))
    .orderBy('oauthConnector.personId')
    .execute()

export async function replaceConnectors(trx: Trx, workspaceId: Id, agentId: Id, personIds: readonly Id[]) {
  await trx.deleteFrom('oauthConnector').where('workspaceId', '=', workspaceId).where('agentId', '=', agentId).execute()
  if (personIds.length === 0) return
  await trx
    .insertInto('oauthConnector')
    .values(personIds.map(personId => ({ workspaceId, agentId, personId })))
    .execute()
}
