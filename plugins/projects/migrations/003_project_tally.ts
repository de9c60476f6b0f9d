import { sql, type Kysely } from 'kysely'

/** The number of a project's issues, in the tally of issues (`issue_things_tally`). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function issue_project_changed() returns trigger language plpgsql as $$
    begin
      if tg_op = 'UPDATE' and old.project_id is not null and old.deleted_at is null then
        perform issue_things_add(tg_table_name, old.workspace_id, old.project_id, -1);
      end if;
      if new.project_id is not null and new.deleted_at is null then
        perform issue_things_add(tg_table_name, new.workspace_id, new.project_id, 1);
      end if;
      return null;
    end $$`.execute(db)
  // Citus forwards a command unchanged, so each is sent separately.
  await sql`
    create trigger issue_project_set after insert on issue for each row
      when (new.project_id is not null and new.deleted_at is null) execute function issue_project_changed()`.execute(db)
  await sql`
    create trigger issue_project_changed after update of project_id, deleted_at on issue for each row
      when (old.project_id is distinct from new.project_id or (old.deleted_at is null) <> (new.deleted_at is null))
      execute function issue_project_changed()`.execute(db)
  await sql`
    insert into issue_things_tally (workspace_id, thing_id, shard, n)
    select workspace_id, project_id, 0, count(*) from issue
    where project_id is not null and deleted_at is null group by 1, 2`.execute(db)
}
