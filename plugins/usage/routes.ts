import type { Static } from 'typebox'
import { confined, confinementRules, fieldOf, type ConfinementRule } from '../../core/api/confinement.ts'
import type { Principal } from '../../core/api/contract.ts'
import { forbidden, invalid } from '../../core/api/errors.ts'
import type { App } from '../../core/api/plugin.ts'
import { answers } from '../../core/api/schemas.ts'
import { ISSUES_IN_REACH, type ReferenceField } from '../issues/contract.ts'
import type { Ctx } from './context.ts'
import { usageOfRuns, type UsageServices } from './contract.ts'
import { sumGroups, sumReports } from './queries.ts'
import { NewReport, StoredReport, UsageAnswer, UsageQuery } from './schemas.ts'

const tags = ['usage']

export function usageRoutes(app: App, ctx: Ctx, services: UsageServices): void {
  confinementRules(app, rules(ctx))
  app.post(
    '/v1/usage',
    {
      schema: {
        tags,
        summary: 'Report what a model has used for an issue',
        description:
          'Totals so far: a report with the same `reportId` and the same token replaces the former one, so it can be ' +
          'sent again and again. Without a cost and without a configured price of the model the cost is unknown.',
        body: NewReport,
        response: answers(200, StoredReport)
      }
    },
    async ({ principal, body: { issueId: issueRef, runId: sentRunId, session, ...figures } }) => {
      const runId = runOf(ctx, principal, sentRunId)
      const named = issueRef ?? principal.confinedTo?.issueId
      const issueId = named === undefined ? null : (await ctx.use.issues.find(principal, ctx.db, named)).id
      const report = { ...figures, issueId, runId, session: session ?? principal.session ?? null }
      const cost = await ctx.transaction(trx => services.record(principal, trx, report))
      const { reportId, model, inputTokens, outputTokens, cachedTokens } = figures
      return { reportId, issueId, runId, model, inputTokens, outputTokens, cachedTokens, ...cost }
    }
  )
  app.get(
    '/v1/usage',
    {
      schema: {
        tags,
        summary: 'What models have used and cost',
        description: 'Sums of reports, by issue, agent, project, cycle, model, run or day.',
        querystring: UsageQuery,
        response: answers(200, UsageAnswer)
      }
    },
    ({ principal, query }) => sumsFor(ctx, principal, query)
  )
}

/** The run that a report is about: that of the token. @throws 403 for another one */
function runOf(ctx: Ctx, principal: Principal, sent: string | undefined): string | null {
  const own = ctx.contributions(usageOfRuns)[0]?.item.runOf(principal)
  if (sent !== undefined && sent.toLowerCase() !== own) {
    throw forbidden(
      'Only the token of a run reports for it: leave runId out, or send the report with TRACKER_TOKEN of that run.'
    )
  }
  return own ?? null
}

async function sumsFor(ctx: Ctx, principal: Principal, query: Static<typeof UsageQuery>) {
  const { db, use } = ctx
  const { workspaceId } = principal
  const { by, issueId, agentId, projectId, cycleId, limit, from, to } = query
  const fields = use.issues.references(principal)
  const [issue, accounts] = await Promise.all([
    issueId === undefined ? undefined : use.issues.find(principal, db, issueId),
    agentId === undefined ? undefined : use.issues.accounts(principal, db, [agentId], 'query.agentId')
  ])
  const references = Object.entries({ project: projectId, cycle: cycleId }).flatMap(([key, id]) =>
    id === undefined ? [] : [{ field: fieldNamed(fields, key), id }]
  )
  const selection = { issueId: issue?.id, accountId: accounts?.[0]?.id, references, from, to }
  const group = by === 'project' || by === 'cycle' ? fieldNamed(fields, by) : by
  const [total, items] = await Promise.all([
    sumReports(db, workspaceId, selection),
    sumGroups(db, workspaceId, selection, group, limit)
  ])
  return { total, items: items.slice(0, limit), hasMore: items.length > limit }
}

/** @throws 400 while the plugin is off that adds the field to issues */
function fieldNamed(fields: readonly ReferenceField[], key: string): ReferenceField {
  const field = fields.find(one => one.key === key)
  if (!field) throw invalid(`Issues have no ${key} on this server: choose another selection.`, { field: key })
  return field
}

/** The token of a run reports for its issue, and reads what was reported for issues that it may read. */
function rules({ db, use: { issues } }: Ctx): Record<string, ConfinementRule> {
  return {
    'POST /v1/usage': {
      allows: 'what its run has used',
      async check({ principal, body }) {
        const ref = fieldOf(body, 'issueId')
        const own = principal.confinedTo?.issueId
        if (ref !== undefined && (await issues.find(principal, db, ref)).id !== own) {
          throw confined('This token belongs to a run: it reports for its own issue. Leave issueId out.')
        }
      }
    },
    'GET /v1/usage': {
      allows: `that of ${ISSUES_IN_REACH}, named by \`issueId\``,
      async check({ principal, query }) {
        const ref = fieldOf(query, 'issueId')
        if (ref === undefined) {
          throw confined('This token belongs to a run: it reads the usage of an issue. Send issueId.')
        }
        await issues.assertReach(principal, db, ref, 'read')
      }
    }
  }
}
