import { definePlugin } from '../../core/api/plugin.ts'
import { insightMeasures } from '../insights/contract.ts'
import { contextSections, issueChanges, rowSections } from '../issues/contract.ts'
import { uiParts } from '../ui/contract.ts'
import { dependencies } from './context.ts'
import { usageMeasure } from './queries/insights.ts'
import { costOfRow, forgetIssues, usageOfContext } from './queries.ts'
import { usageRoutes } from './routes.ts'
import { CostOfRow, SumsOfReports } from './schemas.ts'
import { usageServices } from './service.ts'

export default definePlugin(dependencies, {
  summary: 'Usage: the tokens and the cost that agents report, by issue, agent, project, cycle, model and day',
  tables: { usageReport: 'workspace' },
  migrations: { '001_usage': () => import('./migrations/001_usage.ts') },
  register(ctx) {
    ctx.contribute(uiParts, { entry: new URL('./ui/index.tsx', import.meta.url) })
    ctx.contribute(contextSections, {
      name: 'usage',
      schema: SumsOfReports,
      json: usageOfContext,
      isOptional: true,
      unversioned: 'all'
    })
    ctx.contribute(rowSections, { name: 'costUsd', schema: CostOfRow, json: costOfRow })
    ctx.contribute(insightMeasures, usageMeasure)
    ctx.contribute(issueChanges, { purged: ({ workspaceId }, trx, ids) => forgetIssues(trx, workspaceId, ids) })
  },
  services: usageServices,
  routes: (app, ctx) => usageRoutes(app, ctx, usageServices(ctx))
})
