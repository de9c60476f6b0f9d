import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import type { TestServer } from './runner/harness.ts'

/** An issue with a description and comments of the size that an older version allowed: 33 MB of JSON each. */
export async function withOldTexts(server: TestServer, comments: number, issues: number) {
  const { id, key } = await server.ok<{ id: string; key: string }>('/v1/issues', {
    body: { teamId: 'ENG', title: 'Old' }
  })
  const json = sql`('{"type":"doc","content":[{"type":"paragraph","content":[{"type":"text","text":"'
    || repeat('0123456789', 3300000) || '"}]}]}')::json`
  const { db } = server.database
  await sql`update issue set description = ${json}, description_markdown = '_a_' where id = ${id}`.execute(db)
  await sql`
    insert into comment (workspace_id, id, issue_id, author_id, body, body_markdown, created_at, updated_at)
    select i.workspace_id, gen_random_uuid(), i.id, i.created_by_id, i.description, '_a_',
      now() + n * interval '1 s', now()
    from issue i, generate_series(1, ${comments}::int) as n where i.id = ${id}`.execute(db)
  await sql`
    insert into issue (
      workspace_id, id, team_id, number, title, description, description_markdown, described, criteria_met,
      criteria_total, state_id, priority, sort_order, created_by_id, updated_by_id, created_at, updated_at)
    select i.workspace_id, gen_random_uuid(), i.team_id, i.number + n, 'Old', i.description, '_a_', true,
      0, 0, i.state_id, 0, 0, i.created_by_id, i.updated_by_id, now(), now()
    from issue i, generate_series(1, ${issues}::int) as n where i.id = ${id}`.execute(db)
  return { id, key }
}

/** Reads and discards an answer over HTTP: its status and length. */
export async function readAway(
  server: TestServer,
  path: string,
  body?: object
): Promise<{ status: number; length: number }> {
  const { port } = server.app.server.address() as AddressInfo
  const sent = request({
    host: '127.0.0.1',
    port,
    path,
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${server.token}`, ...(body && { 'content-type': 'application/json' }) }
  })
  sent.end(body && JSON.stringify(body))
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  let length = 0
  answer.on('data', (chunk: Buffer) => (length += chunk.length))
  await once(answer, 'end')
  return { status: answer.statusCode ?? 0, length }
}
