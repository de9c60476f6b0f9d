import { sql } from 'kysely'
import type { LoggedEvent } from '../../core/events/contract.ts'
import { commentCreated, commentDeleted, commentUpdated } from '../comments/contract.ts'
import { issueCreated, issueUpdated } from '../issues/contract.ts'
import type { Db } from './context.ts'

/** The name of the consumer that records writes. */
export const CONSUMER = 'hooks/writes'
/** Events that count as a write of an account to an issue. */
export const writeEvents = [issueCreated, issueUpdated, commentCreated, commentUpdated, commentDeleted] as const

/** Stores when accounts that have sessions wrote to issues; writes before an account's first session do not count. */
export async function noteWrites(db: Db, events: readonly LoggedEvent[]): Promise<void> {
  for (const [workspaceId, own] of Map.groupBy(events, ({ workspaceId }) => workspaceId)) {
    const writes = own.flatMap(({ actor, issueId, at }) =>
      actor === null || issueId === null ? [] : [{ accountId: actor.id, issueId, at }]
    )
    // Raw: the rows are made of one JSON parameter, so that the text does not depend on their number.
    await sql`
      insert into hook_write as noted (workspace_id, account_id, issue_id, at)
      select ${workspaceId}::uuid, w."accountId", w."issueId", max(w.at)
      from jsonb_to_recordset(${JSON.stringify(writes)}::jsonb)
        as w ("accountId" uuid, "issueId" uuid, at timestamptz)
      where exists (
        select from hook_session s where s.workspace_id = ${workspaceId} and s.account_id = w."accountId")
      group by 2, 3
      on conflict (workspace_id, account_id, issue_id) do update set at = greatest(noted.at, excluded.at)`.execute(db)
  }
}
