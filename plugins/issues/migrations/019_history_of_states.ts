import { sql, type Kysely } from 'kysely'

/** Indexes for what happened in a span of time: changes of states, also of an issue, and completions. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Citus forwards a command unchanged, so each is sent separately.
  for (const command of [
    sql`create index issue_change_state on issue_change (workspace_id, at) where change = 'state'`,
    sql`create index issue_change_states on issue_change (workspace_id, issue_id, at, id) where change = 'state'`,
    sql`create index issue_completed on issue (workspace_id, completed_at) where completed_at is not null`
  ]) {
    await command.execute(db)
  }
}
