import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table token add column kind text not null default 'ACCESS' check (kind in ('ACCESS', 'SESSION'))`.execute(db)
}
