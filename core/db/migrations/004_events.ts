import { sql, type Kysely } from 'kysely'

/**
 * The event log. Positions are assigned while the subject's row is locked, so they are in order within a subject;
 * overall, a lower position may be committed later (see core/events/horizon.ts).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create sequence event_position;
    create table event (
      workspace_id uuid not null references workspace (id),
      partition smallint not null default 0,
      position bigint not null default nextval('event_position'),
      id uuid not null,
      type text not null,
      at timestamptz(3) not null,
      actor_id uuid,
      token_id uuid,
      subject_type text not null,
      subject_id uuid not null,
      subject_key text,
      issue_id uuid,
      rev integer,
      origin text not null,
      audience text not null check (audience in ('workspace', 'admin', 'account')),
      account_id uuid,
      data json not null,
      primary key (workspace_id, partition, position),
      check ((audience = 'account') = (account_id is not null))
    );
    create index event_in_order on event (partition, position);
    create index event_issue on event (workspace_id, issue_id, position) where issue_id is not null;

    -- Up to which position the events of a partition were removed, because they are older than the retention.
    create table event_partition (
      partition smallint primary key,
      removed_to bigint not null default 0
    );
    insert into event_partition (partition) values (0);

    create table event_consumer (
      name text not null,
      partition smallint not null,
      position bigint not null,
      needs_rebuild boolean not null,
      leased_by uuid,
      leased_until timestamptz not null default '-infinity',
      primary key (name, partition)
    );

    create table event_dead_letter (
      workspace_id uuid not null references workspace (id),
      id uuid not null,
      consumer text not null,
      event_id uuid not null,
      event json not null,
      attempts integer not null,
      reason text not null,
      at timestamptz(3) not null,
      primary key (workspace_id, id),
      unique (workspace_id, consumer, event_id)
    );
  `.execute(db)
}
