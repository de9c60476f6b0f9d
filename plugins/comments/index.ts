import { definePlugin, type ContextOf } from '../../core/plugin.ts'
import { contextSections, issues } from '../issues/contract.ts'
import { workspace } from '../workspace/contract.ts'
import { comments } from './contract.ts'
import { contextComments } from './queries.ts'
import { commentRoutes } from './routes.ts'

export type Ctx = ContextOf<typeof comments, [typeof workspace, typeof issues]>

export default definePlugin({
  contract: comments,
  summary: 'Comments on issues, with replies; a resolution and the closing in one transaction',
  requires: [workspace, issues],
  migrations: async () => ({ '001_comments': await import('./migrations/001_comments.ts') }),
  register (ctx) {
    ctx.contribute(contextSections, { name: 'comments', json: contextComments })
    return {}
  },
  routes: commentRoutes
})
