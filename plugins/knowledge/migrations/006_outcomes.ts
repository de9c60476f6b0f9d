import { sql, type Kysely } from 'kysely'

/** Outcomes of the issues that entries were served for, and marks of the entries by accounts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Citus forwards a command unchanged, so each is sent separately.
  for (const command of [
    sql`alter table knowledge_entry add column doubt text`,
    // No foreign keys to issues: what is written of entries does not wait for transactions that lock an issue.
    sql`create table knowledge_mark (
      workspace_id uuid not null,
      id uuid not null,
      entry_id uuid not null,
      account_id uuid not null,
      issue_id uuid,
      is_helpful boolean not null,
      at timestamptz(3) not null,
      primary key (workspace_id, id),
      foreign key (workspace_id, entry_id) references knowledge_entry (workspace_id, id),
      foreign key (workspace_id, account_id) references account (workspace_id, id)
    )`,
    sql`create unique index knowledge_mark_once on knowledge_mark
      (workspace_id, entry_id, account_id, issue_id) nulls not distinct`,
    sql`create table knowledge_outcome (
      workspace_id uuid not null,
      entry_id uuid not null,
      issue_id uuid not null,
      outcome text not null check (outcome in ('COMPLETED', 'CANCELED', 'REOPENED')),
      at timestamptz(3) not null,
      primary key (workspace_id, entry_id, issue_id),
      foreign key (workspace_id, entry_id) references knowledge_entry (workspace_id, id)
    )`
  ]) {
    await command.execute(db)
  }
}
