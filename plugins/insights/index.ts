import { definePlugin } from '../../core/api/plugin.ts'
import { uiParts } from '../ui/contract.ts'
import { dependencies } from './context.ts'
import { insightRoutes } from './routes.ts'

export default definePlugin(dependencies, {
  summary: 'Insights: how work goes, from the history of issues, by week, person, agent and label',
  register(ctx) {
    ctx.contribute(uiParts, { entry: new URL('./ui/index.tsx', import.meta.url) })
  },
  routes: insightRoutes
})
