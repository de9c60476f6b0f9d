import { definePlugin } from 'tracker/api'
import { mcpTools } from 'tracker/contracts/mcp'
import { dependencies } from './context.ts'
import { votesRoutes } from './routes.ts'
import { tools } from './tools.ts'

export default definePlugin(dependencies, {
  summary: 'Votes for issues',
  tables: { votesVote: 'workspace' },
  migrations: { '001_votes': () => import('./migrations/001_votes.ts') },
  register(ctx) {
    for (const tool of tools) ctx.contribute(mcpTools, tool)
  },
  routes: votesRoutes
})
