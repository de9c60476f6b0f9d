import { job } from '../../core/api/contract.ts'
import { definePlugin } from '../../core/api/plugin.ts'
import { commands } from '../../core/api/points.ts'
import { readScope } from '../../core/api/scopes.ts'
import { commentCreated, commentDeleted, commentUpdated } from '../comments/contract.ts'
import { contextSections, issueCreated, issueDeleted, issueUpdated, similarFinders } from '../issues/contract.ts'
import { mcpInstructions, mcpTools } from '../mcp/contract.ts'
import { guideFiles } from '../skills/contract.ts'
import { makeSimilarFinder } from './at-creation.ts'
import { reindexCommand } from './commands.ts'
import { uiParts } from '../ui/contract.ts'
import { dependencies } from './context.ts'
import { search } from './contract.ts'
import { makeSolved } from './hits.ts'
import { indexChanges, reindex } from './issue-index.ts'
import { makeTextIndexService } from './meaning.ts'
import { forgetSimilar, hasSimilar, similarJson } from './queries/names.ts'
import { searchRoutes } from './routes.ts'
import { tools } from './tools.ts'

/** Indexes issues that are missing, or indexed by older tokens, or only in part: by servers without embeddings. */
const indexMissing = job<Record<string, never>>()(search, 'indexMissing', { keyed: true })
/** After `SIMILAR_RETENTION_MS`. */
const forgetOldSimilar = job<Record<string, never>>()(search, 'forgetSimilar', { keyed: true })
const SIMILAR_RETENTION_MS = 86_400_000

export default definePlugin(dependencies, {
  summary: 'Search over titles, descriptions and comments; similar issues, and how they were resolved',
  tables: {
    searchDocument: 'workspace',
    searchPool: 'workspace',
    searchTerm: 'workspace',
    issueResolution: 'workspace',
    issueSimilar: 'workspace',
    searchReindex: 'workspace',
    searchTimeline: 'workspace'
  },
  migrations: {
    '001_search': () => import('./migrations/001_search.ts'),
    '002_cheap_changes': () => import('./migrations/002_cheap_changes.ts'),
    '003_key_by_id': () => import('./migrations/003_key_by_id.ts'),
    '004_timeline': () => import('./migrations/004_timeline.ts'),
    '005_similar': () => import('./migrations/005_similar.ts'),
    '006_tokens_version': () => import('./migrations/006_tokens_version.ts')
  },
  register(ctx) {
    ctx.contribute(uiParts, { entry: new URL('./ui/index.tsx', import.meta.url) })
    ctx.consume('index', {
      events: [issueCreated, issueUpdated, issueDeleted, commentCreated, commentUpdated, commentDeleted],
      // Changes often come in groups, and to the same issue: indexing waits for a pause in the writes.
      batch: 1000,
      debounceMs: 250,
      maxQuietWaitMs: 4_000,
      onGap: { rebuild: ctx => reindex(ctx, 'changed') },
      handle: (changes, ctx) =>
        indexChanges(
          ctx,
          changes.flatMap(({ workspaceId, parentId }) =>
            parentId === null ? [] : [{ workspaceId, issueId: parentId }]
          )
        )
    })
    ctx.work(indexMissing, {}, (_payloads, ctx) => reindex(ctx, 'missing'))
    ctx.onStart(ctx => ctx.enqueue('now', indexMissing, [{}], { key: 'all' }))
    // A replica without embeddings may have taken the job: while they are turned on, there are both kinds.
    ctx.schedule(indexMissing, '40 3 * * *')
    ctx.contributeWith(similarFinders, ctx => [makeSimilarFinder(ctx)])
    ctx.contribute(contextSections, { name: 'similar', json: similarJson, onlyIf: hasSimilar })
    ctx.work(forgetOldSimilar, {}, (_payloads, ctx) =>
      ctx.transaction(trx => forgetSimilar(trx, new Date(ctx.now().getTime() - SIMILAR_RETENTION_MS)))
    )
    ctx.schedule(forgetOldSimilar, '10 * * * *')
    ctx.contributeWith(commands, ctx => [reindexCommand(ctx)])
    for (const tool of tools) ctx.contribute(mcpTools, tool)
    ctx.contribute(mcpInstructions, {
      at: 'start',
      scope: readScope,
      sentence: 'Look how similar tasks were solved (find_similar_tasks), before you file or solve one.'
    })
    ctx.contribute(guideFiles, { folder: new URL('./guides/', import.meta.url), core: true })
    ctx.contribute(guideFiles, { folder: new URL('./guides/all/', import.meta.url) })
  },
  services: ctx => ({ textIndex: makeTextIndexService(ctx), solved: makeSolved(ctx) }),
  routes: searchRoutes
})
