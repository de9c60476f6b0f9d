import { sql, type Kysely } from 'kysely'

/** Indexes for what happened in a project: in the history of issues, and in the event log. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Citus forwards a command unchanged, so each is sent separately.
  for (const command of [
    // Changes of releases before have only names.
    sql`create index issue_change_to_project on issue_change (workspace_id, coalesce(to_id::text, to_name), at)
      where change = 'project'`,
    sql`create index issue_change_from_project on issue_change (workspace_id, coalesce(from_id::text, from_name), at)
      where change = 'project'`,
    sql`create index event_of_project on event (workspace_id, subject_id, position)
      where subject_type in ('project', 'milestone', 'project_update')`
  ]) {
    await command.execute(db)
  }
}
