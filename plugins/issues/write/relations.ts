import type { Actor } from '../../../core/api/contract.ts'
import type { Id } from '../../../core/api/database/types.ts'
import { invalid } from '../../../core/api/errors.ts'
import { newId } from '../../../core/api/database/queries.ts'
import { recordRevisions, touchIssues } from './changes.ts'
import type { IssueRef, RelationType } from '../contract.ts'
import type { IssueRow } from '../queries/write/insert.ts'
import { refuseBlockingCircle } from '../queries/read/circles.ts'
import { lockIssues } from '../queries/write/locks.ts'
import { insertRelation, type StoredRelation } from '../queries/read/parts.ts'
import type { ResolvedReferences } from '../queries/read/lookup.ts'
import { reviseIssues } from '../queries/write/write.ts'
import type { Draft, Patch } from '../schemas.ts'
import { authorOf, type Writer } from '../queries/write/writer.ts'
import type { Trx } from '../context.ts'

export const isOfBlockers = (type: RelationType): boolean => type === 'BLOCKS' || type === 'BLOCKED'

const blockedBy = (refs: readonly string[], field: string) =>
  refs.map(relatedIssueId => ({ type: 'BLOCKED' as const, relatedIssueId, field }))

/** The relations of a new issue, without those of its sub-issues, each with the field of the request. */
export const relationsIn = ({ issueRelation, relations = [], blockedByIds = [] }: Draft) => [
  ...(issueRelation ? [{ ...issueRelation, field: 'issueRelation.relatedIssueId' }] : []),
  ...relations.map(relation => ({ ...relation, field: 'relations' })),
  ...blockedBy(blockedByIds, 'blockedByIds')
]

/** The relations that a change adds and removes, each with the field of the request; without a type it removes all. */
export const relationChangesIn = (patch: Patch) => ({
  add: [
    ...blockedBy(patch.addBlockedByIds ?? [], 'addBlockedByIds'),
    ...(patch.addRelations ?? []).map(relation => ({ ...relation, field: 'addRelations' }))
  ],
  remove: [
    ...blockedBy(patch.removeBlockedByIds ?? [], 'removeBlockedByIds'),
    ...(patch.removeRelations ?? []).map(relation => ({ ...relation, field: 'removeRelations' }))
  ]
})

export function storedRelation(id: Id, type: RelationType, otherId: Id): StoredRelation {
  if (type === 'BLOCKED') return { issueId: otherId, relatedIssueId: id, type: 'BLOCKS' }
  if (type === 'DUPLICATE') return { issueId: otherId, relatedIssueId: id, type: 'DUPLICATE_OF' }
  // Symmetric ones are stored in one direction, so that they are stored once.
  if ((type === 'RELATED' || type === 'SIMILAR') && otherId < id) return { issueId: otherId, relatedIssueId: id, type }
  return { issueId: id, relatedIssueId: otherId, type }
}

/** The distinct relations of a new issue. @throws 400 when they could close a circle of blockers */
export function relationsOf(draft: Draft, id: Id, resolved: ResolvedReferences): IssueRow['relations'] {
  const relations = relationsIn(draft)
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
  await recordRevisions(writer, trx, actor, author, revisions, ({ id, key }) =>
    others.get(id)!.map(({ nameOf }) => ({ change: 'relation', from: null, to: nameOf(key) }))
  )
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
