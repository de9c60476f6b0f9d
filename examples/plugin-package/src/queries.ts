import type { Id } from 'tracker/api'
import type { Db, Trx } from './context.ts'

export async function countVotes(db: Db, workspaceId: Id, issueId: Id): Promise<number> {
  const { votes } = await db
    .selectFrom('votesVote')
    .select(({ fn }) => fn.countAll<number>().as('votes'))
    .where('workspaceId', '=', workspaceId)
    .where('issueId', '=', issueId)
    .executeTakeFirstOrThrow()
  return Number(votes)
}

export const insertVote = (trx: Trx, vote: { workspaceId: Id; issueId: Id; accountId: Id }) =>
  trx
    .insertInto('votesVote')
    .values(vote)
    .onConflict(conflict => conflict.doNothing())
    .execute()
