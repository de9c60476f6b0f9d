import type { Id, Reader } from '../../../core/api/database/types.ts'
import type { Place } from '../../../core/api/http.ts'
import type { IssuesDatabase } from '../contract.ts'
import type { RecordedChange } from './fold.ts'

export function listChanges(
  db: Reader<IssuesDatabase>,
  workspaceId: Id,
  issueId: Id,
  { before, limit }: { before?: Place | undefined; limit: number }
): Promise<RecordedChange[]> {
  return db
    .selectFrom('issueChange as h')
    .innerJoin('account as a', join => join.on('a.workspaceId', '=', workspaceId).onRef('a.id', '=', 'h.actorId'))
    .select([
      ...(['h.id', 'h.at', 'h.actorId', 'h.change', 'h.rev'] as const),
      ...(['a.fullname as actor', 'h.fromName as from', 'h.toName as to'] as const)
    ])
    .where('h.workspaceId', '=', workspaceId)
    .where('h.issueId', '=', issueId)
    .$if(before !== undefined, query =>
      query.where(({ eb, refTuple, tuple }) => eb(refTuple('h.at', 'h.id'), '<', tuple(before!.at, before!.id)))
    )
    .orderBy('h.at', 'desc')
    .orderBy('h.id', 'desc')
    .limit(limit)
    .execute()
}

export const filedBy = (db: Reader<IssuesDatabase>, workspaceId: Id, issueId: Id) =>
  db
    .selectFrom('issue')
    .innerJoin('account as a', join =>
      join.on('a.workspaceId', '=', workspaceId).onRef('a.id', '=', 'issue.createdById')
    )
    .select(['a.id', 'a.fullname', 'issue.createdAt'])
    .where('issue.workspaceId', '=', workspaceId)
    .where('issue.id', '=', issueId)
    .executeTakeFirstOrThrow()
