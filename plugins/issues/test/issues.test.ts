import t, { type Test } from 'tap'
import { testServer, type TestServer } from '../../../test/runner/harness.ts'

interface Issue {
  id: string
  key: string
  number: number
  rev: number
  title: string
  descriptionMarkdown: string
  description: object | null
  stateId: string
  stateCategory: string
  assigneeId: string | null
  parentId: string | null
  labelIds: string[]
  priority: number
  teamId: string
  completedAt: string | null
  updatedAt: string
  createdAt: string
  [field: string]: unknown
}
interface Context {
  key: string
  relations: Array<{ type: string; issue: { key: string } }>
  history: Array<{ change: string; from: string | null; to: string | null; actor: string }>
  subIssues: Array<{ key: string; stateCategory: string }>
  parent: { key: string } | null
  linkedIssues: Array<{ id: string }>
  definitionOfDone: { met: number; total: number }
  [field: string]: unknown
}
interface Directory {
  teams: Array<{ id: string; identifier: string; states: Array<{ id: string; name: string; category: string }> }>
  labels: Array<{ id: string; name: string }>
}

let server: TestServer
let directory: Directory
const stateId = (name: string, team = 'ENG') =>
  directory.teams.find(x => x.identifier === team)!.states.find(s => s.name === name)!.id
const labelId = (name: string) => directory.labels.find(l => l.name === name)!.id
const file = (body: Record<string, unknown> = {}) =>
  server.ok<Issue>('/v1/issues', {
    body: { teamId: 'ENG', title: 'An issue', ...body },
    headers: { prefer: 'return=representation' }
  })
const change = (ref: string, body: object) => server.ok<Issue>(`/v1/issues/${ref}`, { body })
const context = (ref: string) => server.ok<Context>(`/v1/issues/${ref}/context`)
async function refused(t: Test, path: string, body: unknown, status: number, message: RegExp, method?: 'DELETE') {
  const answer = await server.call(path, { body, ...(method && { method }) })
  t.equal(answer.statusCode, status, answer.body)
  t.match(answer.json<{ message: string }>().message, message)
  return answer.json<Record<string, unknown>>()
}

t.before(async () => {
  server = await testServer()
  await server.ok('/v1/teams', { body: { identifier: 'OPS', name: 'Operations' } })
  directory = await server.ok<Directory>('/v1/workspace')
})
t.teardown(() => server.close())

t.test('a new issue has a number, the first unstarted state, and what was said of it', async t => {
  const issue = await file({
    title: 'Fix the roof',
    descriptionMarkdown: '- [x] a\n- [ ] b',
    priority: 2,
    estimate: 3,
    dueDate: '2026-12-24',
    labelIds: [labelId('Bug')]
  })
  t.match(issue, {
    key: `ENG-${issue.number}`,
    title: 'Fix the roof',
    descriptionMarkdown: '- [x] a\n- [ ] b',
    priority: 2,
    estimate: 3,
    dueDate: '2026-12-24',
    labelIds: [labelId('Bug')],
    rev: 1,
    stateId: stateId('Todo'),
    stateCategory: 'UNSTARTED',
    completedAt: null,
    assigneeId: null
  })
  t.match(issue.description, { type: 'doc' })
  const read = await server.call(`/v1/issues/${issue.key.toLowerCase()}`)
  t.strictSame(read.json(), issue, 'the answer to a create is what a read says')
  t.equal(read.headers['etag'], '"1"')
  t.strictSame(await server.ok(`/v1/issues/${issue.id}`), issue, 'by id too')
})

t.test('the raw field wins over the markdown field, as an object or as a string', async t => {
  const doc = (text: string) => ({ type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text }] }] })
  t.equal((await file({ description: doc('raw'), descriptionMarkdown: 'markdown' })).descriptionMarkdown.trim(), 'raw')
  t.equal((await file({ description: JSON.stringify(doc('text')) })).descriptionMarkdown.trim(), 'text')
  await refused(
    t,
    '/v1/issues',
    { teamId: 'ENG', title: 'x', description: { type: 'doc', content: [{ type: 'nope' }] } },
    400,
    /content/
  )
  await refused(t, '/v1/issues', { teamId: 'ENG', title: 'x', description: '{' }, 400, /description/)
})

t.test('sub-issues, links and a relation are made with it, all or none', async t => {
  const other = await file()
  const issue = await file({
    issueRelation: { type: 'BLOCKED', relatedIssueId: other.key },
    links: [{ url: 'https://example.org/x', title: 'X' }],
    subIssues: [
      { title: 'one', subIssues: [{ title: 'deep' }] },
      { title: 'two', teamId: 'OPS' }
    ]
  })
  const read = await context(issue.key)
  t.match(read.relations, [{ type: 'BLOCKED', issue: { key: other.key } }])
  t.match((await context(other.key)).relations, [{ type: 'BLOCKS', issue: { key: issue.key } }])
  t.match(read.linkedIssues, [{ url: 'https://example.org/x', title: 'X' }])
  t.equal(read.subIssues.length, 2)
  t.match(read.subIssues[1]!.key, /^OPS-/)
  t.match(await context(read.subIssues[0]!.key), { parent: { key: issue.key }, subIssues: [{}] })

  const before = await server.ok<{ total: number }>('/v1/issues/filter', { body: { page: 1 } })
  await refused(
    t,
    '/v1/issues',
    { teamId: 'ENG', title: 'x', subIssues: [{ title: 'y', labelIds: [other.id] }] },
    404,
    /no label/
  )
  await refused(
    t,
    '/v1/issues/bulk',
    {
      issues: [
        { teamId: 'ENG', title: 'fine' },
        { teamId: 'ENG', title: 'not', stateId: stateId('Todo', 'OPS') }
      ]
    },
    400,
    /issues\.1\.stateId.*Todo/
  )
  t.equal(
    (await server.ok<{ total: number }>('/v1/issues/filter', { body: { page: 1 } })).total,
    before.total,
    'nothing half made'
  )
  const { issues } = await server.ok<{ issues: Issue[] }>('/v1/issues/bulk', {
    body: {
      issues: [
        { teamId: 'ENG', title: 'a' },
        { teamId: 'OPS', title: 'b', parentId: other.key }
      ]
    }
  })
  t.match(issues, [{ title: 'a' }, { title: 'b', parentId: other.id }])
  t.equal(
    (
      await server.call('/v1/issues/bulk', {
        body: { issues: Array.from({ length: 101 }, () => ({ teamId: 'ENG', title: 'x' })) }
      })
    ).statusCode,
    400
  )
})

t.test('issues of a bulk may each have as many blockers and links as one issue', async t => {
  const file = (issues: object[]) => server.ok<{ issues: Issue[] }>('/v1/issues/bulk', { body: { issues } })
  const many = Array.from({ length: 100 }, (_, n) => n)
  const blockers = await file(many.map(n => ({ teamId: 'ENG', title: `Blocker ${n}` })))
  const blockedByIds = blockers.issues.map(({ id }) => id)
  const links = many.map(n => ({ url: `https://example.org/${n}`, title: `Link ${n}` }))
  const { issues } = await file(many.map(n => ({ teamId: 'ENG', title: `Blocked ${n}`, blockedByIds, links })))
  const { relations, linkedIssues } = await server.ok<{ relations: object[]; linkedIssues: object[] }>(
    `/v1/issues/${issues.at(-1)!.id}/context`
  )
  t.equal(relations.length, 100)
  t.equal(linkedIssues.length, 100)
})

t.test('bad input is a clear 400 that names the field', async t => {
  for (const [body, message] of [
    [{ teamId: 'ENG' }, /title is missing/],
    [{ teamId: 'ENG', title: '' }, /title must not be empty/],
    [
      { teamId: 'ENG', title: 'two\nlines' },
      /title must not contain control characters or line breaks: remove U\+000A at character 4/
    ],
    [{ teamId: 'ENG', title: 'x', stateId: 'Todo' }, /stateId does not fit: A UUID/],
    [{ teamId: 'ENG', title: 5 }, /title must be string/],
    [{ teamId: 'ENG', title: 'x', colour: 1 }, /colour is not a field.*title/],
    [{ teamId: 'ENG', title: 'x', priority: 5 }, /priority/],
    [{ teamId: 'ENG', title: 'x', priority: '1' }, /no priority '1'; there are: .*urgent/],
    [{ teamId: 'ENG', title: 'x', dueDate: '2026-02-31' }, /dueDate/],
    [{ teamId: 'ENG', title: 'x', links: [{ url: 'javascript:alert(1)', title: 'x' }] }, /links\.0\.url/],
    [{ teamId: 'ENG', title: 'nul \0' }, /NUL/],
    ['{"teamId":"ENG","title":"half \\ud800"}', /surrogate/]
  ] as const) {
    await refused(t, '/v1/issues', body, 400, message)
  }
  await refused(t, '/v1/issues', { teamId: 'NOPE', title: 'x' }, 404, /no team 'NOPE'/)
  await refused(t, '/v1/issues', { teamId: 'ENG', title: 'x', parentId: 'ENG-99999' }, 404, /ENG-99999/)
  await refused(
    t,
    '/v1/issues',
    { teamId: 'ENG', title: 'x', descriptionMarkdown: 'x'.repeat(1024 * 1024 + 1) },
    413,
    /./
  )
  t.equal(
    (
      await server.call('/v1/issues', {
        body: JSON.stringify({ teamId: 'ENG', title: 'x', descriptionMarkdown: 'x'.repeat(10 * 1024 * 1024) })
      })
    ).statusCode,
    413
  )
})

t.test('a change is one revision, in the history by names; what stays the same is no change', async t => {
  const issue = await file({ labelIds: [labelId('Bug')] })
  const { id } = await server.ok<{ id: string }>('/v1/users/me')
  const changed = await change(issue.key, {
    title: 'New',
    stateId: stateId('In Progress'),
    assigneeId: id,
    priority: 1,
    estimate: 5,
    dueDate: '2026-12-01',
    labelIds: [labelId('Feature'), labelId('Docs')]
  })
  t.match(changed, { rev: 2, title: 'New', stateCategory: 'STARTED', priority: 1, estimate: 5 })
  t.strictSame([...changed.labelIds].sort(), [labelId('Feature'), labelId('Docs')].sort())
  t.strictSame(
    (await context(issue.key)).history
      .map(({ change, from, to, actor }) => `${actor}: ${change} from ${from} to ${to}`)
      .sort(),
    [
      'Administrator: assignee from null to Administrator',
      'Administrator: estimate from null to 5',
      'Administrator: label from Bug to null',
      'Administrator: label from null to Docs',
      'Administrator: label from null to Feature',
      'Administrator: priority from No priority to Urgent',
      'Administrator: state from Todo to In Progress'
    ]
  )
  t.equal((await change(issue.key, { title: 'New', priority: 1 })).rev, 2)
  t.match(
    await change(issue.key, {
      addLabelIds: [labelId('Bug')],
      removeLabelIds: [labelId('Docs')],
      assigneeId: null,
      estimate: null,
      dueDate: null
    }),
    { rev: 3, assigneeId: null, estimate: null, dueDate: null }
  )
})

t.test('closing notes when, reopening forgets it', async t => {
  const issue = await file()
  t.ok((await change(issue.key, { stateId: stateId('Done') })).completedAt)
  t.equal((await change(issue.key, { stateId: stateId('Todo') })).completedAt, null)
  await refused(
    t,
    `/v1/issues/${issue.key}`,
    { stateId: stateId('Done', 'OPS') },
    400,
    /no state of the team ENG.*Done/
  )
})

t.test('a change that names a revision is refused when there was another since', async t => {
  const issue = await file()
  const send = (rev: string) =>
    server.call(`/v1/issues/${issue.key}`, { body: { title: `at ${rev}` }, headers: { 'if-match': rev } })
  t.equal((await send('"1"')).statusCode, 200)
  const late = await send('"1"')
  t.equal(late.statusCode, 412)
  t.match(late.json(), { code: 'PRECONDITION_FAILED', rev: 2 })
  t.equal((await send('nonsense')).statusCode, 400)
})

t.test('an issue of another team is a 404 when the team is named', async t => {
  const issue = await file()
  t.equal((await server.call(`/v1/issues/${issue.key}?teamId=eng`, { body: {} })).statusCode, 200)
  t.equal((await server.call(`/v1/issues/${issue.key}?teamId=${issue.teamId}`, { body: {} })).statusCode, 200)
  t.equal((await server.call(`/v1/issues/${issue.key}?teamId=OPS`, { body: {} })).statusCode, 404)
})

t.test('sub-issues are detached when their parent is removed, and never form a cycle', async t => {
  const [a, b, c] = [await file(), await file(), await file()]
  await change(b.key, { parentId: a.key })
  await change(c.key, { parentId: b.key })
  const answer = await refused(
    t,
    `/v1/issues/${a.key}`,
    { parentId: c.key },
    409,
    new RegExp(`${a.key} -> ${c.key} -> ${b.key} -> ${a.key}`)
  )
  t.strictSame(answer['path'], [a.key, c.key, b.key, a.key])
  await refused(t, `/v1/issues/${a.key}`, { parentId: a.key }, 409, /parent of itself/)
  t.strictSame(await server.ok(`/v1/issues/${b.key}`, { method: 'DELETE' }), { id: b.id, deleted: true })
  t.equal((await server.call(`/v1/issues/${b.key}`)).statusCode, 404)
  t.equal((await context(c.key)).parent, null)
  t.match((await context(c.key)).history.at(-1), { change: 'parent', from: b.key, to: null })
  t.strictSame((await context(a.key)).subIssues, [])
})

t.test('relations read from either side, once, and blockers make no circle', async t => {
  const [a, b, c] = [await file(), await file(), await file()]
  const relate = (issueId: string, type: string, relatedIssueId: string) =>
    server.ok<{ id: string }>('/v1/issue_relations', { body: { issueId, relatedIssueId, type } })
  await relate(a.key, 'BLOCKS', b.key)
  t.equal((await relate(b.key, 'BLOCKED', a.key)).id, (await relate(a.key, 'BLOCKS', b.key)).id, 'stored once')
  await relate(b.key, 'BLOCKS', c.key)
  await refused(
    t,
    '/v1/issue_relations',
    { issueId: c.key, relatedIssueId: a.key, type: 'BLOCKS' },
    409,
    new RegExp(`${c.key} -> ${a.key} -> ${b.key} -> ${c.key}`)
  )
  const duplicate = await relate(c.key, 'DUPLICATE_OF', a.key)
  t.match((await context(a.key)).relations.map(r => r.type).sort(), ['BLOCKS', 'DUPLICATE'])
  t.match((await context(c.key)).relations.map(r => r.type).sort(), ['BLOCKED', 'DUPLICATE_OF'])
  await relate(a.key, 'SIMILAR', c.key)
  t.equal((await context(c.key)).relations.length, 3)
  await server.ok(`/v1/issue_relations/${duplicate.id}`, { method: 'DELETE' })
  t.equal((await server.call(`/v1/issue_relations/${duplicate.id}`, { method: 'DELETE' })).statusCode, 404)
  await server.ok(`/v1/issues/${a.key}`, { method: 'DELETE' })
  t.match(
    (await context(c.key)).relations.map(r => r.type),
    ['BLOCKED'],
    'a deleted issue is in no relation'
  )
})

async function changesOf(issueId: string): Promise<object[]> {
  const { events } = await server.ok<{ events: Array<{ data: { changes: object[] } }> }>(
    `/v1/events?issueId=${issueId}&types=issue.updated`
  )
  return events.flatMap(({ data }) => data.changes)
}
const relation = (from: string | null, to: string | null) => ({ field: 'relation', from, to })

t.test('the issues to which new ones are related have an event, and a revision, of it', async t => {
  const [one, two] = [await file(), await file()]
  const issues = [
    { teamId: 'ENG', title: 'x', blockedByIds: [one.key, two.key] },
    { teamId: 'ENG', title: 'y', issueRelation: { type: 'BLOCKS', relatedIssueId: one.key } }
  ]
  const created = await server.ok<{ issues: Issue[] }>('/v1/issues/bulk', { body: { issues } })
  const [x, y] = created.issues
  t.strictSame(await changesOf(two.id), [relation(null, `${two.key} BLOCKS ${x!.key}`)])
  t.strictSame(await changesOf(one.id), [
    relation(null, `${one.key} BLOCKS ${x!.key}`),
    relation(null, `${y!.key} BLOCKS ${one.key}`)
  ])
  for (const { key } of [one, two]) t.match(await server.ok(`/v1/issues/${key}`), { rev: 2 })
})

t.test('events of a relation name both of its issues, also when it is removed', async t => {
  const [a, b] = [await file(), await file()]
  const { id } = await server.ok<{ id: string }>('/v1/issue_relations', {
    body: { issueId: a.key, relatedIssueId: b.key, type: 'BLOCKS' }
  })
  await server.ok(`/v1/issue_relations/${id}`, { method: 'DELETE' })
  await server.ok(`/v1/issues/${b.key}`, { body: { addBlockedByIds: [a.key] } })
  await server.ok(`/v1/issues/${b.key}`, { body: { removeBlockedByIds: [a.key] } })
  const blocks = `${a.key} BLOCKS ${b.key}`
  const expected = [
    relation(null, blocks),
    relation(blocks, null),
    relation(null, `${b.key} BLOCKED ${a.key}`),
    relation(blocks, null)
  ]
  t.strictSame(await changesOf(a.id), expected)
  t.strictSame(await changesOf(b.id), expected)
})

t.test('a link is found again in the context, and removed by its id there', async t => {
  const { key } = await file({ links: [{ url: 'https://example.org/wrong', title: 'The wrong page' }] })
  const [link] = (await context(key)).linkedIssues
  t.match(link, { title: 'The wrong page' })
  await server.ok(`/v1/issues/${key}/links/${link!.id}`, { method: 'DELETE' })
  t.strictSame((await context(key)).linkedIssues, [])
})

t.test('what blocks a new issue is there from the start, or the issue is not', async t => {
  const [one, two] = [await file({ title: 'one' }), await file({ title: 'two' })]
  const { key } = await file({
    title: 'blocked',
    blockedByIds: [one.key, two.id, one.id],
    issueRelation: { type: 'BLOCKED', relatedIssueId: one.id }
  })
  const { relations } = await context(key)
  t.same(relations.map(({ type, issue }) => [type, issue.key]).sort(), [
    ['BLOCKED', one.key],
    ['BLOCKED', two.key]
  ])
  const { total } = await server.ok<{ total: number }>('/v1/issues/filter', { body: { page: 1 } })
  await refused(t, '/v1/issues', { teamId: 'ENG', title: 'x', blockedByIds: [one.key, 'ENG-99999'] }, 404, /ENG-99999/)
  await refused(
    t,
    '/v1/issues',
    { teamId: 'ENG', title: 'x', blockedByIds: [one.key], issueRelation: { type: 'BLOCKS', relatedIssueId: two.key } },
    400,
    /not both/
  )
  t.equal((await server.ok<{ total: number }>('/v1/issues/filter', { body: { page: 1 } })).total, total)
})

t.test('fields and criteria change together, or neither', async t => {
  const { key } = await file({ title: 'before', descriptionMarkdown: '- [ ] a\n- [ ] b' })
  await refused(
    t,
    `/v1/issues/${key}`,
    { title: 'after', criteria: { met: ['c'] } },
    400,
    /The criteria are: 1\. a; 2\. b/
  )
  t.match(await server.ok(`/v1/issues/${key}`), { title: 'before', rev: 1 })
  t.match(await change(key, { title: 'after', descriptionMarkdown: '- [ ] c', criteria: { met: ['c'] } }), {
    title: 'after',
    descriptionMarkdown: '- [x] c'
  })
})

t.test('an empty list of criteria ticks nothing, with or without a description', async t => {
  for (const descriptionMarkdown of [null, 'No checklist.']) {
    const { key } = await file({ descriptionMarkdown })
    await server.ok(`/v1/issues/${key}/criteria`, { body: { met: [], unmet: [] } })
    await server.ok(`/v1/issues/${key}`, { body: { priority: 1, criteria: { met: [] } } })
    await server.ok(`/v1/issues/${key}`, { body: { descriptionMarkdown: null, criteria: {} } })
    await server.ok(`/v1/issue_comments?issueId=${key}`, { body: { bodyMarkdown: 'Done.', state: 'Done', met: [] } })
    t.match(await context(key), { priority: 1, state: { name: 'Done' } })
  }
})

t.test('an error of many changes names the one that it is about', async t => {
  const { key } = await file()
  const issues = [
    { issueId: key, priority: 1 },
    { issueId: key, state: 'Nope' }
  ]
  const refusal = await refused(t, '/v1/issues/bulk_change', { issues }, 400, /no state 'Nope'/)
  t.equal(refusal['field'], 'issues.1.state')
})

t.test('a criterion cannot be met and unmet in one request', async t => {
  const descriptionMarkdown = '- [ ] first\n- [x] second'
  const { key } = await file({ descriptionMarkdown })
  const body = { met: [1], unmet: [2, 'First'] }
  await refused(t, `/v1/issues/${key}/criteria`, body, 400, /Criterion 1 is both met and unmet/)
  await refused(t, `/v1/issues/${key}`, { criteria: body }, 400, /Criterion 1 is both met and unmet/)
  t.match(await context(key), { descriptionMarkdown })
})

t.test('criteria are ticked in place, by number or text', async t => {
  const text = 'Intro *with* `code`\r\n\r\n* [ ] first  \n  1. [X] nested\n* [ ] second | third\n\nend'
  const issue = await file({ descriptionMarkdown: text })
  t.same((await context(issue.key)).definitionOfDone, { met: 1, total: 3 })
  const ticked = await server.ok<Issue>(`/v1/issues/${issue.key}/criteria`, {
    body: { met: [1, 'second | third'], unmet: [2] }
  })
  t.equal(
    ticked.descriptionMarkdown,
    text.replace('[ ] first', '[x] first').replace('[X] nested', '[ ] nested').replace('[ ] second', '[x] second')
  )
  await refused(t, `/v1/issues/${issue.key}/criteria`, { met: [9] }, 400, /first/)
  await refused(t, `/v1/issues/${issue.key}/criteria`, { met: ['nope'] }, 400, /second/)
  t.same((await context(issue.key)).definitionOfDone, { met: 2, total: 3 })
})

t.test('picking up an issue assigns and starts it; others get a 409 that names its assignee', async t => {
  const issue = await file()
  const [one, two] = [await server.agent('Agent one'), await server.agent('Agent two')]
  const pickUp = (token: string, body = {}) =>
    server.call(`/v1/issues/${issue.key}/pick_up`, { token, method: 'POST', body })
  t.match((await pickUp(one.token)).json(), { assigneeId: one.id, stateCategory: 'STARTED', rev: 2 })
  t.match((await pickUp(one.token)).json(), { rev: 2 }, 'again: fine, unchanged')
  const refusal = await pickUp(two.token)
  t.equal(refusal.statusCode, 409)
  t.match(refusal.json(), { code: 'CONFLICT', message: /Agent one since 20/, holder: { fullname: 'Agent one' } })
  t.match((await pickUp(two.token, { takeover: true })).json(), { assigneeId: two.id })
  await change(issue.key, { stateId: stateId('Done') })
  t.match((await pickUp(two.token)).json(), { statusCode: 409, message: /closed/ })
})

t.test('moved to another team, an issue has a new key; the old one still finds it', async t => {
  const issue = await file({ stateId: stateId('In Review') })
  const moved = await server.ok<Issue>(`/v1/issues/${issue.key}/move`, { body: { teamId: 'ops' } })
  t.match(moved.key, /^OPS-/)
  t.equal(moved.stateId, stateId('In Review', 'OPS'))
  t.equal((await context(issue.key)).key, moved.key)
  t.strictSame(
    (await context(moved.key)).history.map(h => h.change),
    ['team'],
    'a state of the same name is no change for a reader'
  )
})

t.test('another workspace sees nothing of this one', async t => {
  const issue = await file({ title: 'secret' })
  const { token, id } = await server.otherWorkspace()
  for (const [path, body] of [
    [`/v1/issues/${issue.id}`],
    [`/v1/issues/${issue.key}/context`],
    [`/v1/issues/${issue.id}`, { title: 'x' }],
    [`/v1/issues/${issue.id}/pick_up`, {}],
    ['/v1/issues', { teamId: issue.teamId, title: 'x' }],
    [`/v1/issue_comments?issueId=${issue.id}`, { bodyMarkdown: 'x' }]
  ] as const) {
    t.equal((await server.call(path, { token, ...(body && { body }) })).statusCode, 404, path)
  }
  t.strictSame(await server.ok('/v1/issues/filter', { token, body: {} }), [])
  t.equal((await server.call('/v1/issues/filter', { body: { workspaceId: id } })).statusCode, 404)
})

t.test('the answer to a write has the markdown, and the stored description only when that is asked for', async t => {
  const body = { teamId: 'ENG', title: 'x', descriptionMarkdown: '- [ ] **a**' }
  const created = await server.call('/v1/issues', { body })
  const { key } = created.json<Issue>()
  const writes: Array<[string, object]> = [
    ['/v1/issues', body],
    [`/v1/issues/${key}`, { title: 'y' }],
    [`/v1/issues/${key}/criteria`, { met: [1] }],
    [`/v1/issues/${key}/pick_up`, {}]
  ]
  for (const [path, body] of writes) {
    const plain = await server.call(path, { body })
    t.match(plain.json(), { descriptionMarkdown: /\*\*a\*\*/ })
    t.notHas(plain.json(), { description: {} }, path)
    const whole = await server.call(path, { body, headers: { prefer: 'respond-async, return=representation' } })
    t.match(whole.json(), { description: { type: 'doc' } }, path)
    t.equal(whole.headers['preference-applied'], 'return=representation')
  }
  const bulk = { issues: [body] }
  t.notHas((await server.ok<{ issues: object[] }>('/v1/issues/bulk', { body: bulk })).issues[0], { description: {} })
  t.match(await server.ok('/v1/issues/bulk', { body: bulk, headers: { prefer: 'return=representation' } }), {
    issues: [{ description: { type: 'doc' } }]
  })
})
