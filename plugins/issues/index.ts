import { definePlugin, type ContextOf } from '../../core/plugin.ts'
import { useCounts, workspace } from '../workspace/contract.ts'
import { issueReferences, issues } from './contract.ts'
import { countIssues } from './queries/parts.ts'
import { findIssue } from './queries/read.ts'
import { issueRoutes } from './routes.ts'
import { makeUpdates } from './update.ts'

export type Ctx = ContextOf<typeof issues, [typeof workspace]>

export default definePlugin({
  contract: issues,
  summary: 'Issues: keys, history, relations, sub-issues, links, criteria, pick-up, the board and the context',
  requires: [workspace],
  migrations: async () => ({ '001_issues': await import('./migrations/001_issues.ts') }),
  register (ctx) {
    ctx.contribute(useCounts, (workspaceId, what, id) => countIssues(ctx.db, workspaceId, what === 'team' ? 'teamId' : 'stateId', id))
    return {
      find: findIssue,
      setState: (trx, principal, issueId, stateId) => makeUpdates(ctx, ctx.contributions(issueReferences)).patch(trx, principal, issueId, { stateId })
    }
  },
  routes: issueRoutes
})
