import type { Actor } from '../../../core/api/contract.ts'
import type { Id } from '../../../core/api/database/types.ts'
import type { Ctx } from '../context.ts'
import { issueChanges, type DescriptionChange, type IssueChanges } from '../contract.ts'
import { descriptionMarkdownOf } from '../queries/write/write.ts'
import type { Trx } from './writer.ts'

/** The plugins that take part in changes of issues. */
const participants = (ctx: Ctx): IssueChanges[] => ctx.contributions(issueChanges).map(({ item }) => item)

export const takesEvidence = (ctx: Ctx): boolean => participants(ctx).some(each => each.takesEvidence)

export async function afterFiling(ctx: Ctx, ...of: Parameters<IssueChanges['filed']>): Promise<void> {
  for (const each of participants(ctx)) await each.filed(...of)
}

/** @returns what is to be called after the description was written */
export async function beforeDescription(
  ctx: Ctx,
  caller: Actor,
  trx: Trx,
  issueId: Id,
  change: DescriptionChange
): Promise<() => Promise<void>> {
  const after: Array<() => Promise<void>> = []
  const readFormer = () => descriptionMarkdownOf(trx, caller.workspaceId, issueId)
  for (const each of participants(ctx)) after.push(await each.describe(caller, trx, issueId, change, readFormer))
  return async () => {
    for (const finish of after) await finish()
  }
}

/** @returns what an override has passed over */
export async function afterCompletion(
  ctx: Ctx,
  ...of: Parameters<IssueChanges['complete']>
): Promise<string | undefined> {
  const overridden: string[] = []
  for (const each of participants(ctx)) {
    const reason = await each.complete(...of)
    if (reason !== undefined) overridden.push(reason)
  }
  return overridden.join('; ') || undefined
}

/** @returns whether the other team may not let the issue be completed */
export async function beforeMove(ctx: Ctx, ...of: Parameters<IssueChanges['move']>): Promise<boolean> {
  let isStricter = false
  for (const each of participants(ctx)) isStricter = (await each.move(...of)) || isStricter
  return isStricter
}

export async function whyNotCompleted(
  ctx: Ctx,
  ...of: Parameters<IssueChanges['whyNotCompleted']>
): Promise<string | undefined> {
  for (const each of participants(ctx)) {
    const reason = await each.whyNotCompleted(...of)
    if (reason !== undefined) return reason
  }
  return undefined
}
