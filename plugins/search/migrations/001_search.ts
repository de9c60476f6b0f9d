import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create extension if not exists vector;
    create extension if not exists pg_trgm;

    -- A text of some pool (issues, …) as its words weigh. The terms are salted with workspace and pool.
    create table search_document (
      workspace_id uuid not null references workspace (id),
      pool text not null,
      id uuid not null,
      terms integer[] not null,
      heavy_terms integer[] not null,
      title_terms integer[] not null,
      description_terms integer[] not null,
      facets integer[] not null,
      weights sparsevec(1000000000) not null,
      primary key (workspace_id, pool, id)
    ) with (toast_tuple_target = 8160);
    -- Scoring reads thousands of vectors: they stay beside their row.
    alter table search_document alter column terms set storage main, alter column weights set storage main;
    create index search_document_terms on search_document using gin (terms) with (fastupdate = off);
    create index search_document_heavy_terms on search_document using gin (heavy_terms) with (fastupdate = off);

    create table search_pool (
      workspace_id uuid not null references workspace (id),
      pool text not null,
      documents integer not null default 0,
      primary key (workspace_id, pool)
    );

    create table search_term (
      workspace_id uuid not null references workspace (id),
      term integer not null,
      pool text not null,
      word text collate "C" not null,
      df integer not null,
      primary key (workspace_id, term)
    ) with (fillfactor = 80);
    create index search_term_word on search_term (workspace_id, pool, word);

    -- The comment that explains how a closed issue was resolved: its beginning.
    create table issue_resolution (
      workspace_id uuid not null,
      issue_id uuid not null,
      snippet text not null,
      primary key (workspace_id, issue_id),
      foreign key (workspace_id, issue_id) references issue (workspace_id, id)
    );

    -- How far a rebuild of the index has come, so that the next run goes on from there.
    create table search_reindex (
      workspace_id uuid primary key references workspace (id),
      after_id uuid not null
    );
  `.execute(db)
}
