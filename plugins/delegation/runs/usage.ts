import type { Caller } from '../../../core/api/contract.ts'
import type { TransactionHandle } from '../../../core/api/database/types.ts'
import type { Report, UsageOfRuns } from '../../usage/contract.ts'
import { runOfToken } from '../confinement.ts'
import type { Ctx, Trx } from '../context.ts'
import { activeRunOf, hasNote } from '../queries/budgets.ts'
import { addNote } from './transitions.ts'
import { budgetReached, endOverBudget, hasDollarBudget } from '../usage/budgets.ts'

const UNKNOWN_COST =
  'What it costs is unknown: its client says no cost, and plugins.delegation.prices has no price of its model. ' +
  'Of the budgets only perRunTokens holds.'

export const usageOfRunsHere = (ctx: Ctx): UsageOfRuns => ({
  prices: ctx.settings.prices,
  runOf: ({ confinedTo }) => confinedTo && runOfToken(confinedTo),
  reported: (caller, trx, report, isCostKnown) => followReport(ctx, caller, trx, report, isCostKnown)
})

/** Ends the run on the issue of a report when it has reached a budget, after the commit. */
async function followReport(
  ctx: Ctx,
  caller: Caller,
  handle: TransactionHandle,
  { issueId }: Report,
  isCostKnown: boolean
): Promise<void> {
  if (issueId === null) return
  const { workspaceId } = caller
  const trx: Trx = handle
  const id = await activeRunOf(trx, workspaceId, issueId)
  if (id === undefined) return
  const run = { workspaceId, id }
  if (!isCostKnown && (await hasDollarBudget(ctx, caller, trx, issueId))) {
    if (!(await hasNote(trx, workspaceId, id, UNKNOWN_COST))) await addNote(ctx, trx, run, UNKNOWN_COST)
  }
  if ((await budgetReached(ctx, caller, trx, { issueId, runId: id })) === undefined) return
  await ctx.enqueue(trx, endOverBudget, [run], { key: id })
}
