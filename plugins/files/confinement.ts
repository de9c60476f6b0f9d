import { confined, fieldOf, type ConfinementRule } from '../../core/api/confinement.ts'
import type { Principal } from '../../core/api/contract.ts'
import { ISSUES_IN_REACH } from '../issues/contract.ts'
import type { Ctx } from './context.ts'
import type { Subject } from './queries/files.ts'
import { findReadable, isReadByRuns, subjectOfRow } from './subjects.ts'

const allows = `those of ${ISSUES_IN_REACH}`

export function fileRules(ctx: Ctx): Record<string, ConfinementRule> {
  const reading: ConfinementRule = {
    allows,
    async check({ principal, params }) {
      const file = await findReadable(ctx, principal, fieldOf(params, 'id')?.toLowerCase() ?? '')
      await assertSubjectInReach(ctx, principal, subjectOfRow(file), 'read')
    }
  }
  return {
    'GET /v1/files/:id': reading,
    'GET /v1/files/:id/:name': reading,
    'HEAD /v1/files/:id/:name': reading,
    'GET /v1/issues/:issueId/files': {
      allows,
      check: ({ principal, params }) =>
        ctx.use.issues.assertReach(principal, ctx.db, fieldOf(params, 'issueId') ?? '', 'read')
    },
    // Checked by `assertSubjectInReach`, before bytes are stored.
    'POST /v1/files': { allows: 'those of its issue and sub-issues, which `issueId` names' }
  }
}

/** Any token that is not confined passes. @throws 403 */
export async function assertSubjectInReach(
  ctx: Ctx,
  principal: Principal,
  subject: Subject | undefined,
  access: 'read' | 'write'
): Promise<void> {
  if (principal.confinedTo === undefined) return
  if (access === 'read' && subject && isReadByRuns(ctx, subject.type)) return
  if (subject?.type !== 'issue') {
    throw confined('This token belongs to a run: it reads and adds files of issues only. Send issueId.')
  }
  await ctx.use.issues.assertReach(principal, ctx.db, subject.id, access)
}
