import { sql } from 'kysely'
import t from 'tap'
import { testServer, type Call, type TestServer } from '../../../test/runner/harness.ts'
import { tablesWith } from './tables-with.ts'

const DAY_MS = 24 * 3_600_000
let daysLater = 0
let server: TestServer
t.before(async () => {
  server = await testServer({ now: () => new Date(Date.now() + daysLater * DAY_MS) })
})
t.teardown(() => server.close())

interface Issue {
  id: string
  key: string
  parent: { key: string } | null
  [field: string]: unknown
}
interface Item {
  kind: string
  id: string
  key?: string
  title: string
  deletedBy?: { fullname: string }
  deletedAt: string
  keptUntil: string
}
const file = (title: string, more: object = {}) =>
  server.ok<Issue>('/v1/issues', { body: { teamId: 'ENG', title, ...more } })
const remove = (path: string, call: Call = {}) => server.ok(path, { ...call, method: 'DELETE' })
const restore = (path: string, call: Call = {}) => server.ok<Issue>(`${path}/restore`, { ...call, method: 'POST' })
const statusOf = async (path: string, call?: Call) => (await server.call(path, call)).statusCode
const listed = async (query = '', call?: Call) => (await server.ok<{ items: Item[] }>(`/v1/trash${query}`, call)).items
const contextOf = (key: string) => server.ok<Issue>(`/v1/issues/${key}/context`)
const parentOf = async (key: string) => (await contextOf(key)).parent?.key
const note = (key: string, bodyMarkdown: string, parentId?: string) =>
  server.ok<{ id: string }>(`/v1/issue_comments?issueId=${key}`, {
    body: { bodyMarkdown, ...(parentId && { parentId }) }
  })
/** Removes what is older than a number of days. */
async function purgeAfter(days: number): Promise<void> {
  daysLater = days
  await server.jobs.enqueue(server.database.db, 'trash.purgeOld', [{}])
  await server.idle()
  daysLater = 0
}

t.test('a restored issue has what it had', async t => {
  const label = await server.ok<{ id: string }>('/v1/labels', { body: { name: 'Kept' } })
  const other = await file('It waits')
  const issue = await file('Crash in the exporter', {
    labelIds: [label.id],
    descriptionMarkdown: '- [x] it is found\n',
    links: [{ url: 'https://example.org/log', title: 'Log' }]
  })
  await note(issue.key, 'It happens at night.')
  await server.ok('/v1/issue_relations', { body: { issueId: issue.id, relatedIssueId: other.id, type: 'BLOCKS' } })
  const before = await contextOf(issue.key)
  const rows = await server.ok<object[]>('/v1/issues/filter', {
    body: { filters: { label: { filterType: 'INCLUDES', value: [label.id] } } }
  })
  await remove(`/v1/issues/${issue.key}`)
  t.equal(await statusOf(`/v1/issues/${issue.key}`), 404)
  const answer = await restore(`/v1/issues/${issue.key.toLowerCase()}`)
  t.match(answer, { id: issue.id, key: issue.key, number: issue['number'] })
  const after = await contextOf(issue.key)
  for (const field of ['comments', 'relations', 'labels', 'links', 'title', 'state', 'descriptionMarkdown']) {
    t.strictSame(after[field], before[field], field)
  }
  const changed = await server.ok<object[]>('/v1/issues/filter', {
    body: { filters: { label: { filterType: 'INCLUDES', value: [label.id] } } }
  })
  t.equal(changed.length, rows.length)
  const history = await server.ok<Array<{ change: string }>>(`/v1/issues/${issue.key}/history`)
  t.strictSame(
    history.slice(-2).map(({ change }) => change),
    ['deleted', 'restored']
  )
  await server.idle()
  t.match((await server.call('/v1/search?query=exporter')).body, issue.key, 'search finds it again')
})

t.test('the agent that worked on an issue has it again', async t => {
  const { id, token } = await server.agent('Worker')
  const { key } = await file('In progress')
  await server.ok(`/v1/issues/${key}/pick_up`, { token, body: {} })
  await remove(`/v1/issues/${key}`)
  await restore(`/v1/issues/${key}`)
  t.match(await contextOf(key), { claim: { holder: { id } } })
})

t.test('its sub-issues come back under it, unless they have another parent', async t => {
  const [parent, elsewhere] = [await file('Parent'), await file('Elsewhere')]
  const child = (title: string) => file(title, { parentId: parent.id })
  const [plain, moved, freed, deleted, deletedBefore] = [
    await child('Plain'),
    await child('Moved'),
    await child('Freed'),
    await child('Deleted'),
    await child('Deleted before')
  ]
  await remove(`/v1/issues/${deletedBefore.key}`)
  await remove(`/v1/issues/${parent.key}`)
  for (const { key } of [plain, moved, freed, deleted]) t.equal(await parentOf(key), undefined)
  await server.ok(`/v1/issues/${moved.key}`, { body: { parentId: elsewhere.id } })
  await server.ok(`/v1/issues/${freed.key}`, { body: { parentId: elsewhere.id } })
  await server.ok(`/v1/issues/${freed.key}`, { body: { parentId: null } })
  await remove(`/v1/issues/${deleted.key}`)
  await restore(`/v1/issues/${deletedBefore.key}`)
  t.equal(await parentOf(deletedBefore.key), undefined, 'its parent is deleted')
  await restore(`/v1/issues/${parent.key}`)
  t.equal(await parentOf(plain.key), parent.key)
  t.equal(await parentOf(freed.key), parent.key)
  t.equal(await parentOf(deletedBefore.key), parent.key)
  t.equal(await parentOf(moved.key), elsewhere.key)
  await restore(`/v1/issues/${deleted.key}`)
  t.equal(await parentOf(deleted.key), parent.key, 'deleted after it, restored after it')
})

t.test('no circle is closed by restoring', async t => {
  const [top, middle] = [await file('Top'), await file('Middle')]
  await server.ok(`/v1/issues/${middle.key}`, { body: { parentId: top.id } })
  const low = await file('Low', { parentId: middle.id })
  await remove(`/v1/issues/${middle.key}`)
  await server.ok(`/v1/issues/${top.key}`, { body: { parentId: low.id } })
  await restore(`/v1/issues/${middle.key}`)
  t.equal(await parentOf(middle.key), top.key)
  t.equal(await parentOf(top.key), low.key)
  t.equal(await parentOf(low.key), undefined, 'it is above by now')

  const [first, second, third] = [await file('First'), await file('Second'), await file('Third')]
  const block = (a: Issue, b: Issue) =>
    server.ok('/v1/issue_relations', { body: { issueId: a.id, relatedIssueId: b.id, type: 'BLOCKS' } })
  await block(first, second)
  await block(second, third)
  await remove(`/v1/issues/${second.key}`)
  await block(third, first)
  const refused = await server.call(`/v1/issues/${second.key}/restore`, { method: 'POST' })
  t.equal(refused.statusCode, 409)
  t.match(refused.json(), { path: [second.key, third.key, first.key, second.key] })
  t.equal(await statusOf(`/v1/issues/${second.key}`), 404, 'nothing of it was written')
})

t.test('an issue whose state was removed gets another, and one without a team is refused', async t => {
  const { id: stateId } = await server.ok<{ id: string }>('/v1/ENG/workflows', {
    body: { name: 'Testing', category: 'STARTED' }
  })
  const issue = await file('In a state', { stateId })
  await remove(`/v1/issues/${issue.key}`)
  await remove(`/v1/ENG/workflows/${stateId}`)
  await restore(`/v1/issues/${issue.key}`)
  t.match(await contextOf(issue.key), { state: { category: 'STARTED' } })

  await server.ok('/v1/teams', { body: { identifier: 'GONE', name: 'Gone' } })
  const lost = await file('Of a team', { teamId: 'GONE' })
  await remove(`/v1/issues/${lost.key}`)
  await remove('/v1/teams/GONE')
  const refused = await server.call(`/v1/issues/${lost.id}/restore`, { method: 'POST' })
  t.equal(refused.statusCode, 409)
  t.match(refused.json(), { message: /its team GONE was removed/ })
})

t.test('a comment is restored with the replies that were deleted with it', async t => {
  const { key } = await file('Discussed')
  const first = await note(key, 'First')
  const [reply, earlier] = [await note(key, 'Reply', first.id), await note(key, 'Earlier', first.id)]
  await remove(`/v1/issue_comments/${earlier.id}`)
  daysLater = 1
  await remove(`/v1/issue_comments/${first.id}`)
  daysLater = 0
  const refused = await server.call(`/v1/issue_comments/${reply.id}/restore`, { method: 'POST' })
  t.equal(refused.statusCode, 409, 'a reply without its beginning')
  const items = (await listed('?kind=issue_comments')).filter(item => item.key === key)
  t.match(items, [{ id: first.id, key, title: 'First', deletedBy: { fullname: String } }])
  await restore(`/v1/issue_comments/${first.id}`)
  const there = async () =>
    (await server.ok<Array<{ id: string }>>(`/v1/issue_comments?issueId=${key}`)).map(({ id }) => id)
  t.strictSame(await there(), [first.id, reply.id])
  await restore(`/v1/issue_comments/${earlier.id}`)
  t.strictSame(await there(), [first.id, reply.id, earlier.id])
  t.equal(await statusOf(`/v1/issue_comments/${first.id}/restore`, { method: 'POST' }), 404, 'it is there')
})

t.test('restoring needs what deleting needs', async t => {
  const { key } = await file('Guarded')
  const comment = await note(key, 'A secret of the administrator')
  const { token } = await server.agent('Writer', ['read', 'write'])
  const remover = await server.agent('Remover', ['read', 'write', 'delete'])
  await remove(`/v1/issue_comments/${comment.id}`)
  for (const path of [`/v1/issues/${key}/restore`, `/v1/issue_comments/${comment.id}/restore`]) {
    t.match((await server.call(path, { method: 'POST', token })).json(), { code: 'SCOPE_REQUIRED' })
  }
  t.match((await server.call('/v1/trash', { token })).json(), { code: 'SCOPE_REQUIRED' })
  const member = await server.ok<{ token: string }>('/v1/users', {
    body: { fullname: 'Mia', email: 'mia@example.org', role: 'MEMBER' }
  })
  t.notOk((await listed('?limit=200', { token: member.token })).some(({ id }) => id === comment.id))
  t.equal(await statusOf(`/v1/issue_comments/${comment.id}/restore`, { method: 'POST', token: member.token }), 403)
  t.ok((await listed('?limit=200', { token: remover.token })).some(({ id }) => id === comment.id))
  await restore(`/v1/issue_comments/${comment.id}`, { token: remover.token })
  for (const [path, token] of [
    [`/v1/issues/${key}`, member.token],
    [`/v1/issue_comments/${comment.id}`, member.token],
    [`/v1/issues/${key}`, remover.token]
  ] as const) {
    const answer = await server.call(`${path}?permanently=true`, { method: 'DELETE', token })
    t.match(answer.json(), { code: 'ADMIN_REQUIRED' })
  }
  t.equal(await statusOf(`/v1/issues/${key}`), 200)
})

t.test('the list has pages, kinds, and what another workspace does not see', async t => {
  const issues = [await file('One'), await file('Two'), await file('Three')]
  for (const { key } of issues) await remove(`/v1/issues/${key}`)
  const items: Item[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: { items: Item[]; nextCursor: string | null } = await server.ok(
      `/v1/trash?kind=issues&limit=2${cursor && `&cursor=${cursor}`}`
    )
    items.push(...page.items)
    cursor = page.nextCursor
  }
  t.equal(new Set(items.map(({ id }) => id)).size, items.length)
  t.strictSame(
    items
      .slice(0, 3)
      .map(({ key }) => key)
      .toSorted(),
    issues.map(({ key }) => key).toSorted()
  )
  t.strictSame(
    items.map(({ deletedAt }) => deletedAt),
    items
      .map(({ deletedAt }) => deletedAt)
      .toSorted()
      .reverse()
  )
  const [last] = items
  t.equal(Date.parse(last!.keptUntil) - Date.parse(last!.deletedAt), 30 * DAY_MS)
  t.equal(await statusOf('/v1/trash?kind=nothing'), 400)
  t.equal(await statusOf('/v1/trash?cursor=abc'), 400)
  const { token } = await server.otherWorkspace()
  t.strictSame(await listed('', { token }), [])
  t.equal(await statusOf(`/v1/issues/${issues[0]!.id}/restore`, { method: 'POST', token }), 404)
})

t.test('what is older than the setting is removed for good, and its key stays taken', async t => {
  const issue = await file('Secret title', {
    descriptionMarkdown: 'Secret description\n\n- [ ] secret criterion\n',
    links: [{ url: 'https://example.org/secret', title: 'Secret link' }]
  })
  await note(issue.key, 'Secret comment')
  await server.ok(`/v1/issues/${issue.key}/criteria`, {
    body: { met: [{ criterion: 1, evidence: 'Secret evidence' }] }
  })
  await server.ok(`/v1/issues/${issue.key}`, { body: { title: 'Secret second title' } })
  const discussed = await file('Stays')
  const comment = await note(discussed.key, 'Secret of a thread')
  await remove(`/v1/issues/${issue.key}`)
  await remove(`/v1/issue_comments/${comment.id}`)
  await purgeAfter(29)
  t.ok((await listed('?limit=200')).some(({ id }) => id === issue.id))
  await purgeAfter(31)
  const left = await listed('?limit=200')
  t.notOk(left.some(({ id }) => id === issue.id || id === comment.id))
  t.equal(await statusOf(`/v1/issues/${issue.key}/restore`, { method: 'POST' }), 404)
  t.equal(await statusOf(`/v1/issue_comments/${comment.id}/restore`, { method: 'POST' }), 404)
  t.strictSame(await tablesWith(server, 'Secret'), [], 'no table has its texts, but the log of events')
  t.not((await file('The next')).key, issue.key)
  t.equal(await statusOf(`/v1/issues/${discussed.key}`), 200)
})

t.test('an administrator removes for good, what is there and what is in the trash', async t => {
  const [there, trashed] = [await file('Hidden one'), await file('Hidden two')]
  const [comment, gone] = [await note(there.key, 'Hidden three'), await note(there.key, 'Hidden four')]
  await remove(`/v1/issues/${trashed.key}`)
  await remove(`/v1/issue_comments/${gone.id}`)
  for (const id of [comment.id, gone.id]) await remove(`/v1/issue_comments/${id}?permanently=true`)
  for (const { key } of [there, trashed]) await remove(`/v1/issues/${key}?permanently=true`)
  for (const { key } of [there, trashed]) {
    t.equal(await statusOf(`/v1/issues/${key}/restore`, { method: 'POST' }), 404)
    t.equal(await statusOf(`/v1/issues/${key}?permanently=true`, { method: 'DELETE' }), 404)
  }
  await server.idle()
  t.strictSame(await tablesWith(server, 'Hidden'), [])
})

t.test('what was deleted before the trash began is kept from then on', async t => {
  const { db } = server.database
  const issue = await file('Deleted by an earlier version')
  await remove(`/v1/issues/${issue.key}`)
  daysLater = 20
  const start = new Date(Date.now() + daysLater * DAY_MS)
  await sql`
    insert into trash_start (workspace_id, at)
    select workspace_id, ${start}::timestamptz from issue where id = ${issue.id}`.execute(db)
  const item = (await listed('?kind=issues')).find(({ id }) => id === issue.id)
  t.equal(item?.keptUntil, new Date(start.getTime() + 30 * DAY_MS).toISOString())
  await purgeAfter(40)
  t.ok((await listed('?kind=issues')).some(({ id }) => id === issue.id))
  await purgeAfter(51)
  t.notOk((await listed('?kind=issues')).some(({ id }) => id === issue.id))
})
