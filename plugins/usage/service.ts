import type { Ctx } from './context.ts'
import { usageOfRuns, type Prices, type Report, type UsageServices } from './contract.ts'
import { sumSpending, writeReport } from './queries.ts'

const PRICED_TOKENS = 1_000_000

export function usageServices(ctx: Ctx): UsageServices {
  const runs = ctx.contributions(usageOfRuns)[0]?.item
  return {
    async record(caller, trx, report) {
      const { workspaceId, accountId, tokenId } = caller
      const estimate = report.costUsd === undefined ? estimateOf(report, runs?.prices) : undefined
      const costUsd = report.costUsd ?? estimate
      const isEstimated = estimate !== undefined
      await writeReport(trx, workspaceId, { ...report, costUsd, tokenId, accountId, isEstimated }, ctx.now())
      await runs?.reported(caller, trx, report, costUsd !== undefined)
      if (costUsd === undefined) return { costUnknown: true }
      return { costUsd, ...(isEstimated && { estimated: true }) }
    },
    spent: ({ workspaceId }, db, of) => sumSpending(db, workspaceId, of)
  }
}

/** Undefined: the model has no price. */
function estimateOf(
  { model, inputTokens, outputTokens, cachedTokens }: Report,
  prices: Readonly<Record<string, Prices>> = {}
): number | undefined {
  const price = Object.hasOwn(prices, model) ? prices[model] : undefined
  if (price === undefined) return undefined
  const { inputUsd, outputUsd, cachedUsd = inputUsd } = price
  return (inputTokens * inputUsd + outputTokens * outputUsd + cachedTokens * cachedUsd) / PRICED_TOKENS
}
