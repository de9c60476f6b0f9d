import t from 'tap'
import { testServer, type TestServer } from '../../../test/runner/harness.ts'

interface Agent {
  id: string
  fullname: string
  scopes: string[]
  token: string
  lastUsedAt: string | null
  createdBy: { fullname: string }
}

let server: TestServer
t.before(async () => {
  server = await testServer({ plugins: ['workspace', 'agents', 'issues'] })
})
t.teardown(() => server.close())

t.test('an agent has the scopes read and write by default; its token is shown once', async t => {
  const agent = await server.ok<Agent>('/v1/users/agents', { body: { name: 'Ada' } })
  t.match(agent, {
    fullname: 'Ada',
    kind: 'AGENT',
    scopes: ['read', 'write'],
    createdBy: { fullname: 'Administrator' },
    token: /^trk_/
  })
  t.match(await server.ok('/v1/users/me', { token: agent.token }), {
    kind: 'AGENT',
    scopes: ['read', 'write'],
    role: 'MEMBER'
  })
  let listed = await server.call('/v1/users/agents')
  // The request above did not wait until its use of the token was stored.
  while (listed.json<Agent[]>()[0]?.lastUsedAt === null) listed = await server.call('/v1/users/agents')
  t.notMatch(listed.body, agent.token)
  t.match(listed.json(), [{ id: agent.id, lastUsedAt: String }])
  t.strictSame(
    (await server.ok<Agent>('/v1/users/agents', { body: { name: 'Del', scopes: ['delete', 'read'] } })).scopes,
    ['delete', 'read']
  )
  for (const body of [
    {},
    { name: '' },
    { name: 'x', scopes: ['admin'] },
    { name: 'x', scopes: [] },
    { name: 'x', role: 'ADMIN' }
  ]) {
    t.equal((await server.call('/v1/users/agents', { body })).statusCode, 400, JSON.stringify(body))
  }
})

t.test('an agent from before there were scopes has the default ones', async t => {
  const { id, token } = await server.agent('Old')
  await server.database.db.updateTable('account').set({ scopes: null }).where('id', '=', id).execute()
  t.match(await server.ok('/v1/users/me', { token }), { scopes: ['read', 'write'] })
  t.equal((await server.call('/v1/issues/ENG-1', { token, method: 'DELETE' })).statusCode, 403)
})

t.test('scopes change from the next request on', async t => {
  const { id, token } = await server.agent('Changing', ['read'])
  const file = async () => (await server.call('/v1/issues', { token, body: { teamId: 'ENG', title: 'x' } })).statusCode
  t.equal(await file(), 403)
  await server.ok(`/v1/users/agents/${id}`, { body: { scopes: ['read', 'write'], name: 'Changed' } })
  t.equal(await file(), 201)
})

t.test('rotation kills the former token; removal kills it and keeps the name in history', async t => {
  const { id, token } = await server.agent('Bob')
  const { token: fresh } = await server.ok<Agent>(`/v1/users/agents/${id}/token`, { method: 'POST', body: {} })
  t.equal((await server.call('/v1/users/me', { token })).statusCode, 401)
  const { key } = await server.ok<{ key: string }>('/v1/issues', { token: fresh, body: { teamId: 'ENG', title: 'x' } })
  await server.ok(`/v1/issues/${key}`, { token: fresh, body: { priority: 1 } })
  t.same(await server.ok(`/v1/users/agents/${id}`, { method: 'DELETE' }), { id, deleted: true })
  t.equal((await server.call('/v1/users/me', { token: fresh })).statusCode, 401)
  t.match(await server.ok(`/v1/issues/${key}/context`), { history: [{ actor: 'Bob', change: 'priority' }] })
  t.equal((await server.call(`/v1/users/agents/${id}`, { body: { name: 'x' } })).statusCode, 404)
})

t.test('the use of a token is noted at most once a minute', async t => {
  let time = Date.parse('2026-01-01T00:00:00Z')
  const server = await testServer({ plugins: ['workspace', 'agents'], now: () => new Date(time) })
  t.teardown(() => server.close())
  const { token } = await server.agent('Used')
  const used = async () => {
    await server.ok('/v1/users/me', { token })
    await new Promise(resolve => setTimeout(resolve, 100))
    return (await server.ok<Agent[]>('/v1/users/agents'))[0]!.lastUsedAt
  }
  t.equal(await used(), '2026-01-01T00:00:00.000Z')
  time += 59_000
  t.equal(await used(), '2026-01-01T00:00:00.000Z')
  time += 2_000
  t.equal(await used(), '2026-01-01T00:01:01.000Z')
})

t.test('only administrators make agents, and only in their workspace', async t => {
  const { id, token } = await server.agent('Agent')
  t.match((await server.call('/v1/users/agents', { token, body: { name: 'x' } })).json(), { code: 'ADMIN_REQUIRED' })
  const other = await server.otherWorkspace()
  t.equal((await server.call(`/v1/users/agents/${id}`, { token: other.token, method: 'DELETE' })).statusCode, 404)
  t.strictSame(await server.ok('/v1/users/agents', { token: other.token }), [])
})
