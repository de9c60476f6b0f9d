import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table comment (
      workspace_id uuid not null,
      id uuid not null,
      issue_id uuid not null,
      parent_id uuid,
      author_id uuid not null,
      token_id uuid,
      body json not null,
      body_markdown text not null,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      deleted_at timestamptz(3),
      primary key (workspace_id, id),
      foreign key (workspace_id, issue_id) references issue (workspace_id, id),
      foreign key (workspace_id, parent_id) references comment (workspace_id, id),
      foreign key (workspace_id, author_id) references account (workspace_id, id),
      foreign key (workspace_id, token_id) references token (workspace_id, id)
    );
    create index comment_issue on comment (workspace_id, issue_id, created_at, id);
    create index comment_author on comment (workspace_id, author_id, created_at);
  `.execute(db)
}
