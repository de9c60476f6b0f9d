import { definePlugin, type ContextOf } from '../../core/plugin.ts'
import { mcpInstructions, mcpTools } from '../mcp/contract.ts'
import { guideFiles } from '../skills/contract.ts'
import { recordKinds } from '../transfer/contract.ts'
import { categoryChanges, useCounts, workspace } from '../workspace/contract.ts'
import { issueReferences, issues } from './contract.ts'
import { lockIssues } from './queries/locks.ts'
import { countIssues } from './queries/parts.ts'
import { findIssue } from './queries/read.ts'
import { issueRoutes } from './routes.ts'
import { tools } from './tools.ts'
import { issueRecords, lastNumberRecords, relationRecords } from './transfer.ts'
import { makeUpdates } from './update.ts'

export type Ctx = ContextOf<typeof issues, [typeof workspace]>

export default definePlugin({
  contract: issues,
  summary: 'Issues: keys, history, relations, sub-issues, links, criteria, pick-up, the board and the context',
  requires: [workspace],
  migrations: async () => ({
    '001_issues': await import('./migrations/001_issues.ts'),
    '002_tally_order': await import('./migrations/002_tally_order.ts'),
    '003_listing_order': await import('./migrations/003_listing_order.ts')
  }),
  register(ctx) {
    ctx.contribute(useCounts, (db, workspaceId, what, id) =>
      countIssues(db, workspaceId, what === 'team' ? 'teamId' : 'stateId', id)
    )
    ctx.contribute(categoryChanges, (trx, principal, change) =>
      makeUpdates(ctx, ctx.contributions(issueReferences)).recategorize(trx, principal, change)
    )
    for (const records of [issueRecords(ctx), relationRecords(ctx), lastNumberRecords]) {
      ctx.contribute(recordKinds, records)
    }
    for (const tool of tools) ctx.contribute(mcpTools, tool)
    ctx.contribute(mcpInstructions, {
      at: 'start',
      scope: 'write',
      sentence: 'Pick a task up (pick_up_task) before the first edit.'
    })
    ctx.contribute(mcpInstructions, {
      at: 'work',
      scope: 'write',
      sentence: 'Tick each acceptance criterion as soon as it is met (update_task, met).'
    })
    ctx.contribute(guideFiles, {
      folder: new URL('./guides/', import.meta.url),
      instructions: 'working-tracker-issues'
    })
    return {
      find: findIssue,
      lock: lockIssues,
      setState: (trx, principal, issueId, stateId) =>
        makeUpdates(ctx, ctx.contributions(issueReferences)).setState(trx, principal, issueId, stateId)
    }
  },
  routes: issueRoutes
})
