import { definePlugin } from '../../core/api/plugin.ts'
import { commands } from '../../core/api/points.ts'
import { dependencies } from './context.ts'
import { costCommand } from './cost.ts'
import { mcpRoutes } from './routes.ts'

export default definePlugin(dependencies, {
  summary: 'The tools of the other plugins for agents: a Model Context Protocol server at /v1/mcp',
  env: { MCP_RATE_LIMIT: 'rateLimit', MCP_RATE_LIMIT_WINDOW_MS: 'rateLimitWindowMs' },
  register(ctx) {
    ctx.contributeWith(commands, ctx => [costCommand(ctx)])
  },
  routes: mcpRoutes
})
