import type { Principal } from '../../../core/api/contract.ts'
import type { Id } from '../../../core/api/database/types.ts'
import type { Ctx, Trx } from '../context.ts'
import { listHeld, nameOfAccount, type EndedRun } from '../queries/release.ts'
import type { End } from '../queries/runs.ts'

/**
 * Releases the issues that a run leaves open, with a note: its issue, and the sub-issues that it picked up, get the
 * state from before the run and no assignee. Changes by others stay, as does a state that the agent chose itself, such
 * as one of review. The caller has locked the issues (`lockTree`) and then the run.
 * @param why the run's result, for the note
 */
export async function releaseIssues(ctx: Ctx, trx: Trx, run: EndedRun, why: string): Promise<void> {
  const { tokenId } = run
  const since = run.resumedAt ?? run.startedAt
  if (tokenId === null || since === null) return
  const principal = await agentOf(trx, run, tokenId)
  for (const { id, state, isAssigned, stateBefore } of await listHeld(trx, run, since)) {
    if (!isAssigned && stateBefore === null) continue
    await ctx.use.issues.change(principal, trx, id, {
      assigneeId: null,
      ...(stateBefore && { stateId: stateBefore.id })
    })
    const where = stateBefore ? `is back in ${stateBefore.name}` : `stays in ${state}`
    await ctx.use.comments?.add(principal, trx, id, `The run ${run.id} ${why}: it ${where}, without an assignee.`)
  }
}

export const endedText = (end: End): string => `ended (${endText(end)}) and left this open`
const endText = ({ status, reason, message }: End): string =>
  reason === undefined ? status : `${status}, ${reason}: ${message ?? ''}`.replace(/(?<![.\s])[.\s]+$/, '')

async function agentOf(trx: Trx, { workspaceId, agentId }: EndedRun, tokenId: Id): Promise<Principal> {
  const fullname = await nameOfAccount(trx, workspaceId, agentId)
  const scopes = ['read', 'write'] as const
  return { workspaceId, accountId: agentId, tokenId, kind: 'AGENT', role: 'MEMBER', fullname, scopes }
}
