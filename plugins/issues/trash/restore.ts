import type { Principal } from '../../../core/api/contract.ts'
import type { Id } from '../../../core/api/database/types.ts'
import { abbreviate, conflict, missing } from '../../../core/api/errors.ts'
import { ownFields } from '../fields/fields.ts'
import { loadParents, refuseBlockingCircle } from '../queries/read/circles.ts'
import { lockGraph } from '../queries/write/locks.ts'
import { authorOf, type Writer } from '../queries/write/writer.ts'
import type { Trx } from '../context.ts'
import { Diff, recordRevisions, writeDiff } from '../write/changes.ts'
import { correspondingState } from '../write/moves.ts'
import { afterMoves } from '../write/participants.ts'
import { teamWithStates } from '../write/update.ts'
import { attachSubIssues, blockedBy, findDetached, lockTrashed, readTrashed, type TrashedIssue } from './queries.ts'

export const notInTrash = (ref: string) =>
  missing(`There is no deleted issue '${abbreviate(ref)}': GET /v1/trash lists what can be restored.`)

/**
 * Restores an issue with all that belongs to it. Its sub-issues come back under it, but for those that have another
 * parent by now, or that it is under.
 * @throws 404; 409 when its team was removed, or issues would block each other in a circle
 */
export async function restoreIssue(writer: Writer, trx: Trx, principal: Principal, id: Id): Promise<void> {
  const { ctx } = writer
  const { workspaceId } = principal
  await lockGraph(trx, workspaceId)
  const detached = await findDetached(trx, workspaceId, id)
  await lockTrashed(trx, workspaceId, id, detached)
  const issue = await readTrashed(trx, workspaceId, id)
  if (!issue) throw notInTrash(id)
  await writeRestored(writer, trx, principal, issue)
  await refuseBlockingCircle(trx, workspaceId, id, await blockedBy(trx, workspaceId, id))
  await bringBack(writer, trx, principal, issue, detached)
  await afterMoves(ctx, principal, trx, [id])
}

async function writeRestored(writer: Writer, trx: Trx, principal: Principal, issue: TrashedIssue): Promise<void> {
  const { team, state, parent } = issue
  if (team.isDeleted) {
    throw conflict(`${issue.key} cannot be restored, because its team ${team.identifier} was removed.`)
  }
  const at = writer.ctx.now()
  const diff = new Diff()
  diff.columns['deleted_at'] = null
  // Also where it stays: a state must not be removed before the issue is in it.
  diff.columns['state_id'] = state.id
  diff.changes.push({ change: 'restored', from: null, to: null })
  if (state.isDeleted) {
    const other = correspondingState(await teamWithStates(trx, principal, team.id), state)
    if (!other) throw conflict(`The team ${team.identifier} has no workflow states: add one first.`)
    diff.setReference(ownFields.state, state, other, at)
  }
  if (parent?.isDeleted) {
    diff.setReference(ownFields.parent, { id: parent.id, name: parent.key }, null, at)
  }
  await writeDiff(writer, trx, principal, issue.id, diff, { key: issue.key })
}

async function bringBack(
  writer: Writer,
  trx: Trx,
  principal: Principal,
  { id, key }: TrashedIssue,
  detached: readonly Id[]
): Promise<void> {
  if (detached.length === 0) return
  const { workspaceId } = principal
  const above = new Set((await loadParents(trx, workspaceId, [id])).map(({ otherId }) => otherId))
  const ids = detached.filter(each => !above.has(each))
  const author = authorOf(writer, principal)
  const revisions = await attachSubIssues(trx, workspaceId, id, ids, author)
  const change = { change: 'parent', from: null, to: key, values: { from: null, to: { id, name: key } } }
  await recordRevisions(writer, trx, principal, author, revisions, () => [change])
}
