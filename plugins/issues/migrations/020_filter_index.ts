import { sql, type Kysely } from 'kysely'

/**
 * What most filters and orders look at, in one index: a board of several filters is counted without the rows of its
 * issues, which are long. As other indexes that begin with the workspace, it has removed issues, too.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index issue_filter on issue (workspace_id, state_id, assignee_id)
      include (id, team_id, priority, created_at, updated_at, deleted_at)`.execute(db)
}
