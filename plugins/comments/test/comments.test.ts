import t from 'tap'
import { onPostgres, testServer, type TestServer } from '../../../test/runner/harness.ts'

interface Comment {
  id: string
  parentId: string | null
  bodyMarkdown: string
  body: object
  author: { fullname: string }
}
interface Context {
  comments: Array<{ id: string; bodyMarkdown: string; replies: Array<{ bodyMarkdown: string }> }>
  state: { category: string }
  history: object[]
}

let server: TestServer
let done: string
t.before(async () => {
  server = await testServer()
  const directory = await server.ok<{ teams: Array<{ states: Array<{ id: string; category: string }> }> }>(
    '/v1/workspace'
  )
  done = directory.teams[0]!.states.find(s => s.category === 'COMPLETED')!.id
})
t.teardown(() => server.close())
const file = async () =>
  (await server.ok<{ key: string }>('/v1/issues', { body: { teamId: 'ENG', title: 'Discussed' } })).key
const comment = (key: string, body: object, token?: string) =>
  server.call(`/v1/issue_comments?issueId=${key}`, {
    body,
    headers: { prefer: 'return=representation' },
    ...(token && { token })
  })

t.test('comments and replies, oldest first, one level deep', async t => {
  const key = await file()
  const first = (await comment(key, { bodyMarkdown: 'first **bold**' })).json<Comment>()
  t.match(first, {
    bodyMarkdown: 'first **bold**',
    body: { type: 'doc' },
    parentId: null,
    author: { fullname: 'Administrator' }
  })
  const reply = (await comment(key, { bodyMarkdown: 'reply', parentId: first.id })).json<Comment>()
  const second = (await comment(key, { bodyMarkdown: 'to the reply', parentId: reply.id })).json<Comment>()
  t.equal(second.parentId, first.id, 'a reply to a reply joins its thread')
  await comment(key, { bodyMarkdown: 'last' })
  const { comments } = await server.ok<Context>(`/v1/issues/${key}/context`)
  t.match(comments, [
    { bodyMarkdown: 'first **bold**', replies: [{ bodyMarkdown: 'reply' }, { bodyMarkdown: 'to the reply' }] },
    { bodyMarkdown: 'last', replies: [] }
  ])
  t.strictSame(
    (await server.ok<Comment[]>(`/v1/issue_comments?issueId=${key}`)).map(c => c.bodyMarkdown),
    ['first **bold**', 'reply', 'to the reply', 'last']
  )

  await server.ok(`/v1/issue_comments/${first.id}`, { method: 'DELETE' })
  t.strictSame(
    (await server.ok<Context>(`/v1/issues/${key}/context`)).comments.map(c => c.bodyMarkdown),
    ['last'],
    'with its replies'
  )
  t.equal((await server.call(`/v1/issue_comments/${reply.id}`)).statusCode, 404)
})

t.test('only its author or an administrator changes one', async t => {
  const key = await file()
  const [author, other] = [
    await server.agent('Author', ['read', 'write', 'delete']),
    await server.agent('Other', ['read', 'write', 'delete'])
  ]
  const { id } = (await comment(key, { bodyMarkdown: 'mine' }, author.token)).json<Comment>()
  const edit = (token: string) => server.call(`/v1/issue_comments/${id}`, { token, body: { bodyMarkdown: 'edited' } })
  t.equal((await edit(other.token)).statusCode, 403)
  t.match((await edit(author.token)).json(), { bodyMarkdown: 'edited' })
  t.equal((await edit(server.token)).statusCode, 200)
  t.strictSame(await server.ok(`/v1/issue_comments/${id}`, { token: author.token, method: 'DELETE' }), {
    id,
    deleted: true
  })
})

t.test('a resolution and the closing are both or neither', async t => {
  const key = await file()
  t.equal((await comment(key, { bodyMarkdown: 'fixed', stateId: done })).statusCode, 201)
  t.match(await server.ok<Context>(`/v1/issues/${key}/context`), {
    comments: [{ bodyMarkdown: 'fixed' }],
    state: { category: 'COMPLETED' },
    history: [{ change: 'state' }]
  })
  const other = await file()
  t.equal(
    (await comment(other, { bodyMarkdown: 'lost?', stateId: '00000000-0000-7000-8000-000000000000' })).statusCode,
    400
  )
  t.match(await server.ok<Context>(`/v1/issues/${other}/context`), { comments: [], state: { category: 'UNSTARTED' } })
})

t.test('bad input is refused and loses nothing', async t => {
  const key = await file()
  for (const [body, status] of [
    [{}, 400],
    [{ bodyMarkdown: '' }, 400],
    [{ bodyMarkdown: '  \n ' }, 400],
    [{ bodyMarkdown: 5 }, 400],
    [{ text: 'x' }, 400],
    [{ body: { type: 'doc' } }, 400],
    [{ bodyMarkdown: 'x', parentId: '00000000-0000-7000-8000-000000000000' }, 404],
    [{ bodyMarkdown: 'x'.repeat(1024 * 1024 + 1) }, 413]
  ] as const) {
    const answer = await comment(key, body)
    t.equal(answer.statusCode, status, answer.body.slice(0, 200))
  }
  t.equal((await comment('ENG-9999', { bodyMarkdown: 'x' })).statusCode, 404)
  t.equal((await server.call('/v1/issue_comments', { body: { bodyMarkdown: 'x' } })).statusCode, 400)
  t.strictSame(await server.ok(`/v1/issue_comments?issueId=${key}`), [])
})

t.test('concurrent comments are all there', async t => {
  const key = await file()
  const n = onPostgres ? 100 : 20
  await Promise.all(Array.from({ length: n }, (_, i) => comment(key, { bodyMarkdown: `c${i}` })))
  t.equal((await server.ok<Comment[]>(`/v1/issue_comments?issueId=${key}`)).length, n)
})

t.test('what the database writes has no spaces that an agent would pay for', async t => {
  const { key } = await server.ok<{ key: string }>('/v1/issues', {
    body: {
      teamId: 'ENG',
      title: 'Small',
      descriptionMarkdown: '- [ ] a criterion',
      subIssues: [{ title: 'part' }],
      links: [{ url: 'https://example.com', title: 'A page' }]
    }
  })
  await server.ok(`/v1/issue_comments?issueId=${key}`, { body: { bodyMarkdown: 'A note.' } })
  await server.ok(`/v1/issues/${key}`, { body: { priority: 2 } })
  for (const [path, sent] of [
    [`/v1/issues/${key}/context`],
    [`/v1/issues/${key}`],
    [`/v1/issue_comments?issueId=${key}`],
    ['/v1/workspace'],
    ['/v1/issues/filter', { page: 1 }],
    ['/v1/issues/filter', {}]
  ] as const) {
    const { body } = await server.call(path, { body: sent })
    t.equal(body, JSON.stringify(JSON.parse(body)), path)
  }
})

t.test('an issue that is closed is not closed again, and nothing is added to it', async t => {
  const key = await file()
  await server.ok(`/v1/issue_comments?issueId=${key}`, { body: { bodyMarkdown: 'Solved so.', stateId: done } })
  const before = await server.ok<Context>(`/v1/issues/${key}/context`)
  const again = await comment(key, { bodyMarkdown: 'Solved otherwise.', stateId: done })
  t.equal(again.statusCode, 409)
  t.match(again.json(), { message: /^ENG-\d+ is already closed \(Done\)/, state: { category: 'COMPLETED' } })
  t.strictSame(await server.ok<Context>(`/v1/issues/${key}/context`), before)
})

t.test('one of several concurrent requests to close an issue succeeds; the others learn that it is closed', async t => {
  const key = await file()
  const answers = await Promise.all(
    Array.from({ length: 5 }, (_, n) => comment(key, { bodyMarkdown: `Solved by ${n}.`, stateId: done }))
  )
  t.strictSame(answers.map(answer => answer.statusCode).sort(), [201, 409, 409, 409, 409])
  t.equal((await server.ok<Context>(`/v1/issues/${key}/context`)).comments.length, 1)
})
