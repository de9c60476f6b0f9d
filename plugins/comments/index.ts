import { definePlugin, type ContextOf } from '../../core/plugin.ts'
import { lastWrites } from '../hooks/contract.ts'
import { contextSections, issues } from '../issues/contract.ts'
import { mcpInstructions, mcpTools } from '../mcp/contract.ts'
import { guideFiles } from '../skills/contract.ts'
import { recordKinds } from '../transfer/contract.ts'
import { workspace } from '../workspace/contract.ts'
import { comments } from './contract.ts'
import { contextComments, lastCommentBy } from './queries.ts'
import { commentRoutes } from './routes.ts'
import { tools } from './tools.ts'
import { commentRecords } from './transfer.ts'

export type Ctx = ContextOf<typeof comments, [typeof workspace, typeof issues]>

export default definePlugin({
  contract: comments,
  summary: 'Comments on issues, with replies; a resolution and the closing in one transaction',
  requires: [workspace, issues],
  migrations: async () => ({ '001_comments': await import('./migrations/001_comments.ts') }),
  register(ctx) {
    ctx.contribute(contextSections, { name: 'comments', json: contextComments })
    ctx.contribute(lastWrites, lastCommentBy)
    ctx.contribute(recordKinds, commentRecords(ctx))
    for (const tool of tools) ctx.contribute(mcpTools, tool)
    ctx.contribute(mcpInstructions, {
      at: 'end',
      scope: 'write',
      sentence: 'Close a task with its resolution: what was wrong, what was done (close_task).'
    })
    ctx.contribute(guideFiles, { folder: new URL('./guides/', import.meta.url) })
    return {}
  },
  routes: commentRoutes
})
