import { sql } from 'kysely'
import t from 'tap'
import { transferOf } from '../../../test/transfer.ts'
import { testServer, type TestServer } from '../../../test/runner/harness.ts'
import { fold, withoutCutEntry, type RecordedChange } from '../activity/fold.ts'

interface Change {
  change: string
  from: string | null
  to: string | null
}
interface Entry {
  at: string
  since?: string
  actor: { id: string; fullname: string }
  rev?: number
  changes: Change[]
}
interface Activity {
  activity: Entry[]
  nextCursor: string | null
}

const MINUTE = 60_000
/** Changes of accounts in the order of time: who, after how many minutes, what, from, to. */
function recorded(...changes: Array<[string, number, string, string | null, string | null]>): RecordedChange[] {
  let ms = Date.parse('2026-11-27T08:00:00Z')
  return changes.map(([actor, minutes, change, from, to], n) => {
    ms += minutes * MINUTE
    return { id: String(n), at: new Date(ms), actorId: actor, actor, change, from, to, rev: n + 2 }
  })
}
const words = (changes: readonly RecordedChange[]) =>
  fold(changes).map(({ actor, changes }) => [
    actor.fullname,
    ...changes.map(({ change, from, to }) => `${change} ${from} ${to}`)
  ])

t.test('changes of one account are one entry, unless another account or an hour is between them', t => {
  const changes = recorded(
    ['Ada', 0, 'title', 'a', 'b'],
    ['Ada', 60, 'priority', null, 'high'],
    ['Ada', 61, 'priority', 'high', 'low'],
    ['Bob', 1, 'priority', 'low', 'urgent'],
    ['Ada', 1, 'title', 'b', 'c']
  )
  t.strictSame(words(changes), [
    ['Ada', 'title a b', 'priority null high'],
    ['Ada', 'priority high low'],
    ['Bob', 'priority low urgent'],
    ['Ada', 'title b c']
  ])
  t.match(fold(changes)[0], { since: changes[0]!.at, at: changes[1]!.at, rev: 3 })
  t.end()
})

t.test('what was set twice is one change, what was undone is none', t => {
  const steps: Array<[string, string | null, string | null]> = [
    ['title', 'a', 'b'],
    ['label', null, 'Bug'],
    ['title', 'b', 'c'],
    ['description', null, null],
    ['label', null, 'Docs'],
    ['description', null, null],
    ['label', 'Bug', null],
    ['assignee', 'Ada', null],
    ['assignee', null, 'Bob']
  ]
  t.strictSame(words(recorded(...steps.map(step => ['Ada', 1, ...step] as [string, number, ...typeof step]))), [
    ['Ada', 'title a c', 'description null null', 'label null Docs', 'assignee Ada null', 'assignee null Bob']
  ])
  t.strictSame(words(recorded(['Ada', 0, 'title', 'a', 'b'], ['Ada', 1, 'title', 'b', 'a'])), [])
  t.end()
})

t.test('a page ends where an entry begins, unless it has only one', t => {
  const newestFirst = recorded(
    ['Ada', 0, 'title', 'a', 'b'],
    ['Ada', 1, 'title', 'b', 'c'],
    ['Bob', 1, 'title', 'c', 'd'],
    ['Bob', 1, 'title', 'd', 'e']
  ).toReversed()
  const ids = (rows: readonly RecordedChange[]) => withoutCutEntry(rows).map(({ id }) => id)
  t.strictSame(ids(newestFirst), ['3', '2'], 'the entry of Ada is whole on the next page')
  t.strictSame(ids(newestFirst.slice(0, 3)), ['3', '2'])
  t.strictSame(ids(newestFirst.slice(0, 2)), ['3'], 'an entry that fills a page goes on')
  t.end()
})

let server: TestServer
t.before(async () => {
  server = await testServer()
})
t.teardown(() => server.close())

t.test('the activity of an issue has the changes of all fields, newest first', async t => {
  const { token } = await server.agent('Second')
  const parent = await server.ok<{ key: string }>('/v1/issues', { body: { teamId: 'ENG', title: 'parent' } })
  const project = await server.ok<{ id: string }>('/v1/projects', { body: { name: 'Launch' } })
  const { key } = await server.ok<{ key: string }>('/v1/issues', { body: { teamId: 'ENG', title: 'one' } })
  const path = `/v1/issues/${key}`
  await server.ok(path, { body: { title: 'two', labels: ['Bug'], priority: 'high', dueDate: '2030-12-24' } })
  await server.ok(path, { body: { title: 'three', descriptionMarkdown: 'Text', parentId: parent.key } })
  await server.ok(path, {
    body: { state: 'In Progress', assignee: 'Second', projectId: project.id, estimate: 3 },
    token
  })
  await server.ok(path, { body: { addBlockedByIds: [parent.key] } })
  const { activity, nextCursor } = await server.ok<Activity>(`${path}/activity`)
  t.equal(nextCursor, null)
  t.match(activity, [
    {
      actor: { fullname: 'Administrator' },
      rev: 5,
      changes: [{ change: 'relation', to: `${key} BLOCKED ${parent.key}` }]
    },
    { actor: { fullname: 'Second' }, rev: 4 },
    { actor: { fullname: 'Administrator' }, rev: 3, since: String },
    { actor: { fullname: 'Administrator' }, changes: [{ change: 'filed', from: null, to: null }] }
  ])
  t.equal(activity.length, 4)
  t.notOk('since' in activity[1]!)
  const changesOf = (entry: Entry) => entry.changes.map(({ change, from, to }) => `${change}: ${from}, ${to}`).sort()
  t.strictSame(changesOf(activity[1]!), [
    'assignee: null, Second',
    'estimate: null, 3',
    'project: null, Launch',
    'state: Todo, In Progress'
  ])
  t.strictSame(changesOf(activity[2]!), [
    'description: null, null',
    'dueDate: null, 2030-12-24',
    'label: null, Bug',
    `parent: null, ${parent.key}`,
    'priority: No priority, High',
    'title: one, three'
  ])
  t.strictSame(
    (await server.ok<{ history: Change[] }>(`${path}/context`)).history.map(({ change }) => change).sort(),
    ['assignee', 'estimate', 'label', 'parent', 'priority', 'project', 'state'],
    'the history of the context keeps its changes'
  )
})

t.test('pages are of whole entries, and bounded in bytes', async t => {
  const { token } = await server.agent('Third')
  const { key } = await server.ok<{ key: string }>('/v1/issues', { body: { teamId: 'ENG', title: 'long' } })
  const rename = (title: string, as?: string) =>
    server.ok(`/v1/issues/${key}`, { body: { title }, ...(as !== undefined && { token: as }) })
  // Two changes of each account in turn.
  for (let n = 0; n < 12; n++) await rename(`title ${n}`, n % 4 < 2 ? token : undefined)
  const pages: Activity[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page: Activity = await server.ok(`/v1/issues/${key}/activity?limit=5${cursor && `&cursor=${cursor}`}`)
    pages.push(page)
    cursor = page.nextCursor
  }
  const whole = await server.ok<Activity>(`/v1/issues/${key}/activity`)
  t.ok(pages.length > 2)
  t.strictSame(
    pages.flatMap(({ activity }) => activity),
    whole.activity,
    'pages have what the whole has'
  )
  t.strictSame(
    whole.activity.map(({ changes }) => changes.map(({ from, to }) => `${from} > ${to}`)[0]),
    [
      'title 9 > title 11',
      'title 7 > title 9',
      'title 5 > title 7',
      'title 3 > title 5',
      'title 1 > title 3',
      'long > title 1',
      'null > null'
    ]
  )
  // Two bytes in UTF-8 each: 4 KB of a change.
  for (let n = 0; n < 80; n++) await rename(`${n} ${'ä'.repeat(990)}`, n % 2 ? token : undefined)
  const { body } = await server.call(`/v1/issues/${key}/activity?limit=200`)
  t.ok(Buffer.byteLength(body) < 300 * 1024, `${Buffer.byteLength(body)} bytes`)
  t.match(JSON.parse(body), { nextCursor: String })
})

t.test('an issue that is not there, and a cursor of something else, are refused', async t => {
  t.equal((await server.call('/v1/issues/ENG-999/activity')).statusCode, 404)
  const { key } = await server.ok<{ key: string }>('/v1/issues', { body: { teamId: 'ENG', title: 'x' } })
  t.match((await server.call(`/v1/issues/${key}/activity?cursor=x`)).json(), {
    statusCode: 400,
    field: 'cursor',
    message: /^query\.cursor must be the nextCursor of an answer/
  })
  await server.ok(`/v1/issues/${key}`, { method: 'DELETE' })
  t.equal((await server.call(`/v1/issues/${key}/activity`)).statusCode, 404)
})

t.test('the history keeps the ids of the states and labels that it names: they can be renamed', async t => {
  const issue = await server.ok<{ id: string }>('/v1/issues', { body: { teamId: 'ENG', title: 'Named' } })
  await server.ok(`/v1/issues/${issue.id}`, { body: { state: 'In Progress', labels: ['Bug'] } })
  const { rows } = await sql`
    select h.change, former.name as "from", s.name as state, l.name as label from issue_change h
    left join workflow_state s on s.id = h.to_id
    left join workflow_state former on former.id = h.from_id
    left join label l on l.id = h.to_id
    where h.issue_id = ${issue.id} order by h.change`.execute(server.database.db)
  t.strictSame(rows, [
    { change: 'label', from: null, state: null, label: 'Bug' },
    { change: 'state', from: 'Todo', state: 'In Progress', label: null }
  ])
})

t.test('the activity of an issue says at which revision a new issue was related to it', async t => {
  const { key } = await server.ok<{ key: string }>('/v1/issues', { body: { teamId: 'ENG', title: 'blocker' } })
  await server.ok('/v1/issues', { body: { teamId: 'ENG', title: 'waits', blockedByIds: [key] } })
  const { activity } = await server.ok<Activity>(`/v1/issues/${key}/activity`)
  t.match(activity, [{ rev: 2, changes: [{ change: 'relation' }] }, { changes: [{ change: 'filed' }] }])
})

t.test('links that an import changes are changes of the issue', async t => {
  const { readAs } = await transferOf(server)
  const record = (title: string) => [
    {
      kind: 'issue',
      externalId: 'linked',
      team: 'ENG',
      state: 'Todo',
      title: 'Linked',
      links: [{ url: 'https://example.org/', title }]
    }
  ]
  await readAs('elsewhere', record('Plan'))
  await readAs('elsewhere', record('Report'))
  const [issue] = await server.ok<Array<{ key: string; rev: number }>>('/v1/issues/filter', {
    body: { query: 'Linked' }
  })
  t.equal(issue!.rev, 3)
  const { activity } = await server.ok<Activity>(`/v1/issues/${issue!.key}/activity`)
  t.match(activity[0]!.changes, [
    { change: 'link', from: 'Plan', to: null },
    { change: 'link', from: null, to: 'Report' }
  ])
})
