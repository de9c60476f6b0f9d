import { sql, type Kysely } from 'kysely'

/** Comments that are questions, and their addressees; without one: any person. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table comment_question (
      workspace_id uuid not null,
      comment_id uuid not null,
      issue_id uuid not null,
      asked_by_id uuid not null,
      token_id uuid,
      session text,
      options json not null,
      status text not null check (status in ('OPEN', 'ANSWERED', 'WITHDRAWN')),
      answer_id uuid,
      closed_by_id uuid,
      closed_at timestamptz(3),
      heard_at timestamptz(3),
      primary key (workspace_id, comment_id),
      foreign key (workspace_id, comment_id) references comment (workspace_id, id),
      foreign key (workspace_id, issue_id) references issue (workspace_id, id),
      foreign key (workspace_id, asked_by_id) references account (workspace_id, id),
      foreign key (workspace_id, token_id) references token (workspace_id, id),
      foreign key (workspace_id, answer_id) references comment (workspace_id, id),
      foreign key (workspace_id, closed_by_id) references account (workspace_id, id),
      check ((status = 'OPEN') = (closed_at is null))
    );
    create index comment_question_issue on comment_question (workspace_id, issue_id);
    create index comment_question_token on comment_question (workspace_id, token_id);
    create index comment_question_unheard on comment_question (workspace_id, asked_by_id)
      where closed_at is not null and heard_at is null;
    create table comment_question_addressee (
      workspace_id uuid not null,
      comment_id uuid not null,
      account_id uuid not null,
      primary key (workspace_id, comment_id, account_id),
      foreign key (workspace_id, comment_id) references comment_question (workspace_id, comment_id),
      foreign key (workspace_id, account_id) references account (workspace_id, id)
    );
  `.execute(db)
}
