import type { LoggedEvent } from '../../core/api/events.ts'
import { commentCreated, commentDeleted, commentUpdated } from '../comments/contract.ts'
import { issueCreated, issueUpdated } from '../issues/contract.ts'
import type { Ctx } from './context.ts'
import { storeWrites } from './queries/writes.ts'

export const CONSUMER = 'hooks/writes'
/** Events that count as a write of an account to an issue. */
export const writeEvents = [issueCreated, issueUpdated, commentCreated, commentUpdated, commentDeleted] as const

/** Writes before an account's first session do not count. */
export async function noteWrites(
  { transaction }: Pick<Ctx, 'transaction'>,
  events: readonly LoggedEvent[]
): Promise<void> {
  for (const [workspaceId, own] of Map.groupBy(events, ({ workspaceId }) => workspaceId)) {
    const writes = own.flatMap(({ actor, parentId: issueId, at }) =>
      actor === null || issueId === null ? [] : [{ accountId: actor.id, issueId, at }]
    )
    await transaction(trx => storeWrites(trx, workspaceId, writes))
  }
}
