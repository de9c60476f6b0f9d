import { Type, type Static } from 'typebox'
import { definePlugin, type ContextOf } from '../../core/plugin.ts'
import { commands } from '../../core/points.ts'
import { Closed } from '../../core/schemas.ts'
import { mcp } from './contract.ts'
import { costCommand } from './cost.ts'
import { mcpRoutes } from './routes.ts'

const config = Closed({
  rateLimit: Type.Integer({
    default: 120,
    minimum: 0,
    description: 'Requests per token and window; `0` for no limit.'
  }),
  rateLimitWindowMs: Type.Integer({ default: 60_000, minimum: 1, description: 'The window, in milliseconds.' }),
  redisUrl: Type.Optional(
    Type.String({
      pattern: '^rediss?://',
      description: 'A Redis in which several replicas count together; without it each counts for itself.'
    })
  ),
  allowedOrigins: Type.Array(Type.String({ minLength: 1 }), {
    default: [],
    description: 'Host names of the web pages that may call the endpoint, beside those of this machine.'
  })
})

export type Ctx = ContextOf<typeof mcp, [], [], Static<typeof config>>

export default definePlugin({
  contract: mcp,
  summary: 'The tools of the other plugins for agents: a Model Context Protocol server at /v1/mcp',
  config,
  env: { MCP_RATE_LIMIT: 'rateLimit', MCP_RATE_LIMIT_WINDOW_MS: 'rateLimitWindowMs' },
  register(ctx) {
    ctx.contribute(commands, costCommand(ctx))
    return {}
  },
  routes: mcpRoutes
})
