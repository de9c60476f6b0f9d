import { Type } from 'typebox'
import { job, type Caller } from '../../../core/api/contract.ts'
import type { DatabaseHandle, Id } from '../../../core/api/database/types.ts'
import { Nullable } from '../../../core/api/schemas.ts'
import { valueField } from '../../issues/contract.ts'
import { dollars, type Sums } from '../../usage/contract.ts'
import type { Ctx } from '../context.ts'
import { delegation } from '../contract.ts'
import { budgetOfIssue } from '../queries/budgets.ts'
import type { RunName } from '../queries/runs.ts'

export const endOverBudget = job<RunName>()(delegation, 'endOverBudget', { keyed: true })

const Budget = Type.Number({
  minimum: 0,
  maximum: 1_000_000,
  description: 'Dollars that the work on it may cost: a run that reaches them is ended. Only people set it.'
})
export const budgetField = valueField({
  key: 'budgetUsd',
  column: 'budget_usd',
  type: 'float8',
  input: Nullable(Budget),
  isSetByPeople: true,
  shown: Nullable(Type.Number()),
  isNullable: true,
  transfer: Type.Optional(Budget)
})

/** True if a budget in dollars holds for runs on an issue, and so needs their cost. */
export async function hasDollarBudget({ settings }: Ctx, caller: Caller, db: DatabaseHandle, issueId: Id) {
  const { perRunUsd, perIssueUsd, perDayUsd } = settings.budget
  if ([perRunUsd, perIssueUsd, perDayUsd].some(budget => budget !== undefined)) return true
  return (await budgetOfIssue(db, caller.workspaceId, issueId)) !== null
}

/**
 * A sentence about the budget that the work on an issue has reached; undefined: none.
 * @param runId the run whose own budgets count, too
 */
export async function budgetReached(
  ctx: Ctx,
  caller: Caller,
  db: DatabaseHandle,
  { issueId, runId }: { issueId: Id; runId?: Id }
): Promise<string | undefined> {
  const { usage } = ctx.use
  if (!usage) return undefined
  const { perRunUsd, perRunTokens, perIssueUsd } = ctx.settings.budget
  if (runId !== undefined && (perRunUsd !== undefined || perRunTokens !== undefined)) {
    const spent = await usage.spent(caller, db, { runId })
    const tokens = spent.inputTokens + spent.outputTokens
    if (isReached(spent, perRunUsd)) return reached('The run', spent, perRunUsd, 'plugins.delegation.budget.perRunUsd')
    if (perRunTokens !== undefined && tokens >= perRunTokens) {
      return `The run has used ${tokens} of ${perRunTokens} tokens (plugins.delegation.budget.perRunTokens).`
    }
  }
  const ownBudget = await budgetOfIssue(db, caller.workspaceId, issueId)
  const issueBudget = ownBudget ?? perIssueUsd
  if (issueBudget !== undefined) {
    const spent = await usage.spent(caller, db, { issueId })
    const name = ownBudget === null ? 'plugins.delegation.budget.perIssueUsd' : 'its budgetUsd'
    if (isReached(spent, issueBudget)) return reached('The issue', spent, issueBudget, name)
  }
  return dayBudgetReached(ctx, caller, db)
}

export async function dayBudgetReached(
  { settings, use, now }: Ctx,
  caller: Caller,
  db: DatabaseHandle
): Promise<string | undefined> {
  const { perDayUsd } = settings.budget
  if (!use.usage || perDayUsd === undefined) return undefined
  const spent = await use.usage.spent(caller, db, { runsSince: new Date(`${now().toISOString().slice(0, 10)}T00:00Z`) })
  if (!isReached(spent, perDayUsd)) return undefined
  return reached('The day', spent, perDayUsd, 'plugins.delegation.budget.perDayUsd')
}

const isReached = ({ costUsd }: Sums, budget: number | undefined): budget is number =>
  budget !== undefined && costUsd !== undefined && costUsd >= budget

const reached = (subject: string, { costUsd = 0 }: Sums, budget: number, name: string): string =>
  `${subject} has cost ${dollars(costUsd)} of ${dollars(budget)} (${name}).`
