import { invalid } from '../../core/api/errors.ts'
import type { App } from '../../core/api/plugin.ts'
import { answers } from '../../core/api/schemas.ts'
import { insightsFor } from './answer.ts'
import type { Ctx } from './context.ts'
import { insightMeasures } from './contract.ts'
import { readRequest, type Request } from './measures.ts'
import { listIssues } from './queries/measures.ts'
import { insightsSchema, InsightsQuery, IssuesQuery, ListedIssues } from './schemas.ts'

const tags = ['insights']
const MAX_ISSUES = 200

export function insightRoutes(app: App, ctx: Ctx): void {
  const schemas = ctx.contributions(insightMeasures).map(({ item: { name, schema } }) => [name, schema] as const)
  app.get(
    '/v1/insights',
    {
      schema: {
        tags,
        summary: 'How work goes: issues filed, completed, reopened and in progress, cycle times',
        description: 'In total and by group, from the history. GET /v1/insights/issues lists the issues of a figure.',
        querystring: InsightsQuery,
        response: answers(200, insightsSchema(Object.fromEntries(schemas)))
      }
    },
    async ({ principal, query }) => insightsFor(ctx, await readRequest(ctx, principal, query))
  )
  app.get(
    '/v1/insights/issues',
    {
      schema: {
        tags,
        summary: 'The issues of a figure of insights',
        description: 'With the same `team`, `project`, `from`, `to` and `by` as the figure.',
        querystring: IssuesQuery,
        response: answers(200, ListedIssues)
      }
    },
    async ({ principal, query }) => {
      const request = await readRequest(ctx, principal, query)
      const { selection, group } = request
      const { measure, subset } = measureNamed(request, query.figure)
      const limit = MAX_ISSUES + 1
      const rows = await ctx.use.database.inTurn(() => listIssues(ctx.db, selection, measure, { group, subset, limit }))
      const items = rows.slice(0, MAX_ISSUES).map(({ at, ...row }) => ({ ...row, at: at.toISOString() }))
      return { items, hasMore: rows.length > MAX_ISSUES }
    }
  )
}

/** @throws 400 */
function measureNamed({ measures }: Request, figure: string) {
  const figures = measures.flatMap(measure => [
    { name: measure.name, measure, subset: undefined },
    ...Object.entries(measure.subsets).map(([part, subset]) => ({ name: `${measure.name}.${part}`, measure, subset }))
  ])
  const chosen = figures.find(({ name }) => name === figure)
  if (chosen) return chosen
  const known = figures.map(({ name }) => name)
  throw invalid(`query.figure must be one of: ${known.join(', ')}.`, { field: 'figure', known })
}
