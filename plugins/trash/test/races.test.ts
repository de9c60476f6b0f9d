import { sql } from 'kysely'
import t from 'tap'
import { onPostgres, testServer } from '../../../test/runner/harness.ts'

// The embedded database has one connection, so nothing races there.
const skip = onPostgres ? false : 'the embedded database has one connection'
const ROUNDS = 30

interface Row {
  id: string
  parentId: string | null
  deleted: boolean
  purged: boolean
  title: string
}
/** True if an issue is above itself. */
function isInCircle(rows: readonly Row[], id: string): boolean {
  const parents = new Map(rows.map(row => [row.id, row.parentId]))
  const above = new Set<string>()
  for (let at = parents.get(id); at != null && !above.has(at); at = parents.get(at)) above.add(at)
  return above.has(id)
}

t.test('deleting, restoring and removing for good race, and each issue is whole', { skip }, async t => {
  const server = await testServer({ settings: { databasePool: 20 } })
  t.teardown(() => server.close())
  interface Issue {
    id: string
    key: string
  }
  const file = (title: string, more: object = {}) =>
    server.ok<Issue>('/v1/issues', { body: { teamId: 'ENG', title, ...more } })
  const failed: string[] = []
  const send = async (method: 'DELETE' | 'POST', path: string, body?: object) => {
    const answer = await server.call(path, { method, ...(body && { body }) })
    if (answer.statusCode >= 500) failed.push(`${method} ${path}: ${answer.body}`)
    return answer.statusCode
  }
  const outcomes = { there: 0, trashed: 0, purged: 0 }
  for (let round = 0; round < ROUNDS; round++) {
    const parent = await file(`Parent ${round}`)
    const child = await file(`Child ${round}`, { parentId: parent.id })
    const other = await file(`Other ${round}`)
    await server.ok('/v1/issue_relations', { body: { issueId: parent.id, relatedIssueId: other.id, type: 'BLOCKS' } })
    const comment = await server.ok<Issue>(`/v1/issue_comments?issueId=${parent.key}`, {
      body: { bodyMarkdown: 'Kept' }
    })
    if (round % 2) await send('DELETE', `/v1/issues/${parent.key}`)
    const statuses = await Promise.all([
      send('DELETE', `/v1/issues/${parent.key}`),
      send('DELETE', `/v1/issues/${child.key}`),
      send('DELETE', `/v1/issue_comments/${comment.id}`),
      // Without one, an issue that is in the trash already is removed for good.
      ...Array.from({ length: round % 6 === 3 ? 0 : 3 }, () => send('POST', `/v1/issues/${parent.id}/restore`)),
      ...Array.from({ length: 2 }, () => send('POST', `/v1/issues/${child.id}/restore`)),
      send('POST', `/v1/issue_comments/${comment.id}/restore`),
      send('POST', `/v1/issues/${child.key}`, { parentId: other.id }),
      send('POST', `/v1/issues/${other.key}`, { parentId: child.id }),
      send('POST', '/v1/issue_relations', { issueId: other.id, relatedIssueId: parent.id, type: 'BLOCKS' }),
      ...Array.from({ length: round % 3 ? 0 : 3 }, () => send('DELETE', `/v1/issues/${parent.key}?permanently=true`)),
      ...(round % 5 ? [] : [send('DELETE', `/v1/issue_comments/${comment.id}?permanently=true`)])
    ])
    t.ok(statuses.some(status => status === 200))
    const { rows } = await sql<Row>`
      select id, parent_id, deleted_at is not null as deleted, purged_at is not null as purged, title
      from issue`.execute(server.database.db)
    const { deleted, purged, title } = rows.find(({ id }) => id === parent.id)!
    outcomes[purged ? 'purged' : deleted ? 'trashed' : 'there']++
    t.notOk(isInCircle(rows, parent.id))
    t.equal(title === '', purged, 'it is purged as a whole')
    t.ok(deleted || !purged, 'what was purged is not there')
  }
  t.strictSame(failed, [])
  t.ok(
    Object.values(outcomes).every(n => n > 0),
    `each outcome was seen: ${JSON.stringify(outcomes)}`
  )
  const { rows: blocks } = await sql`
    select one.id from issue_relation one join issue_relation two on two.workspace_id = one.workspace_id
      and two.issue_id = one.related_issue_id
      and two.related_issue_id = one.issue_id and two.type = 'BLOCKS' and two.deleted_at is null
    join issue a on a.workspace_id = one.workspace_id and a.id = one.issue_id and a.deleted_at is null
    join issue b on b.workspace_id = two.workspace_id and b.id = two.issue_id and b.deleted_at is null
    where one.type = 'BLOCKS' and one.deleted_at is null`.execute(server.database.db)
  t.strictSame(blocks, [], 'no two issues block each other')
})
