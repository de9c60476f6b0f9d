import type { Actor } from '../../../core/api/contract.ts'
import type { Id } from '../../../core/api/database/types.ts'
import { forceLine } from '../../../core/api/text.ts'
import type { Trx } from '../context.ts'
import type { Writer } from '../queries/write/writer.ts'
import { touchIssues } from './changes.ts'
import type { GitLink } from '../contract.ts'
import { findLinkTo, insertLink, updateGitLink } from '../queries/read/parts.ts'

const MAX_TITLE_CHARACTERS = 500

export async function linkGit(
  writer: Writer,
  trx: Trx,
  actor: Actor,
  issueId: Id,
  { url, title, kind, state, at }: GitLink
): Promise<void> {
  const { workspaceId } = actor
  const there = await findLinkTo(trx, workspaceId, issueId, url)
  const line = lineOf(title)
  if (there === undefined) {
    await insertLink(trx, workspaceId, issueId, { url, title: line, kind, state, stateAt: at }, at)
    await touchIssues(writer, trx, actor, [issueId], { change: 'link', from: null, to: line })
    return
  }
  const isOld = there.stateAt !== null && there.stateAt > at
  if (there.deletedAt !== null || isOld || (there.state === state && there.title === line)) return
  await updateGitLink(trx, workspaceId, there.id, { title: line, kind, state, at })
  await touchIssues(writer, trx, actor, [issueId], { change: 'link', from: there.title, to: line })
}

const lineOf = (title: string): string => {
  const line = forceLine(title.split('\n', 1)[0]!)
  return (line === '' ? '(no title)' : line).slice(0, MAX_TITLE_CHARACTERS)
}
