import { Type } from 'typebox'
import { definePlugin, job, type ContextOf } from '../../core/plugin.ts'
import { commands, healthChecks } from '../../core/points.ts'
import { commentChanged, comments } from '../comments/contract.ts'
import { embeddings } from '../embeddings/contract.ts'
import { issueChanged, issues } from '../issues/contract.ts'
import { mcpInstructions, mcpTools } from '../mcp/contract.ts'
import { guideFiles } from '../skills/contract.ts'
import { workspace } from '../workspace/contract.ts'
import { reindexCommand } from './commands.ts'
import { search } from './contract.ts'
import { indexChanges, reindex } from './issue-index.ts'
import { DEFAULT_SHARE, makeTextIndex } from './meaning.ts'
import { searchRoutes } from './routes.ts'
import { tools } from './tools.ts'

const config = Type.Object(
  {
    priors: Type.Optional(
      Type.Boolean({
        default: true,
        description: 'Whether common labels and projects, and closeness in time, count when similar issues are ranked.'
      })
    ),
    collapse: Type.Optional(
      Type.Boolean({ default: true, description: 'Whether an issue is found through the known duplicates of it.' })
    ),
    meaning: Type.Optional(
      Type.Number({
        default: DEFAULT_SHARE,
        minimum: 0,
        description: 'What closeness in meaning counts, where the best match by words counts 1.'
      })
    )
  },
  { additionalProperties: false }
)

export type Ctx = ContextOf<
  typeof search,
  [typeof workspace, typeof issues, typeof comments],
  [typeof embeddings],
  { priors?: boolean; collapse?: boolean; meaning?: number }
>

/** Issues from before the plugin was on. */
const indexMissing = job<Record<string, never>>('search.indexMissing', { keyed: true })
/** Changes often come several at once, and again to the same issue. Indexing gives way to whoever goes on writing. */
const CHANGES = { batch: 1000, gatherSeconds: 0.25, patienceSeconds: 4 }

export default definePlugin({
  contract: search,
  summary: 'Search over titles, descriptions and comments; similar issues, and how they were resolved',
  requires: [workspace, issues, comments],
  optional: [embeddings],
  config,
  migrations: async () => ({
    '001_search': await import('./migrations/001_search.ts'),
    '002_cheap_changes': await import('./migrations/002_cheap_changes.ts'),
    '003_key_by_id': await import('./migrations/003_key_by_id.ts')
  }),
  register(ctx) {
    ctx.on(issueChanged, CHANGES, changes => indexChanges(ctx, changes))
    ctx.on(commentChanged, CHANGES, changes => indexChanges(ctx, changes))
    ctx.work(indexMissing, {}, () => reindex(ctx, 'missing'))
    ctx.onStart(() => ctx.enqueue(ctx.db, indexMissing, [{}], { key: 'all' }))
    ctx.contribute(commands, reindexCommand(ctx))
    // Who operates it sees that hits come from words, not from meaning.
    if (!ctx.use.embeddings) {
      ctx.contribute(healthChecks, {
        name: 'embeddings',
        check: async () => ({ ready: true, state: 'off', model: null, backlog: 0 })
      })
    }
    for (const tool of tools) ctx.contribute(mcpTools, tool)
    ctx.contribute(mcpInstructions, {
      at: 'start',
      scope: 'read',
      sentence: 'Look how similar tasks were solved (find_similar_tasks), before you file or solve one.'
    })
    ctx.contribute(guideFiles, { folder: new URL('./guides/', import.meta.url) })
    return { textIndex: makeTextIndex(ctx) }
  },
  routes: searchRoutes
})
