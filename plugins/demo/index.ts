import { definePlugin } from '../../core/api/plugin.ts'
import { commands } from '../../core/api/points.ts'
import { uiParts } from '../ui/contract.ts'
import { demoCommand } from './command.ts'
import { dependencies } from './context.ts'
import { demoRoutes, openRoute } from './routes.ts'

export default definePlugin(dependencies, {
  summary: 'A sample board to look around in: a workspace of its own, which can be removed',
  tables: { sampleBoard: 'workspace' },
  migrations: { '001_sample_boards': () => import('./migrations/001_sample_boards.ts') },
  register(ctx) {
    ctx.contribute(uiParts, { entry: new URL('./ui/index.tsx', import.meta.url) })
    ctx.contributeWith(commands, ctx => [demoCommand(ctx)])
  },
  routes(app, ctx) {
    demoRoutes(app, ctx)
    openRoute(app, ctx)
  }
})
