import t from 'tap'
import { toolResult } from '../../../test/runner/call-tool.ts'
import { testServer, type TestServer } from '../../../test/runner/harness.ts'

interface Context {
  rev: number
  state: { name: string; category: string }
  comments: Array<{ bodyMarkdown: string }>
  relations: Array<{ type: string; issue: { key: string } }>
  history: Array<{ change: string; from: string | null; to: string | null }>
}

let server: TestServer
t.before(async () => {
  server = await testServer()
})
t.teardown(() => server.close())

const file = async (title: string) =>
  (await server.ok<{ key: string }>('/v1/issues', { body: { teamId: 'ENG', title, descriptionMarkdown: '- [ ] a' } }))
    .key
const context = (key: string) => server.ok<Context>(`/v1/issues/${key}/context`)
const comment = (key: string, body: object, token?: string) =>
  server.call(`/v1/issue_comments?issueId=${key}`, { body, ...(token && { token }) })

t.test('an issue is closed as a duplicate of another: note, state and relation, or none of them', async t => {
  const [original, copy] = [await file('Original'), await file('Copy')]
  const before = await context(copy)
  for (const [duplicateOf, status] of [
    [copy, 400],
    ['ENG-9999', 404]
  ] as const) {
    const refused = await comment(copy, { bodyMarkdown: 'The same.', duplicateOf })
    t.equal(refused.statusCode, status, refused.body)
  }
  const open = await comment(copy, { bodyMarkdown: 'The same.', duplicateOf: original, state: 'Todo' })
  t.match(open.json(), { statusCode: 400, message: /categories COMPLETED, CANCELED 'Todo'; there are: / })
  t.strictSame(await context(copy), before, 'what was refused left nothing')

  const added = await comment(copy, { bodyMarkdown: 'The same.', duplicateOf: original.toLowerCase() })
  t.match(added.json(), { issue: { key: copy, state: { name: 'Canceled', category: 'CANCELED' } } })
  t.match(await context(copy), {
    state: { category: 'CANCELED' },
    comments: [{ bodyMarkdown: 'The same.' }],
    relations: [{ type: 'DUPLICATE_OF', issue: { key: original } }]
  })
  t.match((await context(original)).relations, [{ type: 'DUPLICATE', issue: { key: copy } }])
  const again = await comment(copy, { bodyMarkdown: 'The same.', duplicateOf: original })
  t.equal(again.statusCode, 409)
})

t.test('with a state it is closed into that one, and criteria are ticked in the same transaction', async t => {
  const [original, copy] = [await file('Original'), await file('Copy')]
  const added = await comment(copy, { bodyMarkdown: 'Done there.', duplicateOf: original, state: 'Done', met: [1] })
  t.match(added.json(), { issue: { state: { name: 'Done' } }, unmet: undefined })
  t.match((await context(copy)).relations, [{ type: 'DUPLICATE_OF', issue: { key: original } }])
})

t.test('of several categories the first is preferred, and the state must be of one of them', async t => {
  const [first, second] = [await file('First'), await file('Second')]
  const body = { bodyMarkdown: 'Not needed.', stateCategory: ['CANCELED', 'COMPLETED'] }
  t.match((await comment(first, body)).json(), { issue: { state: { name: 'Canceled' } } })
  t.match((await comment(second, { ...body, state: 'Done' })).json(), { issue: { state: { name: 'Done' } } })
})

t.test('two issues that are closed as duplicates of each other at once are both closed', async t => {
  const [one, two] = [await file('One'), await file('Two')]
  const answers = await Promise.all([
    comment(one, { bodyMarkdown: 'x', duplicateOf: two }),
    comment(two, { bodyMarkdown: 'x', duplicateOf: one })
  ])
  t.strictSame(
    answers.map(({ statusCode }) => statusCode),
    [201, 201]
  )
})

t.test('an agent with the scope delete removes comments of others, and changes none', async t => {
  const key = await file('Discussed')
  const cleaner = (await server.agent('Cleaner', ['read', 'write', 'delete'])).token
  const writer = (await server.agent('Writer', ['read', 'write'])).token
  const { id } = (await comment(key, { bodyMarkdown: 'By a person.' })).json<{ id: string }>()
  const reply = await comment(key, { bodyMarkdown: 'A reply.', parentId: id }, writer)
  t.equal(reply.statusCode, 201)
  const path = `/v1/issue_comments/${id}`
  t.match((await server.call(path, { method: 'DELETE', token: writer })).json(), { requiredScope: 'delete' })
  t.equal((await server.call(path, { body: { bodyMarkdown: 'Changed.' }, token: cleaner })).statusCode, 403)
  t.match(await server.ok(path, { method: 'DELETE', token: cleaner }), { id, deleted: true })
  t.strictSame((await context(key)).comments, [])

  const body = { email: 'member@example.com', fullname: 'Member', role: 'MEMBER' }
  const { token: member } = await server.ok<{ token: string }>('/v1/users', { body })
  const { id: other } = (await comment(key, { bodyMarkdown: 'Another.' })).json<{ id: string }>()
  const refused = await server.call(`/v1/issue_comments/${other}`, { method: 'DELETE', token: member })
  t.equal(refused.statusCode, 403, 'a person has no scopes: only its author or an administrator')
})

t.test('close_task completes a task, and cancels none because its team has no state that completes', async t => {
  await server.ok('/v1/teams', { body: { name: 'None', identifier: 'NONE' } })
  const states = await server.ok<Array<{ id: string; category: string }>>('/v1/NONE/workflows')
  for (const { id } of states.filter(({ category }) => category === 'COMPLETED')) {
    await server.ok(`/v1/NONE/workflows/${id}`, { method: 'DELETE' })
  }
  const { key } = await server.ok<{ key: string }>('/v1/issues', { body: { teamId: 'NONE', title: 'One' } })
  const close = (more: object) => toolResult(server, 'close_task', { task: key, resolution: 'Done.', ...more })
  t.match(await close({}), { isError: true, content: [{ text: /no state of the category COMPLETED/ }] })
  t.match(await close({ state: 'Canceled' }), { structuredContent: { state: 'Canceled' } })
})
