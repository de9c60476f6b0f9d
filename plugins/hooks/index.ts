import { definePlugin, job, type ContextOf } from '../../core/plugin.ts'
import { commands } from '../../core/points.ts'
import { issues } from '../issues/contract.ts'
import { mcp, mcpTools } from '../mcp/contract.ts'
import { guideFiles } from '../skills/contract.ts'
import { workspace } from '../workspace/contract.ts'
import { connectCommand } from './connect/command.ts'
import { hooks } from './contract.ts'
import { removeSessions } from './queries.ts'
import { hookRoutes } from './routes.ts'
import { tools } from './tools.ts'

export type Ctx = ContextOf<typeof hooks, [typeof workspace, typeof issues], [typeof mcp]>

const DAY = 24 * 3600 * 1000
/** Days without an event after which a session is forgotten; should it go on, it begins anew. */
const KEEP_DAYS = 30
const forgetSessions = job<Record<string, never>>('hooks.forgetSessions')

export default definePlugin({
  contract: hooks,
  summary: 'Hooks for agents’ clients: what is in progress, and a reminder to record where it stands',
  requires: [workspace, issues],
  optional: [mcp],
  migrations: async () => ({ '001_hooks': await import('./migrations/001_hooks.ts') }),
  register(ctx) {
    for (const tool of tools) ctx.contribute(mcpTools, tool)
    ctx.contribute(guideFiles, { folder: new URL('./guides/', import.meta.url) })
    ctx.contribute(commands, connectCommand(ctx))
    ctx.work(forgetSessions, {}, async () => {
      await removeSessions(ctx.db, new Date(ctx.now().getTime() - KEEP_DAYS * DAY))
    })
    ctx.schedule(forgetSessions, '40 3 * * *')
    return {}
  },
  routes: hookRoutes
})
