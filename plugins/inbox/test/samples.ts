import { sql } from 'kysely'
import type { TestServer } from '../../../test/runner/harness.ts'
import { post, remove, type Samples } from '../../../test/samples.ts'

/** An entry in the inbox of the administrator, as a consumer would add it. */
async function unreadEntry({ database: { db } }: TestServer): Promise<{ id: string }> {
  const { rows } = await sql<{ id: string }>`
    insert into inbox_entry (workspace_id, id, account_id, reason, subject_type, subject_id, issue_id, at)
    select i.workspace_id, gen_random_uuid(), a.id, 'assigned', 'issue', i.id, i.id, now() from issue i
    join account a on a.workspace_id = i.workspace_id and a.role = 'ADMIN' and a.deleted_at is null
    where i.deleted_at is null limit 1 returning id`.execute(db)
  return rows[0]!
}

export const samples: Samples = {
  requests: async ({ key }) => [
    ['/v1/inbox', {}],
    ['/v1/inbox/read', { body: { before: new Date().toISOString() } }],
    [`/v1/issues/${key}/watch`, {}],
    [`/v1/issues/${key}/watch`, { method: 'POST' }],
    [`/v1/issues/${key}/watch`, { method: 'DELETE' }]
  ],
  events: [
    { route: 'DELETE /v1/issues/{issueId}/watch', types: ['watch.ended'] },
    { route: 'POST /v1/issues/{issueId}/watch', types: ['watch.started'] },
    { route: 'POST /v1/inbox/read', prepare: unreadEntry, body: ({ id }) => ({ ids: [id] }), types: ['inbox.read'] }
  ],
  locks: {
    'POST /v1/issues/{issueId}/watch': [({ issue }) => [`/v1/issues/${issue}/watch`, post({})]],
    'DELETE /v1/issues/{issueId}/watch': [({ issue }) => [`/v1/issues/${issue}/watch`, remove]]
  },
  withoutLocks: ['POST /v1/inbox/read']
}
