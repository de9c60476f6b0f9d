import type { FastifyRequest } from 'fastify'
import { confined, fieldOf, type ConfinementRule } from '../../core/api/confinement.ts'
import type { Confinement, Id } from '../../core/api/database/types.ts'
import type { ConfinedTokens } from '../../core/api/points.ts'
import type { Ctx } from './context.ts'
import { delegation } from './contract.ts'
import { findRun } from './queries/listing.ts'

export const runTokens: ConfinedTokens = {
  name: 'the token of a run',
  refusal: route =>
    `This token belongs to a run and is confined to the run's issue, its sub-issues, relations, comments and ` +
    `knowledge: ${route} is outside of these. Leave a note on the issue that says what is needed.`
}

export const confinementOf = ({ id, issueId }: { id: Id; issueId: Id }): Confinement => ({
  plugin: delegation.name,
  subjectId: id,
  issueId,
  runId: id
})
/** The run of a token. Tokens of the previous version's servers have only `issueId` and `runId`. */
export const runOfToken = ({ plugin, subjectId, runId }: Confinement): Id | undefined =>
  plugin === delegation.name ? subjectId : runId

export function runRules({ settings, db, use: { issues } }: Ctx): Record<string, ConfinementRule> {
  const ofOwnIssue: ConfinementRule = {
    allows: 'runs of its issue and sub-issues',
    async check({ principal, params }) {
      const { issueId } = await findRun(db, principal.workspaceId, fieldOf(params, 'id') ?? '')
      await issues.assertReach(principal, db, issueId, 'read')
    }
  }
  const assertIssue = ({ principal }: FastifyRequest, ref: string | undefined, access: 'read' | 'write') => {
    if (ref === undefined) throw confined('This token belongs to a run: it lists the runs of an issue. Send issueId.')
    return issues.assertReach(principal, db, ref, access)
  }
  return {
    'POST /v1/agent_runs': {
      allows: 'sub-issues, down to the depth of the setting `plugins.delegation.maxDepth`',
      async check(request) {
        if (settings.maxDepth === 0) throw tooDeep(settings.maxDepth)
        await assertIssue(request, fieldOf(request.body, 'issueId'), 'write')
      }
    },
    'GET /v1/agent_runs': {
      allows: 'runs of an issue that it may read, named by `issueId`',
      check: request => assertIssue(request, fieldOf(request.query, 'issueId'), 'read')
    },
    'POST /v1/agent_runs/:id/result': {
      allows: 'its own work',
      async check({ principal, params }) {
        const own = principal.confinedTo && runOfToken(principal.confinedTo)
        const text = 'This token belongs to a run, and links the work of that one alone.'
        if (own !== fieldOf(params, 'id')) throw confined(text)
      }
    },
    'GET /v1/agent_runs/:id': ofOwnIssue,
    'GET /v1/agent_runs/:id/events': ofOwnIssue,
    'GET /v1/agent_runs/:id/steps': ofOwnIssue
  }
}

export const tooDeep = (maxDepth: number) =>
  confined(
    `This token belongs to a run, and runs delegate no deeper than ${maxDepth} here: do the work in this run. ` +
      'The deployer can raise plugins.delegation.maxDepth.'
  )
