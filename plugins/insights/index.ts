import { definePlugin } from '../../core/api/plugin.ts'
import { dependencies } from './context.ts'
import { insightRoutes } from './routes.ts'

export default definePlugin(dependencies, {
  summary: 'Insights: how work goes, from the history of issues, by week, person, agent and label',
  routes: insightRoutes
})
