import { daysBefore } from '../../lib/util/days.ts'
import { job } from '../../core/api/contract.ts'
import { definePlugin } from '../../core/api/plugin.ts'
import { eventTypes, healthChecks, metrics } from '../../core/api/points.ts'
import { readScope, writeScope } from '../../core/api/scopes.ts'
import { fileSubjects, fileTexts } from '../files/contract.ts'
import { issueChanges, issueUpdated } from '../issues/contract.ts'
import { mcpInstructions, mcpToolArguments, mcpTools } from '../mcp/contract.ts'
import { guideFiles } from '../skills/contract.ts'
import { recordKinds } from '../transfer/contract.ts'
import { trashKinds } from '../trash/contract.ts'
import { uiParts } from '../ui/contract.ts'
import { dependencies } from './context.ts'
import { knowledge, knowledgeCreated, knowledgeDeleted, knowledgeMarked, knowledgeUpdated } from './contract.ts'
import { indexChanges, indexMissing } from './likeness/entry-index.ts'
import { describedAnew, followIssues } from './outcomes/follow.ts'
import { findEntry, namedEntries, textsOfEntries } from './queries/entries.ts'
import { removeServings } from './queries/servings.ts'
import { knowledgeRoutes } from './routes.ts'
import { knowledgeServices } from './service.ts'
import { servingsHealth, servingsMetrics } from './serving/servings.ts'
import { marksOfClosing, tools } from './tools.ts'
import { knowledgeRecords } from './transfer.ts'
import { knowledgeTrash } from './trash.ts'

/** Indexes entries that are missing, or only in part: by servers without embeddings. */
const indexEntries = job<Record<string, never>>()(knowledge, 'indexEntries', { keyed: true })
const forgetServings = job<Record<string, never>>()(knowledge, 'forgetServings')

export default definePlugin(dependencies, {
  summary: 'Knowledge: entries, their search, and the relevant ones for a task',
  tables: {
    knowledgeEntry: 'workspace',
    knowledgeServing: 'workspace',
    knowledgeMark: 'workspace',
    knowledgeOutcome: 'workspace'
  },
  migrations: {
    '001_knowledge': () => import('./migrations/001_knowledge.ts'),
    '002_serving_issue': () => import('./migrations/002_serving_issue.ts'),
    '003_servings_of_issue': () => import('./migrations/003_servings_of_issue.ts'),
    '004_servings_age': () => import('./migrations/004_servings_age.ts'),
    '005_trash': () => import('./migrations/005_trash.ts'),
    '006_outcomes': () => import('./migrations/006_outcomes.ts')
  },
  register(ctx) {
    ctx.contribute(uiParts, { entry: new URL('./ui/index.tsx', import.meta.url) })
    for (const type of [knowledgeCreated, knowledgeUpdated, knowledgeMarked, knowledgeDeleted]) {
      ctx.contribute(eventTypes, type)
    }
    ctx.contribute(fileTexts, textsOfEntries)
    ctx.contributeWith(fileSubjects, ({ db, now }) => [
      {
        type: 'knowledge',
        isReadable: async ({ workspaceId }, id) => (await findEntry(db, workspaceId, id, now())) !== undefined,
        named: namedEntries
      }
    ])
    ctx.consume('index', {
      events: [knowledgeCreated, knowledgeUpdated, knowledgeDeleted],
      debounceMs: 250,
      onGap: { rebuild: indexMissing },
      handle: (changes, ctx) => indexChanges(ctx, changes)
    })
    ctx.contribute(issueChanges, describedAnew())
    ctx.consume('outcomes', {
      events: [issueUpdated],
      debounceMs: 250,
      onGap: 'skip',
      handle: (events, ctx) => followIssues(ctx, events)
    })
    ctx.work(indexEntries, {}, (_payloads, ctx) => indexMissing(ctx))
    ctx.work(forgetServings, {}, (_payloads, { db, now, settings }) =>
      removeServings(db, daysBefore(now(), settings.servingsKeepDays))
    )
    ctx.schedule(forgetServings, '30 * * * *')
    ctx.onStart(ctx => ctx.enqueue('now', indexEntries, [{}], { key: 'all' }))
    ctx.schedule(indexEntries, '50 3 * * *')
    ctx.contributeWith(healthChecks, ctx => [() => servingsHealth(ctx)])
    ctx.contributeWith(metrics, ctx => [servingsMetrics(ctx)])
    ctx.contributeWith(trashKinds, ctx => [knowledgeTrash(ctx)])
    ctx.contributeWith(recordKinds, ctx => [knowledgeRecords(ctx)])
    for (const tool of tools) ctx.contribute(mcpTools, tool)
    ctx.contribute(mcpToolArguments, marksOfClosing)
    ctx.contribute(mcpInstructions, {
      at: 'start',
      scope: readScope,
      sentence: 'Load what is known about a task (load_context).'
    })
    ctx.contribute(mcpInstructions, {
      at: 'end',
      scope: writeScope,
      sentence: 'Store what you learnt, one fact at a time (remember).'
    })
    ctx.contribute(guideFiles, { folder: new URL('./guides/', import.meta.url) })
  },
  services: knowledgeServices,
  routes: knowledgeRoutes
})
