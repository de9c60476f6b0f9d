import { listWorkspaces, NIL_ID } from '../../core/api/database/queries.ts'
import type { Id } from '../../core/api/database/types.ts'
import type { LoggedEventOf } from '../../core/api/events.ts'
import { eachSeparately } from '../../core/api/http.ts'
import type { issueCreated, issueDeleted, issueUpdated } from '../issues/contract.ts'
import type { stateCreated, stateUpdated } from '../workspace/contract.ts'
import type { Ctx } from './context.ts'
import { completionProofs } from './contract.ts'
import { listIssuesAfter, listUnknownProofs, lockSteps, storeSteps } from './queries/steps.ts'

export const STEPS = 'steps'
/** Issues per transaction: few, because the embedded database has one connection. */
const BATCH_SIZE = 200

async function renewSteps(ctx: Ctx, workspaceId: Id, issueIds: readonly Id[]): Promise<void> {
  await ctx.transaction(async trx => {
    await lockSteps(trx, workspaceId)
    const states = await ctx.use.workspace.allStates(ctx.asServer(workspaceId), trx)
    await storeSteps(trx, workspaceId, issueIds, { states, isProven: ctx.contributions(completionProofs)[0]?.item })
  })
}

type Change = LoggedEventOf<
  typeof issueCreated | typeof issueUpdated | typeof issueDeleted | typeof stateCreated | typeof stateUpdated
>
/** True if a change affects the steps of all issues that were ever in the state. */
const isAboutMeaning = (change: Change): boolean =>
  change.type === 'state.created' ||
  (change.type === 'state.updated' && change.data.changes.some(({ field }) => field === 'category' || field === 'name'))

export async function handleChanges(changes: readonly Change[], ctx: Ctx): Promise<void> {
  for (const [workspaceId, of] of Map.groupBy(changes, change => change.workspaceId)) {
    const ids = [...new Set(of.flatMap(({ parentId }) => parentId ?? []))]
    for (let n = 0; n < ids.length; n += BATCH_SIZE) {
      await renewSteps(ctx, workspaceId, ids.slice(n, n + BATCH_SIZE))
    }
    const stateIds = of.filter(isAboutMeaning).map(({ subject }) => subject.id)
    if (stateIds.length > 0) await rebuildWorkspace(ctx, workspaceId, stateIds)
  }
}

async function rebuildWorkspace(ctx: Ctx, workspaceId: Id, stateIds?: readonly Id[]): Promise<void> {
  for (let after = NIL_ID; ;) {
    const ids = await listIssuesAfter(ctx.db, workspaceId, after, BATCH_SIZE, stateIds)
    if (ids.length === 0) return
    await renewSteps(ctx, workspaceId, ids)
    after = ids.at(-1)!
  }
}

export const rebuild = async (ctx: Ctx): Promise<void> =>
  eachSeparately(await listWorkspaces(ctx.db), ({ id }) => rebuildWorkspace(ctx, id))

/** Stores the steps again of issues that were completed while no plugin kept evidence. */
export async function findProofs(ctx: Ctx): Promise<void> {
  if (ctx.contributions(completionProofs).length === 0) return
  await eachSeparately(await listWorkspaces(ctx.db), async ({ id }) => {
    for (;;) {
      const issueIds = await listUnknownProofs(ctx.db, id, BATCH_SIZE)
      if (issueIds.length === 0) return
      await renewSteps(ctx, id, issueIds)
    }
  })
}
