import { Type } from 'typebox'
import { confinementRules } from '../../core/api/confinement.ts'
import type { App } from '../../core/api/plugin.ts'
import { answers } from '../../core/api/schemas.ts'
import { DAY_MS } from '../../lib/util/days.ts'
import { STATE_CATEGORIES } from '../workspace/contract.ts'
import type { Ctx } from './context.ts'
import { countIssues, type CategoryCounts } from './queries/progress.ts'
import { OfProject, Progress, tags } from './schemas.ts'

/** The completed issues of these days make the pace of a project. */
const PACE_DAYS = 28

export function progressRoute(app: App, ctx: Ctx): void {
  confinementRules(app, { 'GET /v1/projects/progress': { allows: 'all, as the projects themselves' } })

  app.get(
    '/v1/projects/progress',
    {
      schema: {
        tags,
        summary: 'The progress of projects: their issues by category, their criteria, the day of completion',
        description: 'Of all projects that have issues, or of one.',
        querystring: OfProject,
        response: answers(200, Type.Array(Progress))
      }
    },
    async ({ principal, query: { projectId } }) => {
      const now = ctx.now()
      const since = new Date(now.getTime() - PACE_DAYS * DAY_MS)
      const counts = await countIssues(ctx.db, principal.workspaceId, projectId, since)
      const byProject = Map.groupBy(counts, each => each.projectId)
      return [...byProject].map(([projectId, counts]) => ({ projectId, ...progressOf(counts, now) }))
    }
  )
}

function progressOf(counts: readonly CategoryCounts[], now: Date) {
  const sum = (value: (count: CategoryCounts) => number) => counts.reduce((total, count) => total + value(count), 0)
  const byCategory = Object.fromEntries(
    STATE_CATEGORIES.map(category => [category, counts.find(count => count.category === category)?.n ?? 0])
  )
  const completed = byCategory['COMPLETED']!
  const total = sum(({ n }) => n) - byCategory['CANCELED']!
  const expectedOn = dayOfCompletion(total - completed, sum(count => count.completedLately) / PACE_DAYS, now)
  return {
    total,
    completed,
    byCategory,
    criteria: { met: sum(count => count.criteriaMet), total: sum(count => count.criteriaTotal) },
    ...(expectedOn !== undefined && { expectedOn })
  }
}

/** @param pace completed issues a day. @returns undefined when nothing is open, or nothing was completed */
function dayOfCompletion(open: number, pace: number, now: Date): string | undefined {
  if (open === 0 || pace === 0) return undefined
  return new Date(now.getTime() + (open / pace) * DAY_MS).toISOString().slice(0, 10)
}
