import { definePlugin } from '../../core/plugin.ts'
import { eventTypes } from '../../core/points.ts'
import { writeScope } from '../../core/scopes.ts'
import { mcpInstructions, mcpTools } from '../mcp/contract.ts'
import { guideFiles } from '../skills/contract.ts'
import { recordKinds } from '../transfer/contract.ts'
import { categoryChanges, useCounts } from '../workspace/contract.ts'
import { uiParts } from '../ui/contract.ts'
import { dependencies } from './context.ts'
import { issueCreated, issueDeleted, issueUpdated } from './contract.ts'
import { countIssues } from './queries/parts.ts'
import { issueRoutes } from './routes.ts'
import { recategorizeIssues } from './moves.ts'
import { allIssueFields, issueServices } from './service.ts'
import { tools } from './tools.ts'
import { issueRecords } from './transfer.ts'
import { issueKeyRecords, lastNumberRecords } from './transfer-keys.ts'
import { relationRecords } from './transfer-relations.ts'

export default definePlugin(dependencies, {
  summary: 'Issues: keys, history, relations, sub-issues, links, criteria, pick-up, the board and the context',
  tables: {
    issue: 'workspace',
    issueLabel: 'workspace',
    issueRelation: 'workspace',
    issueLink: 'workspace',
    issueChange: 'workspace',
    issueFormerKey: 'workspace',
    issueOldKey: 'workspace',
    issueKeyReservation: 'workspace',
    issueCounter: 'workspace',
    issueTally: 'workspace'
  },
  migrations: async () => ({
    '001_issues': await import('./migrations/001_issues.ts'),
    '002_tally_order': await import('./migrations/002_tally_order.ts'),
    '003_listing_order': await import('./migrations/003_listing_order.ts'),
    '004_description_bytes': await import('./migrations/004_description_bytes.ts'),
    '005_imported_keys': await import('./migrations/005_imported_keys.ts'),
    '006_git_links': await import('./migrations/006_git_links.ts')
  }),
  register(ctx) {
    ctx.contribute(uiParts, { entry: new URL('./ui/index.tsx', import.meta.url) })
    for (const type of [issueCreated, issueUpdated, issueDeleted]) ctx.contribute(eventTypes, type)
    ctx.contribute(useCounts, (db, workspaceId, what, id) =>
      countIssues(db, workspaceId, what === 'team' ? 'teamId' : 'stateId', id)
    )
    ctx.contributeWith(categoryChanges, ctx => [
      (caller, trx, change) => recategorizeIssues({ ctx, fields: allIssueFields(ctx) }, trx, caller, change)
    ])
    ctx.contributeWith(recordKinds, ctx => [
      issueKeyRecords,
      issueRecords(ctx),
      relationRecords(ctx),
      lastNumberRecords
    ])
    ctx.contributeWith(mcpTools, ctx => tools(allIssueFields(ctx)))
    ctx.contribute(mcpInstructions, {
      at: 'start',
      scope: writeScope,
      sentence: 'Pick a task up (pick_up_task) before the first edit.'
    })
    ctx.contribute(mcpInstructions, {
      at: 'work',
      scope: writeScope,
      sentence: 'Tick each acceptance criterion as soon as it is met (update_task, met).'
    })
    ctx.contribute(guideFiles, {
      folder: new URL('./guides/', import.meta.url),
      instructions: 'tracker-instructions'
    })
  },
  services: issueServices,
  routes: issueRoutes
})
