import type { Transaction } from 'kysely'
import type { Actor } from '../../core/contract.ts'
import type { Id } from '../../core/db/tables.ts'
import { newId } from '../../core/id.ts'
import { touchIssues, type Writer } from './changes.ts'
import type { GitLink, IssuesDatabase } from './contract.ts'

const MAX_TITLE_CHARACTERS = 500

/** Adds or changes the link of an issue to a commit or pull request; its history says so. The issue is locked. */
export async function linkGit(
  writer: Writer,
  trx: Transaction<IssuesDatabase>,
  actor: Actor,
  issueId: Id,
  { url, title, kind, state, at }: GitLink
): Promise<void> {
  const { workspaceId } = actor
  const there = await trx
    .selectFrom('issueLink')
    .select(['id', 'title', 'state', 'stateAt', 'deletedAt'])
    .where('workspaceId', '=', workspaceId)
    .where('issueId', '=', issueId)
    .where('url', '=', url)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst()
  const line = lineOf(title)
  if (there === undefined) {
    await trx
      .insertInto('issueLink')
      .values({ workspaceId, id: newId(), issueId, url, title: line, kind, state, stateAt: at, createdAt: at })
      .execute()
    await touchIssues(writer, trx, actor, [issueId], { change: 'link', from: null, to: line })
    return
  }
  const isOld = there.stateAt !== null && there.stateAt > at
  if (there.deletedAt !== null || isOld || (there.state === state && there.title === line)) return
  await trx
    .updateTable('issueLink')
    .set({ title: line, kind, state, stateAt: at })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', there.id)
    .execute()
  await touchIssues(writer, trx, actor, [issueId], { change: 'link', from: there.title, to: line })
}

/** The first line, without control characters. */
const lineOf = (title: string): string => {
  const line = title
    .split('\n', 1)[0]!
    .replaceAll(/\p{Cc}/gu, ' ')
    .trim()
  return (line === '' ? '(no title)' : line).slice(0, MAX_TITLE_CHARACTERS)
}
