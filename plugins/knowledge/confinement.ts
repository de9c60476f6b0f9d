import type { FastifyRequest } from 'fastify'
import type { Principal } from '../../core/api/contract.ts'
import { confined, fieldOf, type ConfinementRule } from '../../core/api/confinement.ts'
import { notFound } from '../../core/api/errors.ts'
import type { Ctx } from './context.ts'
import { findEntry } from './queries/entries.ts'

export function knowledgeRules({ db, now, use: { issues } }: Ctx): Record<string, ConfinementRule> {
  const assertIssue = async ({ principal }: FastifyRequest, ref: string | undefined, access: 'read' | 'write') => {
    if (ref !== undefined) await issues.assertReach(principal, db, ref, access)
  }
  const assertEntry = async (principal: Principal, id: string) => {
    const entry = await findEntry(db, principal.workspaceId, id, now())
    if (!entry) throw notFound('knowledge entry', id)
    if (entry.issueId === null) {
      throw confined(
        "This token belongs to a run: it changes the entries that are tied to the run's issue only. " +
          'Add an entry of your own, or leave a note on the issue that says what is wrong in this one.'
      )
    }
    await issues.assertReach(principal, db, entry.issueId, 'write')
  }
  return {
    'GET /v1/knowledge': { allows: 'all entries, because what was learnt elsewhere is needed for the work' },
    'GET /v1/knowledge/context': {
      allows: 'for its issue, sub-issues, the issues above, those related to them, or a question',
      check: request => assertIssue(request, fieldOf(request.query, 'issueId'), 'read')
    },
    'GET /v1/knowledge/:id': { allows: 'all entries, because what was learnt elsewhere is needed for the work' },
    'POST /v1/knowledge': {
      allows: 'new entries, tied to no other issue; it replaces only what is tied to its issue or a sub-issue',
      async check(request) {
        await assertIssue(request, fieldOf(request.body, 'issueId'), 'write')
        const superseded = fieldOf(request.body, 'supersedesId')
        if (superseded !== undefined) await assertEntry(request.principal, superseded)
      }
    },
    'POST /v1/knowledge/marks': {
      allows: 'all entries, for its issue or a sub-issue',
      check: request => assertIssue(request, fieldOf(request.body, 'issueId'), 'write')
    },
    'POST /v1/knowledge/:id': {
      allows: 'entries that are tied to its issue or a sub-issue',
      async check(request) {
        await assertEntry(request.principal, fieldOf(request.params, 'id') ?? '')
        await assertIssue(request, fieldOf(request.body, 'issueId'), 'write')
      }
    }
  }
}
