import { daysBefore } from '../../lib/util/days.ts'
import { job } from '../../core/api/contract.ts'
import { definePlugin } from '../../core/api/plugin.ts'
import { commands } from '../../core/api/points.ts'
import { mcpTools } from '../mcp/contract.ts'
import { guideFiles } from '../skills/contract.ts'
import { connectCommand } from './connect/command.ts'
import { connectRoutes } from './connect/routes.ts'
import { uiParts } from '../ui/contract.ts'
import { dependencies } from './context.ts'
import { hooks } from './contract.ts'
import { removeSessions } from './queries/sessions.ts'
import { reminderRoutes } from './reminders.ts'
import { hookRoutes } from './routes.ts'
import { tools } from './tools.ts'
import { noteWrites, writeEvents } from './writes.ts'

const forgetSessions = job<Record<string, never>>()(hooks, 'forgetSessions')

export default definePlugin(dependencies, {
  summary: 'Hooks for agents’ clients: issues in progress, and reminders to record progress',
  tables: { hookSession: 'workspace', hookSessionIssue: 'workspace', hookWrite: 'workspace' },
  migrations: {
    '001_hooks': () => import('./migrations/001_hooks.ts'),
    '002_writes': () => import('./migrations/002_writes.ts'),
    '003_told_at': () => import('./migrations/003_told_at.ts')
  },
  register(ctx) {
    ctx.contribute(uiParts, { entry: new URL('./ui/index.tsx', import.meta.url) })
    for (const tool of tools) ctx.contribute(mcpTools, tool)
    ctx.contribute(guideFiles, { folder: new URL('./guides/', import.meta.url), core: true })
    ctx.contribute(guideFiles, { folder: new URL('./guides/all/', import.meta.url) })
    ctx.contributeWith(commands, ctx => [connectCommand(ctx)])
    ctx.consume('writes', {
      events: writeEvents,
      batch: 1000,
      debounceMs: 1000,
      onGap: 'skip',
      handle: (events, ctx) => noteWrites(ctx, events)
    })
    ctx.work(forgetSessions, {}, async (_payloads, ctx) => {
      await removeSessions(ctx.db, daysBefore(ctx.now(), ctx.settings.sessionsKeepDays))
    })
    ctx.schedule(forgetSessions, '40 3 * * *')
  },
  async routes(app, ctx) {
    reminderRoutes(app, ctx)
    connectRoutes(app, ctx)
    // In a separate Fastify scope, because they accept input that other routes refuse.
    await app.register(async app => hookRoutes(app, ctx))
  }
})
