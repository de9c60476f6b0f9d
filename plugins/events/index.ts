import { definePlugin } from '../../core/api/plugin.ts'
import { commands, eventCursors, metrics, problems } from '../../core/api/points.ts'
import { eventsCommand } from './command.ts'
import { dependencies } from './context.ts'
import { cursorExpired } from './contract.ts'
import { currentCursor } from './cursor.ts'
import { openStreams } from './metrics.ts'
import { eventRoutes } from './routes.ts'

export default definePlugin(dependencies, {
  summary: 'Events: pages of the event log, streams that show changes at once, and a command that prints the log',
  register(ctx) {
    ctx.contribute(problems, cursorExpired)
    ctx.contributeWith(commands, ctx => [eventsCommand(ctx)])
    ctx.contributeWith(eventCursors, ctx => [() => currentCursor(ctx)])
    ctx.contributeWith(metrics, ctx => [registry => registry.registerMetric(ctx.get(openStreams))])
  },
  routes: eventRoutes
})
