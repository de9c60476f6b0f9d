import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create extension if not exists vector;

    -- The texts themselves are kept, so that another model can be put to work without asking their owners.
    create table embedding_text (
      workspace_id uuid not null references workspace (id),
      pool text not null,
      id uuid not null,
      part integer not null,
      content text not null,
      hash text not null,
      waiting boolean not null default true,
      primary key (workspace_id, pool, id, part)
    );
    create index embedding_text_waiting on embedding_text (workspace_id, pool, part, id desc) where waiting;

    -- Each model's vectors have an index of their own, made when it is first used: their dimensions differ.
    create table embedding (
      workspace_id uuid not null,
      pool text not null,
      id uuid not null,
      part integer not null,
      model text not null,
      vector halfvec not null,
      primary key (workspace_id, pool, id, part, model),
      foreign key (workspace_id, pool, id, part)
        references embedding_text (workspace_id, pool, id, part) on delete cascade
    );

    -- Whose vectors answer, and whose are being made: the same, but while one model follows another.
    create table embedding_pool (
      workspace_id uuid not null references workspace (id),
      pool text not null,
      model text not null,
      dimensions integer not null,
      next_model text not null,
      primary key (workspace_id, pool)
    );
  `.execute(db)
}
