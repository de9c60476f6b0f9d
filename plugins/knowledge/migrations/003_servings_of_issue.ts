import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index knowledge_serving_issue on knowledge_serving (workspace_id, issue_id, id desc)
      where issue_id is not null`.execute(db)
}
