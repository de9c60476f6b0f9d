import { sql } from 'kysely'
import type { Id } from '../../../core/api/database/types.ts'
import type { Trx } from '../context.ts'

interface Write {
  accountId: Id
  issueId: Id
  at: string | Date
}

export async function storeWrites(trx: Trx, workspaceId: Id, writes: readonly Write[]): Promise<void> {
  // Raw: one JSON parameter holds all rows, so that the SQL does not depend on their number.
  await sql`
    insert into hook_write as noted (workspace_id, account_id, issue_id, at)
    select ${workspaceId}::uuid, w."accountId", w."issueId", max(w.at)
    from jsonb_to_recordset(${JSON.stringify(writes)}::jsonb)
      as w ("accountId" uuid, "issueId" uuid, at timestamptz)
    where exists (
      select from hook_session s where s.workspace_id = ${workspaceId} and s.account_id = w."accountId")
    group by 2, 3
    on conflict (workspace_id, account_id, issue_id) do update set at = greatest(noted.at, excluded.at)`.execute(trx)
}
