import { sql, type Kysely } from 'kysely'

/** Deleted entries can be restored until they are purged. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Citus forwards a command unchanged, so each is sent separately.
  for (const command of [
    sql`alter table knowledge_entry add column deleted_by_id uuid`,
    sql`alter table knowledge_entry add column purged_at timestamptz(3)`,
    sql`alter table knowledge_entry
      add foreign key (workspace_id, deleted_by_id) references account (workspace_id, id)`,
    sql`create index knowledge_entry_trash on knowledge_entry (workspace_id, deleted_at desc, id desc)
      where deleted_at is not null and purged_at is null`
  ]) {
    await command.execute(db)
  }
}
