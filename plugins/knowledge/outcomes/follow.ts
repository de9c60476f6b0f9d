import { idInChange, type LoggedEventOf } from '../../../core/api/events.ts'
import type { IssueChanges, issueUpdated } from '../../issues/contract.ts'
import type { Ctx } from '../context.ts'
import { doubtEntries, listOutcomes, listReopened, writeOutcomes } from '../queries/outcomes.ts'

/** Entries about an issue may no longer hold when somebody writes its description anew; ticks change nothing. */
export const describedAnew = (): IssueChanges => ({
  async describe({ workspaceId, accountId }, trx, issueId, { isRewritten }) {
    if (isRewritten) await doubtEntries(trx, workspaceId, [issueId], 'CHANGED', accountId)
    return undefined
  }
})

/** Stores how the issues ended for which entries were served, and doubts entries about issues that are open again. */
export async function followIssues(
  ctx: Ctx,
  events: ReadonlyArray<LoggedEventOf<typeof issueUpdated>>
): Promise<'nothing to do' | undefined> {
  let moved = 0
  for (const [workspaceId, own] of Map.groupBy(events, event => event.workspaceId)) {
    const changes = own.flatMap(({ subject, data }) =>
      data.changes
        .filter(({ field }) => field === 'state')
        .map(({ from }) => ({ issueId: subject.id, fromStateId: idInChange(from) ?? null }))
    )
    if (changes.length === 0) continue
    moved += changes.length
    const reopened = await listReopened(ctx.db, workspaceId, changes)
    await ctx.transaction(async trx => {
      if (reopened.length > 0) await doubtEntries(trx, workspaceId, reopened, 'REOPENED', null)
      const issueIds = [...new Set(changes.map(({ issueId }) => issueId))]
      await writeOutcomes(trx, workspaceId, await listOutcomes(trx, workspaceId, issueIds), ctx.now())
    })
  }
  return moved === 0 ? 'nothing to do' : undefined
}
