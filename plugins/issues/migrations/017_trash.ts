import { sql, type Kysely } from 'kysely'

/** Deleted issues can be restored until they are purged; the history finds the sub-issues that come back. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Citus forwards a command unchanged, so each is sent separately.
  for (const command of [
    sql`alter table issue add column purged_at timestamptz(3)`,
    sql`create index issue_trash on issue (workspace_id, deleted_at desc, id desc)
      where deleted_at is not null and purged_at is null`,
    sql`create index issue_change_detached on issue_change (workspace_id, from_name)
      where change = 'parent' and to_name is null`
  ]) {
    await command.execute(db)
  }
}
