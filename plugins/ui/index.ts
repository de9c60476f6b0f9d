import { definePlugin } from '../../core/api/plugin.ts'
import { commands, healthChecks } from '../../core/api/points.ts'
import { buildCommand } from './commands.ts'
import { dependencies } from './context.ts'
import { interfaceOf } from './interface.ts'
import { pageRoutes } from './routes.ts'

export default definePlugin(dependencies, {
  summary: 'The web interface, made of the parts of the plugins that are on',
  register(ctx) {
    ctx.contributeWith(commands, ctx => [buildCommand(ctx)])
    ctx.contributeWith(healthChecks, ctx => [async () => ({ state: ctx.get(interfaceOf).state })])
    // In the background: only requests for a page wait for it.
    ctx.onListen(ctx => {
      ctx
        .get(interfaceOf)
        .get()
        .catch(() => undefined)
    })
  },
  routes: pageRoutes
})
