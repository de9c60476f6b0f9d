import type { RawBuilder } from 'kysely'
import type { Actor } from '../../../core/api/contract.ts'
import type { Id } from '../../../core/api/database/types.ts'
import type { Ctx, Trx } from '../context.ts'
import { issueChanges, type DescriptionChange, type IssueChanges } from '../contract.ts'
import type { OtherHolder, PendingChange } from '../issue-changes.ts'
import { descriptionMarkdownOf } from '../queries/write/write.ts'

type Of<Name extends keyof IssueChanges> = Parameters<Extract<IssueChanges[Name], (...args: never[]) => unknown>>

const participants = (ctx: Ctx): IssueChanges[] => ctx.contributions(issueChanges).map(({ item }) => item)

export interface ChangeParts {
  takesEvidence: boolean
  keepsHolders: boolean
}
export const changePartsOf = (ctx: Ctx): ChangeParts => ({
  takesEvidence: participants(ctx).some(each => each.takesEvidence),
  keepsHolders: participants(ctx).some(each => each.keepsHolders)
})

const eachOf =
  <A extends unknown[]>(call: (each: IssueChanges, ...of: A) => Promise<void> | undefined) =>
  async (ctx: Ctx, ...of: A): Promise<void> => {
    for (const each of participants(ctx)) await call(each, ...of)
  }
const firstOf =
  <A extends unknown[], R>(call: (each: IssueChanges, ...of: A) => Promise<R | undefined> | undefined) =>
  async (ctx: Ctx, ...of: A): Promise<R | undefined> => {
    for (const each of participants(ctx)) {
      const answer = await call(each, ...of)
      if (answer !== undefined) return answer
    }
    return undefined
  }

export const afterFiling = eachOf((each, ...of: Of<'filed'>) => each.filed?.(...of))
export const beforePart = eachOf((each, ...of: Of<'writePart'>) => each.writePart?.(...of))
export const afterMoves = eachOf((each, ...of: Of<'moved'>) => each.moved?.(...of))
export const afterPurge = eachOf((each, ...of: Of<'purged'>) => each.purged?.(...of))
export const holderOf = firstOf((each, ...of: Of<'holderOf'>) => each.holderOf?.(...of))
export const whyNotCompleted = firstOf((each, ...of: Of<'whyNotCompleted'>) => each.whyNotCompleted?.(...of))

interface PendingChanges {
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
