import type { FastifyRequest } from 'fastify'
import { confined, fieldOf, type ConfinementRule } from '../../core/confinement.ts'
import type { Principal } from '../../core/contract.ts'
import type { ReadHandle } from '../../core/db/tables.ts'
import { findIssue } from './queries/read.ts'
import { reachOf } from './queries/reach.ts'

/**
 * Lets a confined token change the issues of its run's tree, and read those near to it too; any other token passes.
 * @throws 403 that says why, 404 when there is no such issue
 */
export async function assertReach(
  { workspaceId, confinedTo }: Principal,
  reads: ReadHandle,
  ref: string,
  access: 'read' | 'write'
): Promise<void> {
  if (confinedTo === undefined) return
  const issue = await findIssue(reads, workspaceId, ref)
  const reach = await reachOf(reads, workspaceId, { id: issue.id, rootId: confinedTo.issueId })
  if (reach === 'within' || (reach === 'near' && access === 'read')) return
  const own = await findIssue(reads, workspaceId, confinedTo.issueId)
  throw confined(
    access === 'read'
      ? `This token belongs to a run on ${own.key}: it reads ${own.key}, its sub-issues, the issues above it and ` +
          `those related to them, not ${issue.key}. Search finds how others were solved.`
      : `This token belongs to a run on ${own.key}: it changes ${own.key} and its sub-issues, not ${issue.key}. ` +
          `Leave a note on ${own.key} that says what is needed.`
  )
}

/** What a run's token may do with issues. Removing, moving and listing them is not part of working on one. */
export function issueRules(reads: ReadHandle): Record<string, ConfinementRule> {
  const reading: ConfinementRule = {
    allows: 'its issue, sub-issues, the issues above, and those related to them',
    check: ({ principal, params }) => assertReach(principal, reads, fieldOf(params, 'issueId') ?? '', 'read')
  }
  const changing: ConfinementRule = {
    allows: 'its issue and sub-issues',
    check: ({ principal, params }) => assertReach(principal, reads, fieldOf(params, 'issueId') ?? '', 'write')
  }
  const assertParent = async ({ principal }: FastifyRequest, draft: unknown): Promise<void> => {
    const parent = parentIn(draft)
    if (parent === undefined) {
      throw confined('This token belongs to a run: it files sub-issues of its issue only. Send parentId.')
    }
    await assertReach(principal, reads, parent, 'write')
  }
  return {
    'GET /v1/issues/:issueId': reading,
    'GET /v1/issues/:issueId/context': reading,
    'POST /v1/issues': {
      allows: 'sub-issues of its issue',
      check: request => assertParent(request, request.body)
    },
    'POST /v1/issues/bulk': {
      allows: 'sub-issues of its issue',
      async check(request) {
        for (const draft of draftsOf(request.body)) await assertParent(request, draft)
      }
    },
    'POST /v1/issues/:issueId': {
      allows: 'its issue and sub-issues, which stay below it',
      async check(request) {
        await changing.check?.(request)
        const parent = parentIn(request.body)
        if (parent !== undefined) await assertReach(request.principal, reads, parent, 'write')
      }
    },
    'POST /v1/issues/:issueId/pick_up': changing,
    'POST /v1/issues/:issueId/claim/renew': changing,
    'POST /v1/issues/:issueId/release': changing,
    'POST /v1/issues/:issueId/criteria': changing,
    'POST /v1/issues/:issueId/links': changing,
    'POST /v1/issue_relations': {
      allows: 'relations that begin at its issue or a sub-issue',
      check: ({ principal, body }) => assertReach(principal, reads, fieldOf(body, 'issueId') ?? '', 'write')
    }
  }
}

/** The parent that a body names: as `givenReference` reads it, the id wins, also where it is null. */
const parentIn = (body: unknown): string | undefined =>
  fieldOf(body, typeof body === 'object' && body !== null && 'parentId' in body ? 'parentId' : 'parent')

const draftsOf = (body: unknown): unknown[] =>
  typeof body === 'object' && body !== null && 'issues' in body && Array.isArray(body.issues) ? body.issues : []
