import type { Ctx } from '../context.ts'
import { issueChanges } from '../contract.ts'
import { findTeamWithRule } from '../queries/read/parts.ts'

export async function warnOfUnenforcedRules(ctx: Ctx): Promise<void> {
  if (ctx.contributions(issueChanges).some(({ item }) => item.complete !== undefined)) return
  const team = await findTeamWithRule(ctx.db)
  if (team === undefined) return
  ctx.log.warn(
    `The team ${team.identifier} has a rule for completing issues, which is kept and not enforced: turn the plugin ` +
      'proof on to enforce such rules.'
  )
}
