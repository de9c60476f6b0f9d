import { definePlugin } from '../../core/api/plugin.ts'
import { dependencies } from './context.ts'
import { guideRoutes } from './routes.ts'

export default definePlugin(dependencies, {
  summary: 'Guides that teach agents the tools of this server, as Agent Skills and as instruction files',
  routes: guideRoutes
})
