import type { FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { confined, fieldOf, type ConfinementRule } from '../../../core/api/confinement.ts'
import type { Principal } from '../../../core/api/contract.ts'
import type { DatabaseHandle } from '../../../core/api/database/types.ts'
import { ISSUES_IN_REACH, type RelationType } from '../contract.ts'
import { ownFields } from '../fields/fields.ts'
import type { NewRelation } from '../fields/relation.ts'
import { findIssue } from '../queries/read/read.ts'
import { reachOf } from '../queries/read/reach.ts'
import type { Draft, Patch } from '../schemas.ts'
import { relationChangesIn, relationsIn } from '../write/relations.ts'
import { givenReference } from '../write/values.ts'

/**
 * Checks that a confined token reads or writes within its run's tree, or reads its neighbours; any other token passes.
 * @throws 403 with the reason, 404
 */
export async function assertReach(
  { workspaceId, confinedTo }: Principal,
  db: DatabaseHandle,
  ref: string,
  access: 'read' | 'write'
): Promise<void> {
  if (confinedTo === undefined) return
  const { issueId } = confinedTo
  if (issueId === undefined) throw confined('This token is confined to what is not an issue: use another for issues.')
  const issue = await findIssue(db, workspaceId, ref)
  const reach = await reachOf(db, workspaceId, { id: issue.id, rootId: issueId })
  if (reach === 'within' || (reach === 'near' && access === 'read')) return
  const own = await findIssue(db, workspaceId, issueId)
  throw confined(
    access === 'read'
      ? `This token belongs to a run on ${own.key}: it reads ${own.key}, its sub-issues, the issues above it and ` +
          `those related to them, not ${issue.key}. Search finds how others were solved.`
      : `This token belongs to a run on ${own.key}: it changes ${own.key} and its sub-issues, not ${issue.key}. ` +
          `Leave a note on ${own.key} that says what is needed.`
  )
}

function checksOf(db: DatabaseHandle) {
  /** A relation that means something for the other issue changes that one, too; without a type it may be any. */
  const assertOthers = async (
    { principal }: FastifyRequest,
    relations: ReadonlyArray<{ type?: RelationType; relatedIssueId: string }>
  ): Promise<void> => {
    for (const { type = 'BLOCKS', relatedIssueId } of relations) {
      const access = type === 'BLOCKS' || type === 'DUPLICATE' ? 'write' : 'read'
      await assertReach(principal, db, relatedIssueId, access)
    }
  }
  const assertReferences = async (request: FastifyRequest, draft: Draft): Promise<void> => {
    await assertOthers(request, relationsIn(draft))
    for (const part of draft.subIssues ?? []) await assertReferences(request, part)
  }
  const assertDraft = async (request: FastifyRequest, draft: Draft): Promise<void> => {
    const parent = givenReference(ownFields.parent, draft)?.value
    if (parent == null) {
      throw confined('This token belongs to a run: it files sub-issues of its issue only. Send parentId.')
    }
    await assertReach(request.principal, db, parent, 'write')
    await assertReferences(request, draft)
  }
  return { assertOthers, assertDraft }
}

export function issueRules(db: DatabaseHandle): Record<string, ConfinementRule> {
  const ruleOf = (access: 'read' | 'write', allows: string): ConfinementRule => ({
    allows,
    check: ({ principal, params }) => assertReach(principal, db, fieldOf(params, 'issueId') ?? '', access)
  })
  const reading = ruleOf('read', ISSUES_IN_REACH)
  const changing = ruleOf('write', 'its issue and sub-issues')
  const { assertOthers, assertDraft } = checksOf(db)
  return {
    'GET /v1/issues/:issueId': reading,
    'GET /v1/issues/:issueId/context': reading,
    'GET /v1/issues/:issueId/activity': reading,
    'POST /v1/issues': {
      allows: 'sub-issues of its issue',
      check: request => assertDraft(request, request.body as Draft)
    },
    'POST /v1/issues/bulk': {
      allows: 'sub-issues of its issue',
      async check(request) {
        for (const draft of (request.body as { issues: Draft[] }).issues) await assertDraft(request, draft)
      }
    },
    'POST /v1/issues/:issueId': {
      allows: 'its issue and sub-issues, which stay below it',
      async check(request) {
        await changing.check?.(request)
        const patch = request.body as Patch
        const { add, remove } = relationChangesIn(patch)
        await assertOthers(request, [...add, ...remove])
        const parent = givenReference(ownFields.parent, patch)?.value
        if (parent === undefined) return
        if (parent === null) {
          throw confined('This token belongs to a run: what it changes stays below its issue. Leave the parent out.')
        }
        await assertReach(request.principal, db, parent, 'write')
      }
    },
    'POST /v1/issues/:issueId/pick_up': changing,
    'POST /v1/issues/:issueId/release': changing,
    'POST /v1/issues/:issueId/criteria': changing,
    'POST /v1/issues/:issueId/links': changing,
    'POST /v1/issue_relations': {
      allows: 'of its issue and sub-issues, to those that it may read; it blocks none but these',
      async check(request) {
        await assertReach(request.principal, db, fieldOf(request.body, 'issueId') ?? '', 'write')
        await assertOthers(request, [request.body as Static<typeof NewRelation>])
      }
    }
  }
}
