import type { Principal } from '../../../core/api/contract.ts'
import type { Id } from '../../../core/api/database/types.ts'
import { invalid } from '../../../core/api/errors.ts'
import { touchIssues, type Trx, type Writer } from './changes.ts'
import type { IssueRef } from '../contract.ts'
import { ownFields } from '../fields/fields.ts'
import { refuseBlockingCircle } from '../queries/read/circles.ts'
import { lockGraph, lockIssues } from '../queries/write/locks.ts'
import { emptyReferences, lookUp } from '../queries/read/lookup.ts'
import { blockersOf, insertRelation, removeRelation } from '../queries/read/parts.ts'
import type { Patch } from '../schemas.ts'
import { givenReference } from './values.ts'

export interface BlockerChanges {
  add: IssueRef[]
  remove: IssueRef[]
}

/**
 * Finds the blockers that a patch adds or removes, and locks them together with the issue, before another part of the
 * patch locks the issue alone.
 * @throws 404 for an unknown issue
 */
export async function lockBlockers(trx: Trx, principal: Principal, issueId: Id, patch: Patch): Promise<BlockerChanges> {
  const { workspaceId } = principal
  const { addBlockedByIds = [], removeBlockedByIds = [] } = patch
  const hasParent = givenReference(ownFields.parent, patch)?.value != null
  const refs = [...addBlockedByIds, ...removeBlockedByIds]
  if (refs.length === 0) return { add: [], remove: [] }
  const references = emptyReferences()
  for (const ref of refs) references.issues.set(ref, 'addBlockedByIds')
  const resolved = await lookUp(trx, principal, references)
  const each = (names: readonly string[]) => [...new Set(names.map(ref => resolved.issue(ref)))]
  const changes = { add: each(addBlockedByIds), remove: each(removeBlockedByIds) }
  if (hasParent || changes.add.length > 0) await lockGraph(trx, workspaceId)
  await lockIssues(trx, workspaceId, [
    issueId,
    ...changes.add.map(({ id }) => id),
    ...changes.remove.map(({ id }) => id)
  ])
  return changes
}

/** Adds and removes blockers of an issue that `lockBlockers` has locked. @throws 400, or 409 for a circle */
export async function changeBlockers(
  writer: Writer,
  trx: Trx,
  principal: Principal,
  issue: IssueRef,
  { add, remove }: BlockerChanges
): Promise<void> {
  const { workspaceId, accountId } = principal
  const at = writer.ctx.now()
  for (const blocker of add) {
    if (blocker.id === issue.id) throw invalid(`${issue.key} cannot block itself.`, { field: 'addBlockedByIds' })
    await refuseBlockingCircle(trx, workspaceId, blocker.id, [issue.id])
    const relation = { issueId: blocker.id, relatedIssueId: issue.id, type: 'BLOCKS' as const }
    const { isNew } = await insertRelation(trx, workspaceId, relation, accountId, at)
    const to = `${issue.key} BLOCKED ${blocker.key}`
    if (isNew) await touchIssues(writer, trx, principal, [issue.id, blocker.id], { change: 'relation', from: null, to })
  }
  if (remove.length === 0) return
  const blockers = await blockersOf(trx, workspaceId, issue.id)
  for (const { id, key } of remove) {
    const relation = blockers.find(blocker => blocker.issueId === id)
    if (!relation) {
      const keys = blockers.map(blocker => blocker.key).join(', ')
      throw invalid(`${key} does not block ${issue.key}; its blockers are: ${keys || 'none'}.`, {
        field: 'removeBlockedByIds'
      })
    }
    await removeRelation(trx, workspaceId, relation.id, at)
    const from = `${key} BLOCKS ${issue.key}`
    await touchIssues(writer, trx, principal, [issue.id, id], { change: 'relation', from, to: null })
  }
}
