import { sql, type Kysely } from 'kysely'
import { distributeBeforeReferences } from '../../../core/api/database/queries.ts'

/**
 * The number of issues of a label or an assignee, by its id, spread over shards like `issue_tally`. Columns of other
 * plugins are counted by their own triggers.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table issue_things_tally (
      workspace_id uuid not null references workspace (id),
      thing_id uuid not null,
      shard smallint not null,
      n bigint not null,
      primary key (workspace_id, thing_id, shard)
    ) with (fillfactor = 50)`.execute(db)
  await addAdding(db)
  await addTriggerFunctions(db)
  await distributeBeforeReferences(db, 'issue_things_tally')
  await addTriggers(db)
  await sql`
    insert into issue_things_tally (workspace_id, thing_id, shard, n)
    select i.workspace_id, l.label_id, 0, count(*)
    from issue_label l join issue i on i.workspace_id = l.workspace_id and i.id = l.issue_id
    where i.deleted_at is null group by 1, 2`.execute(db)
  await sql`
    insert into issue_things_tally (workspace_id, thing_id, shard, n)
    select workspace_id, assignee_id, 0, count(*) from issue
    where assignee_id is not null and deleted_at is null group by 1, 2`.execute(db)
}

async function addAdding(db: Kysely<unknown>): Promise<void> {
  // On a Citus worker, the trigger writes to the tally's local shard by name. While a workspace is removed, its labels
  // may be removed after the tally, which must not be created again.
  await sql`
    create function issue_things_add(changed name, of_workspace uuid, thing uuid, change bigint)
    returns void language plpgsql as $$
    begin
      if changed in ('issue', 'issue_label') then
        insert into issue_things_tally (workspace_id, thing_id, shard, n)
          select of_workspace, thing, issue_tally_shard(), change
          where change > 0 or exists (
            select from issue_things_tally t where t.workspace_id = of_workspace and t.thing_id = thing)
          on conflict (workspace_id, thing_id, shard) do update set n = issue_things_tally.n + excluded.n;
      else
        execute format(
          'insert into %1$s as tally (workspace_id, thing_id, shard, n)
            select $1, $2, $3, $4
            where $4 > 0 or exists (select from %1$s t where t.workspace_id = $1 and t.thing_id = $2)
            on conflict (workspace_id, thing_id, shard) do update set n = tally.n + excluded.n',
          shard_name('issue_things_tally', get_shard_id_for_distribution_column('issue_things_tally', of_workspace)))
          using of_workspace, thing, issue_tally_shard(), change;
      end if;
    end $$`.execute(db)
}

async function addTriggerFunctions(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function issue_assignee_changed() returns trigger language plpgsql as $$
    begin
      if tg_op = 'UPDATE' and old.assignee_id is not null and old.deleted_at is null then
        perform issue_things_add(tg_table_name, old.workspace_id, old.assignee_id, -1);
      end if;
      if new.assignee_id is not null and new.deleted_at is null then
        perform issue_things_add(tg_table_name, new.workspace_id, new.assignee_id, 1);
      end if;
      return null;
    end $$`.execute(db)
  await sql`
    create function issue_labels_changed() returns trigger language plpgsql as $$
    declare
      one record;
    begin
      for one in select workspace_id, label_id, count(*) as n from changed group by 1, 2 order by 2 loop
        perform issue_things_add(
          tg_table_name, one.workspace_id, one.label_id, case tg_op when 'INSERT' then one.n else -one.n end);
      end loop;
      return null;
    end $$`.execute(db)
  await sql`
    create function issue_labels_removed() returns trigger language plpgsql as $$
    declare
      labels text := 'issue_label';
      label uuid;
    begin
      if tg_table_name <> 'issue' then
        labels := shard_name('issue_label', get_shard_id_for_distribution_column('issue_label', new.workspace_id));
      end if;
      for label in execute format(
        'select label_id from %s where workspace_id = $1 and issue_id = $2 order by 1', labels)
        using new.workspace_id, new.id
      loop
        perform issue_things_add(
          tg_table_name, new.workspace_id, label, case when new.deleted_at is null then 1 else -1 end);
      end loop;
      return null;
    end $$`.execute(db)
}

async function addTriggers(db: Kysely<unknown>): Promise<void> {
  // Citus forwards a command unchanged, so each is sent separately.
  for (const command of [
    sql`create trigger issue_assignee_set after insert on issue for each row
      when (new.assignee_id is not null and new.deleted_at is null) execute function issue_assignee_changed()`,
    sql`create trigger issue_assignee_changed after update of assignee_id, deleted_at on issue for each row
      when (old.assignee_id is distinct from new.assignee_id or (old.deleted_at is null) <> (new.deleted_at is null))
      execute function issue_assignee_changed()`,
    sql`create trigger issue_labels_removed after update of deleted_at on issue for each row
      when ((old.deleted_at is null) <> (new.deleted_at is null)) execute function issue_labels_removed()`,
    sql`create trigger issue_label_added after insert on issue_label referencing new table as changed
      for each statement execute function issue_labels_changed()`,
    sql`create trigger issue_label_taken after delete on issue_label referencing old table as changed
      for each statement execute function issue_labels_changed()`
  ]) {
    await command.execute(db)
  }
}
