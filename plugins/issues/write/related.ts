import type { Principal } from '../../../core/api/contract.ts'
import type { Id } from '../../../core/api/database/types.ts'
import { invalid } from '../../../core/api/errors.ts'
import type { Trx } from '../context.ts'
import type { Writer } from '../queries/write/writer.ts'
import { touchIssues } from './changes.ts'
import type { IssueRef, RelationType } from '../contract.ts'
import { ownFields } from '../fields/fields.ts'
import { lockGraph, lockIssues } from '../queries/write/locks.ts'
import { emptyReferences, lookUp } from '../queries/read/lookup.ts'
import { blockersOf, relationsBetween, removeRelation } from '../queries/read/parts.ts'
import type { Patch } from '../schemas.ts'
import { addRelation, isOfBlockers, relationChangesIn } from './relations.ts'
import { givenReference } from './values.ts'

interface RelationChange {
  /** Undefined: all relations to the other issue. */
  type?: RelationType
  other: IssueRef
  /** The field of the request, for errors. */
  field: string
}
export interface RelationChanges {
  add: Array<RelationChange & { type: RelationType }>
  remove: RelationChange[]
}

/**
 * Locks the graph, if a patch adds edges to it, then the issue together with those that it relates, before another part
 * of the patch locks the issue alone.
 * @throws 404
 */
export async function lockRelations(
  trx: Trx,
  principal: Principal,
  issueId: Id,
  patch: Patch
): Promise<RelationChanges> {
  const { workspaceId } = principal
  const requested = relationChangesIn(patch)
  const hasParent = givenReference(ownFields.parent, patch)?.value != null
  if (hasParent || requested.add.some(({ type }) => isOfBlockers(type))) await lockGraph(trx, workspaceId)
  const references = emptyReferences()
  for (const { relatedIssueId, field } of [...requested.add, ...requested.remove]) {
    references.issues.set(relatedIssueId, field)
  }
  if (references.issues.size === 0) return { add: [], remove: [] }
  const resolved = await lookUp(trx, principal, references)
  const add = distinct(
    requested.add.map(({ relatedIssueId, ...change }) => ({ ...change, other: resolved.issue(relatedIssueId) }))
  )
  const remove = distinct(
    requested.remove.map(({ relatedIssueId, ...change }) => ({ ...change, other: resolved.issue(relatedIssueId) }))
  )
  await lockIssues(trx, workspaceId, [issueId, ...[...add, ...remove].map(({ other }) => other.id)])
  return { add, remove }
}

const distinct = <T extends RelationChange>(changes: readonly T[]): T[] => [
  ...new Map(changes.map(change => [`${change.type} ${change.other.id}`, change])).values()
]

export async function changeRelations(
  writer: Writer,
  trx: Trx,
  principal: Principal,
  issue: IssueRef,
  { add, remove }: RelationChanges
): Promise<void> {
  const { workspaceId } = principal
  for (const { type, other, field } of add) {
    if (other.id === issue.id) {
      const isBlocker = field === 'addBlockedByIds'
      throw invalid(`${issue.key} cannot ${isBlocker ? 'block' : 'be related to'} itself.`, { field })
    }
    await addRelation(writer, trx, principal, issue, type, other)
  }
  if (remove.length === 0) return
  const otherIds = remove.map(({ other }) => other.id)
  const relations = await relationsBetween(trx, workspaceId, issue.id, otherIds)
  const isMeant = (relation: (typeof relations)[number], { type, other }: RelationChange) =>
    relation.otherId === other.id && (type === undefined || type === relation.seenType)
  const missing = remove.find(change => !relations.some(relation => isMeant(relation, change)))
  if (missing) throw await notRelated(trx, workspaceId, issue, missing)
  for (const relation of relations) {
    const change = remove.find(change => isMeant(relation, change))
    if (change === undefined) continue
    await removeRelation(trx, workspaceId, relation.id, writer.ctx.now())
    const [one, two] = relation.issueId === issue.id ? [issue, change.other] : [change.other, issue]
    const from = `${one.key} ${relation.type} ${two.key}`
    await touchIssues(writer, trx, principal, [issue.id, change.other.id], { change: 'relation', from, to: null })
  }
}

async function notRelated(trx: Trx, workspaceId: Id, issue: IssueRef, { type, other, field }: RelationChange) {
  if (type !== 'BLOCKED') {
    const relation = type === undefined ? 'relation' : `relation ${type}`
    const message = `${issue.key} has no ${relation} to ${other.key}; its context has the list of those that it has.`
    return invalid(message, { field })
  }
  const keys = (await blockersOf(trx, workspaceId, issue.id)).map(blocker => blocker.key).join(', ')
  return invalid(`${other.key} does not block ${issue.key}; its blockers are: ${keys || 'none'}.`, { field })
}
