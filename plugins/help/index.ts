import { definePlugin } from '../../core/api/plugin.ts'
import { uiParts } from '../ui/contract.ts'
import { dependencies } from './context.ts'
import { helpRoutes } from './routes.ts'

export default definePlugin(dependencies, {
  summary: 'The documentation of this version at /help, with search and a reference of the REST API',
  register(ctx) {
    ctx.contribute(uiParts, { entry: new URL('./ui/index.tsx', import.meta.url) })
  },
  routes: helpRoutes
})
