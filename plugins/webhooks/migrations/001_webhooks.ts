import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table webhook (
      workspace_id uuid not null references workspace (id),
      id uuid not null,
      url text not null,
      types text[] not null,
      active boolean not null,
      include_imports boolean not null,
      secret text not null,
      former_secret text,
      former_secret_until timestamptz(3),
      created_by_id uuid not null,
      created_at timestamptz(3) not null,
      failing_since timestamptz(3),
      disabled_reason text,
      primary key (workspace_id, id),
      foreign key (workspace_id, created_by_id) references account (workspace_id, id)
    );

    create table webhook_delivery (
      workspace_id uuid not null,
      id uuid not null,
      webhook_id uuid not null,
      position bigint generated always as identity,
      event_id uuid,
      type text not null,
      subject_id uuid not null,
      redelivery_of uuid,
      payload text not null,
      status text not null default 'PENDING' check (status in ('PENDING', 'DELIVERED', 'FAILED')),
      attempts integer not null default 0,
      next_attempt_at timestamptz(3) not null,
      leased_until timestamptz(3),
      response_status integer,
      duration_ms integer,
      response_body text,
      error text,
      created_at timestamptz(3) not null,
      finished_at timestamptz(3),
      primary key (workspace_id, id),
      foreign key (workspace_id, webhook_id) references webhook (workspace_id, id) on delete cascade
    );
    create unique index webhook_delivery_event on webhook_delivery (workspace_id, webhook_id, event_id)
      where event_id is not null and redelivery_of is null;
    create index webhook_delivery_pending on webhook_delivery (workspace_id, webhook_id, subject_id, position)
      where status = 'PENDING';
    create index webhook_delivery_newest on webhook_delivery (workspace_id, webhook_id, position);
    create index webhook_delivery_created on webhook_delivery (created_at);
  `.execute(db)
}
