import { assertScope, readScope, writeScope } from '../../core/scopes.ts'
import { assertReach } from './confinement.ts'
import type { Ctx } from './context.ts'
import { contextSections, issueReferences, readyRules, rowSections, type IssuesServices } from './contract.ts'
import { lockIssues } from './queries/locks.ts'
import { findIssue, makeReads } from './queries/read.ts'
import { reasonsNotReady } from './readiness.ts'
import { makeUpdates } from './update.ts'

/** The changes of issues, for other plugins' events and requests. */
export const updatesOf = (ctx: Ctx) =>
  makeUpdates(
    ctx,
    ctx.contributions(issueReferences).map(({ item }) => item)
  )

/** What other plugins may ask of issues. */
export function issueServices(ctx: Ctx): IssuesServices {
  const references = ctx.contributions(issueReferences).map(({ item }) => item)
  const sections = ctx.contributions(contextSections).map(({ item }) => item)
  const rules = ctx.contributions(readyRules).map(({ item }) => item)
  const rows = ctx.contributions(rowSections).map(({ item }) => item)
  const reads = makeReads(references, sections, rows)
  const updates = updatesOf(ctx)
  return {
    find: ({ workspaceId }, db, ref) => findIssue(db, workspaceId, ref),
    lock: ({ workspaceId }, trx, issueIds) => lockIssues(trx, workspaceId, issueIds),
    reasonsNotReady: ({ workspaceId }, db, issueId, asker) => reasonsNotReady(db, workspaceId, issueId, asker, rules),
    async setState(caller, trx, issueId, stateId) {
      assertScope(caller, writeScope)
      await updates.setState(trx, caller, issueId, stateId)
    },
    async change(caller, trx, issueId, patch) {
      assertScope(caller, writeScope)
      await updates.patch(trx, caller, issueId, patch)
    },
    assertReach,
    async context(caller, db, ref) {
      assertScope(caller, readScope)
      return reads.context(db, caller.workspaceId, ref)
    },
    async pickUp(caller, issueId, { takeover = false } = {}) {
      assertScope(caller, writeScope)
      await ctx.transaction(trx => updates.pickUp(trx, caller, issueId, takeover))
    },
    references: () => references
  }
}
