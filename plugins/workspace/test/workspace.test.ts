import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import t from 'tap'
import { onPostgres, testServer, type TestServer } from '../../../test/runner/harness.ts'
import { runInProcess } from '../../../test/runner/run-in-process.ts'
import { fillDataDirectory } from '../../../test/runner/templates.ts'

interface Account {
  id: string
  kind: string
  role: string
  token: string
  fullname: string
  email: string
}
interface State {
  id: string
  name: string
  category: string
  position: number
}

let server: TestServer
t.before(async () => {
  server = await testServer({ plugins: ['workspace', 'agents', 'issues'] })
})
t.teardown(() => server.close())
const status = async (path: string, call = {}) => (await server.call(path, call)).statusCode

t.test('the first start made a workspace, an administrator, a team with its states, and labels', async t => {
  t.match(await server.ok('/v1/users/me'), {
    kind: 'PERSON',
    role: 'ADMIN',
    scopes: null,
    email: 'admin@localhost',
    workspace: { name: 'Tracker' }
  })
  t.match(await server.ok('/v1/teams'), [{ identifier: 'ENG', name: 'Engineering' }])
  t.match(
    (await server.ok<State[]>('/v1/eng/workflows')).map(s => [s.name, s.category]),
    [
      ['Triage', 'TRIAGE'],
      ['Backlog', 'BACKLOG'],
      ['Todo', 'UNSTARTED'],
      ['In Progress', 'STARTED'],
      ['In Review', 'STARTED'],
      ['Done', 'COMPLETED'],
      ['Canceled', 'CANCELED']
    ]
  )
  t.match(
    (await server.ok<Array<{ name: string }>>('/v1/labels')).map(l => l.name),
    ['Bug', 'Docs', 'Feature']
  )
})

t.test('people: added with a token that works, changed, removed; the last administrator stays', async t => {
  const person = await server.ok<Account>('/v1/users', { body: { email: 'eve@example.org', fullname: 'Eve' } })
  t.match(await server.ok('/v1/users/me', { token: person.token }), { fullname: 'Eve', role: 'MEMBER' })
  t.equal(await status('/v1/users', { token: person.token, body: { email: 'x@example.org', fullname: 'X' } }), 403)
  t.equal(await status('/v1/users', { body: { email: 'EVE@example.org', fullname: 'Twin' } }), 409)
  t.equal(await status(`/v1/users/${person.id}`, { token: person.token, body: { role: 'ADMIN' } }), 403)
  t.match(await server.ok(`/v1/users/${person.id}`, { token: person.token, body: { fullname: 'Eve E.' } }), {
    fullname: 'Eve E.'
  })
  const { id } = await server.ok<Account>('/v1/users/me')
  t.equal(await status(`/v1/users/${id}`, { method: 'DELETE' }), 409)
  t.equal(await status(`/v1/users/${id}`, { body: { role: 'MEMBER' } }), 409)
  await server.ok(`/v1/users/${person.id}`, { method: 'DELETE' })
  t.equal(await status('/v1/users/me', { token: person.token }), 401)
})

t.test(
  'an id in capital letters is the same one: the last administrator stays, a person changes themselves',
  async t => {
    const { id } = await server.ok<Account>('/v1/users/me')
    t.equal(await status(`/v1/users/${id.toUpperCase()}`, { method: 'DELETE' }), 409)
    t.equal(await status(`/v1/users/${id.toUpperCase()}`, { body: { role: 'MEMBER' } }), 409)
    const person = await server.ok<Account>('/v1/users', { body: { email: 'cap@example.org', fullname: 'Cap' } })
    const path = `/v1/users/${person.id.toUpperCase()}`
    t.match(await server.ok(path, { token: person.token, body: { fullname: 'Capital' } }), { fullname: 'Capital' })
    t.strictSame(await server.ok(path, { method: 'DELETE' }), { id: person.id, deleted: true })
  }
)

t.test('tokens of one’s own: shown once, listed without, revoked by oneself only', async t => {
  const token = await server.ok<{ id: string; token: string }>('/v1/users/pat', { body: { name: 'laptop' } })
  t.equal(await status('/v1/users/me', { token: token.token }), 200)
  const listed = await server.call('/v1/users/pats')
  t.ok(listed.json<Array<{ id: string }>>().some(pat => pat.id === token.id))
  t.notMatch(listed.body, token.token)
  const other = await server.ok<Account>('/v1/users', { body: { email: 'o@example.org', fullname: 'Other' } })
  t.equal(await status(`/v1/users/pats/${token.id}`, { token: other.token, method: 'DELETE' }), 404)
  t.equal(await status('/v1/users/pat', { body: { name: 'x', expiresAt: '2020-01-01T00:00:00Z' } }), 400)
  const agent = await server.agent('No tokens')
  t.equal(await status('/v1/users/pat', { token: agent.token, body: { name: 'x' } }), 403)
})

t.test('a token ends when it expires', async t => {
  let time = Date.now()
  const server = await testServer({ plugins: ['workspace'], now: () => new Date(time) })
  t.teardown(() => server.close())
  const { token } = await server.ok<{ token: string }>('/v1/users/pat', {
    body: { name: 'short', expiresAt: new Date(time + 60_000).toISOString() }
  })
  t.equal((await server.call('/v1/users/me', { token })).statusCode, 200)
  time += 60_000
  t.equal((await server.call('/v1/users/me', { token })).statusCode, 401)
})

t.test('states: ordered, changed, kept while issues are in them', async t => {
  const team = await server.ok<{ id: string; identifier: string }>('/v1/teams', {
    body: { identifier: 'qa', name: 'Quality' }
  })
  t.equal(team.identifier, 'QA')
  t.equal(await status('/v1/teams', { body: { identifier: 'Qa', name: 'Again' } }), 409)
  const state = await server.ok<State>('/v1/QA/workflows', { body: { name: 'Blocked', category: 'STARTED' } })
  const names = async () => (await server.ok<State[]>('/v1/QA/workflows')).map(s => s.name)
  t.strictSame((await names()).slice(3, 6), ['In Progress', 'In Review', 'Blocked'])
  await server.ok(`/v1/QA/workflows/${state.id}`, { body: { position: -1, name: 'Waiting' } })
  t.equal((await names())[3], 'Waiting')
  t.equal(await status('/v1/QA/workflows', { body: { name: 'waiting', category: 'STARTED' } }), 409)
  const { key } = await server.ok<{ key: string }>('/v1/issues', {
    body: { teamId: 'QA', title: 'x', stateId: state.id }
  })
  t.match((await server.call(`/v1/QA/workflows/${state.id}`, { method: 'DELETE' })).json(), {
    statusCode: 409,
    message: /1 issue/
  })
  t.equal(await status('/v1/teams/QA', { method: 'DELETE' }), 409)
  await server.ok(`/v1/issues/${key}`, { method: 'DELETE' })
  t.same(await server.ok(`/v1/QA/workflows/${state.id}`, { method: 'DELETE' }), { id: state.id, deleted: true })
  await server.ok('/v1/teams/QA', { method: 'DELETE' })
  t.equal(await status('/v1/QA/workflows'), 404)
})

t.test('labels: made, renamed, removed from where they were', async t => {
  const label = await server.ok<{ id: string }>('/v1/labels', { body: { name: 'Urgent', color: '#ff0000' } })
  t.equal(await status('/v1/labels', { body: { name: 'urgent' } }), 409)
  t.equal(await status('/v1/labels', { body: { name: 'x', color: 'red' } }), 400)
  const { key } = await server.ok<{ key: string }>('/v1/issues', {
    body: { teamId: 'ENG', title: 'x', labelIds: [label.id] }
  })
  await server.ok(`/v1/labels/${label.id}`, { body: { name: 'Hot' } })
  t.match(await server.ok(`/v1/issues/${key}/context`), { labels: [{ name: 'Hot' }] })
  await server.ok(`/v1/labels/${label.id}`, { method: 'DELETE' })
  t.match(await server.ok(`/v1/issues/${key}/context`), { labels: [] })
  t.match(await server.ok(`/v1/issues/${key}`), { labelIds: [] })
})

t.test('another workspace’s things do not exist', async t => {
  const { token } = await server.otherWorkspace()
  const [label] = await server.ok<Array<{ id: string }>>('/v1/labels')
  const { id } = await server.ok<Account>('/v1/users/me')
  t.equal(await status('/v1/ENG/workflows', { token }), 404)
  t.equal(await status(`/v1/labels/${label!.id}`, { token }), 404)
  t.equal(await status(`/v1/users/${id}`, { token, body: { fullname: 'Mine' } }), 404)
  t.equal(await status(`/v1/users/${id}`, { token, method: 'DELETE' }), 404)
})

t.test(
  'replicas that start together on an empty database make one workspace',
  { skip: !onPostgres && 'the embedded database has one process' },
  async t => {
    const first = await testServer({ plugins: ['workspace'] })
    t.teardown(() => first.close())
    const others = await Promise.all([1, 2, 3].map(() => testServer({ plugins: ['workspace'], on: first })))
    t.equal((await first.database.db.selectFrom('workspace').select('id').execute()).length, 1)
    await Promise.all(others.map(other => other.close()))
  }
)

t.test('a lost token is replaced from the command line', async t => {
  const server = await testServer({ plugins: ['workspace'] })
  t.teardown(() => server.close())
  const run = (...args: string[]) => runInProcess(server, args)
  const { code, out } = await run('token', '--email', 'admin@localhost')
  t.equal(code, 0)
  t.match(out, /^trk_[0-9A-Za-z]{46}\n$/)
  t.match(await server.ok('/v1/users/me', { token: out.trim() }), { email: 'admin@localhost' })
  t.match(await run('token', '--email', 'nobody@localhost'), { code: 1, out: '', err: /Nobody here/ })
  t.match(await run('tokn'), { code: 1, out: '', err: /no command 'tokn'[\s\S]*token --email/ })
})

t.test('an administrator’s token that is none ends the start, and says what to do', async t => {
  const env = { PATH: process.env['PATH'], TRACKER_DATA_DIR: t.testdir(), TRACKER_ADMIN_TOKEN: 'secret' }
  await fillDataDirectory(env.TRACKER_DATA_DIR)
  const start = promisify(execFile)(process.execPath, ['--require', './core/start/preload.cjs', 'core/main.ts'], {
    env,
    cwd: new URL('../../..', import.meta.url)
  })
  await t.rejects(start, /adminToken \(TRACKER_ADMIN_TOKEN\) is not a well-formed token: leave it out/)
})
