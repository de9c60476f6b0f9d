import { definePlugin, job, type ContextOf } from '../../core/plugin.ts'
import { issues } from '../issues/contract.ts'
import { mcpInstructions, mcpTools } from '../mcp/contract.ts'
import { projects } from '../projects/contract.ts'
import { search } from '../search/contract.ts'
import { guideFiles } from '../skills/contract.ts'
import { recordKinds } from '../transfer/contract.ts'
import { workspace } from '../workspace/contract.ts'
import { knowledge } from './contract.ts'
import { indexMissing } from './entry-index.ts'
import { knowledgeRoutes } from './routes.ts'
import { tools } from './tools.ts'
import { knowledgeRecords } from './transfer.ts'

export type Ctx = ContextOf<typeof knowledge, [typeof workspace, typeof issues, typeof projects, typeof search]>

/** Entries from before the embeddings were on. */
const indexEntries = job<Record<string, never>>('knowledge.indexEntries', { keyed: true })

export default definePlugin({
  contract: knowledge,
  summary: 'What was learnt: entries, their search, and what is worth knowing before a task',
  requires: [workspace, issues, projects, search],
  migrations: async () => ({ '001_knowledge': await import('./migrations/001_knowledge.ts') }),
  register(ctx) {
    ctx.work(indexEntries, {}, () => indexMissing(ctx))
    ctx.onStart(() => ctx.enqueue(ctx.db, indexEntries, [{}], { key: 'all' }))
    ctx.contribute(recordKinds, knowledgeRecords(ctx))
    for (const tool of tools) ctx.contribute(mcpTools, tool)
    ctx.contribute(mcpInstructions, {
      at: 'start',
      scope: 'read',
      sentence: 'Load what is known about a task (load_context).'
    })
    ctx.contribute(mcpInstructions, {
      at: 'end',
      scope: 'write',
      sentence: 'Store what you learnt, one fact at a time (remember).'
    })
    ctx.contribute(guideFiles, { folder: new URL('./guides/', import.meta.url) })
    return {}
  },
  routes: knowledgeRoutes
})
