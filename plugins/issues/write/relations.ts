import type { Actor } from '../../../core/api/contract.ts'
import type { Id } from '../../../core/api/database/types.ts'
import { invalid } from '../../../core/api/errors.ts'
import { newId } from '../../../core/api/database/queries.ts'
import { touchIssues, updateOf } from './changes.ts'
import { issueUpdated, type IssueRef, type RelationType, type StoredRelationType } from '../contract.ts'
import type { IssueRow } from '../queries/write/insert.ts'
import { refuseBlockingCircle } from '../queries/read/circles.ts'
import { lockIssues } from '../queries/write/locks.ts'
import { insertRelation } from '../queries/read/parts.ts'
import type { ResolvedReferences } from '../queries/read/lookup.ts'
import { recordChanges, reviseIssues } from '../queries/write/write.ts'
import type { Draft } from '../schemas.ts'
import { authorOf, type Writer } from '../queries/write/writer.ts'
import type { Trx } from '../context.ts'

export const isOfBlockers = (type: RelationType): boolean => type === 'BLOCKS' || type === 'BLOCKED'

export function storedRelation(
  id: Id,
  type: RelationType,
  otherId: Id
): { issueId: Id; relatedIssueId: Id; type: StoredRelationType } {
  if (type === 'BLOCKED') return { issueId: otherId, relatedIssueId: id, type: 'BLOCKS' }
  if (type === 'DUPLICATE') return { issueId: otherId, relatedIssueId: id, type: 'DUPLICATE_OF' }
  // Symmetric ones are stored in one direction, so that they are stored once.
  if ((type === 'RELATED' || type === 'SIMILAR') && otherId < id) return { issueId: otherId, relatedIssueId: id, type }
  return { issueId: id, relatedIssueId: otherId, type }
}

/** The distinct relations of a new issue. @throws 400 when they could close a circle of blockers */
export function relationsOf(
  { issueRelation, relations: requested = [], blockedByIds = [] }: Draft,
  id: Id,
  resolved: ResolvedReferences
): IssueRow['relations'] {
  const relations = [
    ...(issueRelation ? [issueRelation] : []),
    ...requested,
    ...blockedByIds.map(relatedIssueId => ({ type: 'BLOCKED' as const, relatedIssueId }))
  ]
  const hasType = (type: RelationType) => relations.some(relation => relation.type === type)
  if (hasType('BLOCKS') && hasType('BLOCKED')) {
    throw invalid(
      'A new issue is blocked by others (BLOCKED, blockedByIds) or BLOCKS others, not both: add the second in a ' +
        'change of the issue.'
    )
  }
  const stored = relations.map(({ type, relatedIssueId }) =>
    storedRelation(id, type, resolved.issue(relatedIssueId).id)
  )
  return [...new Map(stored.map(relation => [JSON.stringify(relation), relation])).values()].map(relation => ({
    id: newId(),
    ...relation
  }))
}

type Filed = Pick<IssueRow, 'id' | 'key' | 'relations'>

/** The existing issues to which new ones are related, each with these relations. */
const relationsOfOthers = (filed: readonly Filed[]) =>
  Map.groupBy(
    filed.flatMap(({ id, key, relations }) =>
      relations.map(({ issueId, relatedIssueId, type }) =>
        issueId === id
          ? { otherId: relatedIssueId, nameOf: (otherKey: string) => `${key} ${type} ${otherKey}` }
          : { otherId: issueId, nameOf: (otherKey: string) => `${otherKey} ${type} ${key}` }
      )
    ),
    ({ otherId }) => otherId
  )

export async function lockRelated(trx: Trx, workspaceId: Id, filed: readonly Filed[]): Promise<void> {
  const ids = [...relationsOfOthers(filed).keys()]
  if (ids.length > 0) await lockIssues(trx, workspaceId, ids)
}

export async function recordRelations(writer: Writer, trx: Trx, actor: Actor, filed: readonly Filed[]): Promise<void> {
  const { workspaceId } = actor
  const others = relationsOfOthers(filed)
  if (others.size === 0) return
  const author = authorOf(writer, actor)
  const revisions = await reviseIssues(trx, workspaceId, [...others.keys()], author)
  const updates = revisions.map(revision => ({
    revision,
    changes: others
      .get(revision.id)!
      .map(({ nameOf }) => ({ change: 'relation', from: null, to: nameOf(revision.key) }))
  }))
  await recordChanges(
    trx,
    workspaceId,
    author,
    updates.flatMap(({ revision: { id, rev }, changes }) => changes.map(change => ({ issueId: id, rev, ...change })))
  )
  const events = updates.map(({ revision, changes }) => updateOf(revision, changes))
  await writer.ctx.emit(trx, issueUpdated, actor, events)
}

/**
 * Both issues are locked, and for blockers the graph.
 * @param type as `issue` sees it
 * @returns the id of the relation, which may have been there
 * @throws 409 for a circle of blockers
 */
export async function addRelation(
  writer: Writer,
  trx: Trx,
  actor: Actor,
  issue: IssueRef,
  type: RelationType,
  other: IssueRef
): Promise<Id> {
  const { workspaceId, accountId } = actor
  const relation = storedRelation(issue.id, type, other.id)
  if (isOfBlockers(type)) await refuseBlockingCircle(trx, workspaceId, relation.issueId, [relation.relatedIssueId])
  const { id, isNew } = await insertRelation(trx, workspaceId, relation, accountId, writer.ctx.now())
  const to = `${issue.key} ${type} ${other.key}`
  if (isNew) await touchIssues(writer, trx, actor, [issue.id, other.id], { change: 'relation', from: null, to })
  return id
}
