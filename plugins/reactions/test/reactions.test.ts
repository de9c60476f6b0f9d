import { sql } from 'kysely'
import t from 'tap'
import { testServer, type TestServer } from '../../../test/runner/harness.ts'

interface Reaction {
  commentId: string
  emoji: string
  count: number
  isOwn: boolean
  by: Array<{ fullname: string }>
}
let server: TestServer
let token: string
t.before(async () => {
  server = await testServer()
  token = (await server.agent('Builder', ['read', 'write', 'delete'])).token
})
t.teardown(() => server.close())

const file = () => server.ok<{ id: string; key: string }>('/v1/issues', { body: { teamId: 'ENG', title: 'x' } })
const comment = (key: string) =>
  server.ok<{ id: string }>(`/v1/issue_comments?issueId=${key}`, { body: { bodyMarkdown: 'Done.' } })
const stored = async (id: string) => {
  const { rows } = await sql`select 1 from reaction where comment_id = ${id}`.execute(server.database.db)
  return rows.length
}

t.test('an account reacts to a comment with each emoji once, and takes it back', async t => {
  const { key } = await file()
  const [{ id }, other] = [await comment(key), await comment(key)]
  const path = `/v1/issue_comments/${id}/reactions`
  const heart = { body: { emoji: 'HEART' } }
  t.match(await server.ok(path, heart), [{ commentId: id, emoji: 'HEART', count: 1, isOwn: true }])
  t.match(await server.ok(path, heart), [{ count: 1 }], 'again changes nothing')
  await server.ok(path, { ...heart, token })
  await server.ok(path, { body: { emoji: 'EYES' }, token })
  await server.ok(`/v1/issue_comments/${other.id}/reactions`, { body: { emoji: 'HOORAY' } })
  t.match(await server.ok(path), [
    { emoji: 'HEART', count: 2, isOwn: true, by: [{ fullname: 'Administrator' }, { fullname: 'Builder' }] },
    { emoji: 'EYES', count: 1, isOwn: false, by: [{ fullname: 'Builder' }] }
  ])
  const all = await server.ok<Reaction[]>(`/v1/issues/${key}/reactions`)
  t.equal(all.length, 3, 'those of all comments of the issue')
  t.strictSame(
    (await server.ok<Reaction[]>(`${path}/HEART`, { method: 'DELETE' })).map(({ by }) => by.length),
    [1, 1]
  )
  t.match(await server.ok(`${path}/HEART`, { method: 'DELETE' }), [{ count: 1, isOwn: false }, {}])
})

t.test('only with one of the six, and where the comment is', async t => {
  const { key } = await file()
  const { id } = await comment(key)
  const path = `/v1/issue_comments/${id}/reactions`
  const refused = await server.call(path, { body: { emoji: 'ROCKET' } })
  t.equal(refused.statusCode, 400)
  t.match(refused.body, /THUMBS_UP/)
  const { token: reader } = await server.agent('Reader', ['read'])
  t.equal((await server.call(path, { body: { emoji: 'HEART' }, token: reader })).statusCode, 403)
  await server.ok(path, { body: { emoji: 'HEART' } })
  await server.ok(`/v1/issue_comments/${id}`, { method: 'DELETE' })
  for (const request of [{}, { body: { emoji: 'EYES' } }]) t.equal((await server.call(path, request)).statusCode, 404)
  t.strictSame(await server.ok(`/v1/issues/${key}/reactions`), [])
  await server.ok(`/v1/issue_comments/${id}/restore`, { method: 'POST' })
  t.match(await server.ok(path), [{ emoji: 'HEART' }], 'they are there again with it')
})

t.test('they are removed for good with the comment, and with the issue', async t => {
  const { id: issueId, key } = await file()
  const [one, two] = [await comment(key), await comment(key)]
  for (const { id } of [one, two]) await server.ok(`/v1/issue_comments/${id}/reactions`, { body: { emoji: 'HEART' } })
  await server.ok(`/v1/issue_comments/${one.id}?permanently=true`, { method: 'DELETE' })
  t.strictSame([await stored(one.id), await stored(two.id)], [0, 1])
  await server.ok(`/v1/issues/${issueId}?permanently=true`, { method: 'DELETE' })
  t.equal(await stored(two.id), 0)
})
