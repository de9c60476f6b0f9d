import type { Principal } from '../../../core/api/contract.ts'
import type { Id } from '../../../core/api/database/types.ts'
import { conflict, invalid } from '../../../core/api/errors.ts'
import type { NoteWriter } from '../contract.ts'
import { ownFields } from '../fields/fields.ts'
import { lockIssue } from '../queries/write/write.ts'
import type { Trx } from '../context.ts'
import type { Writer } from '../queries/write/writer.ts'
import { Diff, setState, writeChange } from '../write/changes.ts'
import { assertMayChange, holderOf } from '../write/participants.ts'
import { stateBeforeStart } from './queries.ts'

/**
 * Gives an issue back: it has no assignee then, and the state from before it was begun.
 * @throws 400 for a note when there are no comments, 409 when the caller does not have it, 412
 */
export async function releaseIssue(
  writer: Writer,
  trx: Trx,
  principal: Principal,
  issueId: Id,
  note: string | undefined,
  writeNote: NoteWriter | undefined
): Promise<void> {
  if (note !== undefined && writeNote === undefined) {
    throw invalid('This server has no comments: release the issue without a note.', { field: 'note' })
  }
  const issue = await lockIssue(trx, principal.workspaceId, issueId, [])
  await assertMayChange(writer.ctx, principal, trx, issueId)
  const holder = await holderOf(writer.ctx, principal, trx, issueId)
  const isOwn = holder?.isCaller ?? issue.assignee?.id === principal.accountId
  if (issue.assignee === null || (!isOwn && principal.kind === 'AGENT')) {
    const whose = (holder ?? issue.assignee)?.name
    throw conflict(
      whose === undefined
        ? `Nobody has ${issue.key}: there is nothing to give back.`
        : `${issue.key} is held by ${whose}: only they, or a person, can give it back.`
    )
  }
  const diff = new Diff()
  const at = writer.ctx.now()
  diff.setReference(ownFields.assignee, issue.assignee, null, at)
  const isStarted = issue.state.category === 'STARTED'
  const state = isStarted ? await stateBeforeStart(trx, principal.workspaceId, issueId, issue.team.id) : undefined
  if (state) setState(diff, issue, state, at)
  // `takeover` is for a person who takes it from an agent; an agent gives back only its own.
  await writeChange(writer, trx, principal, issueId, diff, { key: issue.key, takeover: true })
  if (note !== undefined) await writeNote?.(principal, trx, issueId, note)
}
