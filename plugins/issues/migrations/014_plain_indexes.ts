import { sql, type Kysely } from 'kysely'

/**
 * Plans that are right before a table has statistics. Then PostgreSQL takes `deleted_at is null` for rare, and so a
 * partial index of all issues for as good as the primary key: it would read the whole board to find one issue. So
 * indexes that begin with the workspace include removed issues. Those of relations begin with the looked up id.
 */
const INDEXES: ReadonlyArray<readonly [name: string, columns: string]> = [
  ['issue_updated', 'issue (workspace_id, updated_at desc, id desc)'],
  ['issue_created', 'issue (workspace_id, created_at desc, id desc)'],
  ['issue_number', 'issue (workspace_id, number desc, id desc)'],
  ['issue_priority', 'issue (workspace_id, priority desc, id desc)'],
  ['issue_urgency', 'issue (workspace_id, ((5 - priority) % 5) desc, id desc)'],
  ['issue_by_hand', 'issue (workspace_id, (-sort_order) desc, id desc)'],
  ['issue_state', 'issue (workspace_id, state_id, updated_at desc, id desc)'],
  ['issue_created_by', 'issue (workspace_id, created_by_id)']
]
const RELATION_INDEXES: typeof INDEXES = [
  ['issue_relation_once', 'issue_relation (issue_id, related_issue_id, type, workspace_id) where deleted_at is null'],
  // After the other: of two that seem equally good, PostgreSQL takes the newer one.
  ['issue_relation_other', 'issue_relation (related_issue_id, workspace_id)']
]

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index issue_relation_blocks`.execute(db)
  for (const [name, columns] of [...INDEXES, ...RELATION_INDEXES]) {
    await sql`drop index ${sql.id(name)}`.execute(db)
    const unique = name === 'issue_relation_once' ? sql`unique` : sql``
    await sql`create ${unique} index ${sql.id(name)} on ${sql.raw(columns)}`.execute(db)
  }
}
