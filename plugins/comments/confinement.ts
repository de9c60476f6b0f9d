import type { FastifyRequest } from 'fastify'
import { fieldOf, type ConfinementRule } from '../../core/api/confinement.ts'
import { notFound } from '../../core/api/errors.ts'
import { ISSUES_IN_REACH } from '../issues/contract.ts'
import type { Ctx } from './context.ts'
import { issueOfComment } from './queries/comments.ts'

const OF_OWN_ISSUES = 'those of its issue and sub-issues'

export function commentRules({ db, use: { issues } }: Ctx): Record<string, ConfinementRule> {
  const onIssue = (access: 'read' | 'write') => async (request: FastifyRequest) =>
    issues.assertReach(request.principal, db, fieldOf(request.query, 'issueId') ?? '', access)
  const ofComment = (access: 'read' | 'write') => async (request: FastifyRequest) => {
    const id = fieldOf(request.params, 'id') ?? ''
    const issueId = await issueOfComment(db, request.principal.workspaceId, id)
    if (issueId === undefined) throw notFound('comment', id)
    await issues.assertReach(request.principal, db, issueId, access)
  }
  return {
    'GET /v1/issue_comments': { allows: `those of ${ISSUES_IN_REACH}`, check: onIssue('read') },
    'GET /v1/issue_comments/:id': { allows: `those of ${ISSUES_IN_REACH}`, check: ofComment('read') },
    'POST /v1/issue_comments': {
      allows: 'on its issue and sub-issues; they are duplicates of each other only',
      async check(request) {
        await onIssue('write')(request)
        const original = fieldOf(request.body, 'duplicateOf')
        if (original !== undefined) await issues.assertReach(request.principal, db, original, 'write')
      }
    },
    'POST /v1/issue_comments/:id': { allows: OF_OWN_ISSUES, check: ofComment('write') },
    'POST /v1/issue_comments/:id/answer': { allows: OF_OWN_ISSUES, check: ofComment('write') },
    'POST /v1/issue_comments/:id/withdraw': { allows: OF_OWN_ISSUES, check: ofComment('write') }
  }
}
