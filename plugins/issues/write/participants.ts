import type { RawBuilder } from 'kysely'
import type { Actor } from '../../../core/api/contract.ts'
import type { Id } from '../../../core/api/database/types.ts'
import type { Ctx, Trx } from '../context.ts'
import { issueChanges, type ActiveHolder, type DescriptionChange, type IssueChanges } from '../contract.ts'
import type { OtherHolder, PendingChange } from '../issue-changes.ts'
import { descriptionMarkdownOf } from '../queries/write/write.ts'

type Of<Name extends keyof IssueChanges> = Parameters<Extract<IssueChanges[Name], (...args: never[]) => unknown>>

const participants = (ctx: Ctx): IssueChanges[] => ctx.contributions(issueChanges).map(({ item }) => item)

/** The parts of requests and answers that depend on the plugins that take part. */
export interface ChangeParts {
  takesEvidence: boolean
  keepsHolders: boolean
}
export const changePartsOf = (ctx: Ctx): ChangeParts => ({
  takesEvidence: participants(ctx).some(each => each.takesEvidence),
  keepsHolders: participants(ctx).some(each => each.keepsHolders)
})

export async function afterFiling(ctx: Ctx, ...of: Of<'filed'>): Promise<void> {
  for (const each of participants(ctx)) await each.filed?.(...of)
}

interface PendingChanges {
  /** In the order of the participants. */
  returned: ReadonlyArray<RawBuilder<unknown>>
  after(written: { key: string; returned: readonly unknown[] } | undefined): Promise<OtherHolder | undefined>
}
export async function beforeChange(ctx: Ctx, ...of: Of<'change'>): Promise<PendingChanges> {
  const pending: PendingChange[] = []
  for (const each of participants(ctx)) if (each.change) pending.push(await each.change(...of))
  return {
    returned: pending.map(({ returned }) => returned),
    async after(written) {
      let holder: OtherHolder | undefined
      for (const [n, each] of pending.entries()) {
        holder = (await each.after(written && { key: written.key, returned: written.returned[n] })) ?? holder
      }
      return holder
    }
  }
}

/** @throws as `beforeChange` */
export const assertMayChange = async (ctx: Ctx, caller: Actor, trx: Trx, issueId: Id): Promise<void> => {
  await beforeChange(ctx, caller, trx, issueId, { isPickUp: false, isPart: false, takeover: true })
}

export async function beforePart(ctx: Ctx, ...of: Of<'writePart'>): Promise<void> {
  for (const each of participants(ctx)) await each.writePart?.(...of)
}

export async function afterMoves(ctx: Ctx, ...of: Of<'moved'>): Promise<void> {
  for (const each of participants(ctx)) await each.moved?.(...of)
}

export async function afterPurge(ctx: Ctx, ...of: Of<'purged'>): Promise<void> {
  for (const each of participants(ctx)) await each.purged?.(...of)
}

export async function holderOf(ctx: Ctx, ...of: Of<'holderOf'>): Promise<ActiveHolder | undefined> {
  for (const each of participants(ctx)) {
    const holder = await each.holderOf?.(...of)
    if (holder !== undefined) return holder
  }
  return undefined
}

/** @returns a function to call after the description was written */
export async function beforeDescription(
  ctx: Ctx,
  caller: Actor,
  trx: Trx,
  issueId: Id,
  change: DescriptionChange
): Promise<() => Promise<void>> {
  const after: Array<(() => Promise<void>) | undefined> = []
  const readFormer = () => descriptionMarkdownOf(trx, caller.workspaceId, issueId)
  for (const each of participants(ctx)) after.push(await each.describe?.(caller, trx, issueId, change, readFormer))
  return async () => {
    for (const finish of after) await finish?.()
  }
}

/** @returns the checks that an override has skipped; undefined: none */
export async function afterCompletion(ctx: Ctx, ...of: Of<'complete'>): Promise<string | undefined> {
  const overridden: string[] = []
  for (const each of participants(ctx)) {
    const reason = await each.complete?.(...of)
    if (reason !== undefined) overridden.push(reason)
  }
  return overridden.join('; ') || undefined
}

/** @returns true if the other team has stricter rules for completed issues */
export async function beforeMove(ctx: Ctx, ...of: Of<'move'>): Promise<boolean> {
  let isStricter = false
  for (const each of participants(ctx)) isStricter = (await each.move?.(...of)) || isStricter
  return isStricter
}

export async function whyNotCompleted(ctx: Ctx, ...of: Of<'whyNotCompleted'>): Promise<string | undefined> {
  for (const each of participants(ctx)) {
    const reason = await each.whyNotCompleted?.(...of)
    if (reason !== undefined) return reason
  }
  return undefined
}
