import { sql, type Kysely } from 'kysely'

/**
 * The columns of most filters and orders in one index: a board with several filters is counted without the rows of its
 * issues, which are long. Like other indexes that begin with the workspace, it includes removed issues.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index issue_filter on issue (workspace_id, state_id, assignee_id)
      include (id, team_id, priority, created_at, updated_at, deleted_at)`.execute(db)
}
