import type { CopyFields } from '../../issues/ui/contract.ts'
import { cyclesQuery } from './data.ts'

/** A closed cycle takes no issues. */
export const copyPlan: CopyFields = async ({ projectId = null, milestoneId = null, cycleId = null }, client) => {
  const cycles = cycleId === null ? [] : await client.fetchQuery(cyclesQuery)
  const isOpen = cycles.some(({ id, closedAt }) => id === cycleId && closedAt === undefined)
  return { projectId, milestoneId, cycleId: isOpen ? cycleId : null }
}
