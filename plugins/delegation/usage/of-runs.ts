import type { UsageOfRuns } from '../../usage/contract.ts'
import type { Ctx } from '../context.ts'
import { runOfToken } from '../confinement.ts'

/** What this plugin adds to reports of usage. */
export const usageOfRunsHere = ({ settings }: Ctx): UsageOfRuns => ({
  prices: settings.prices,
  runOf: ({ confinedTo }) => confinedTo && runOfToken(confinedTo)
})
