import t from 'tap'
import { onPostgres, testServer, type TestServer } from '../../../test/runner/harness.ts'

interface Issue {
  id: string
  key: string
  stateId: string
  stateCategory: string
  completedAt: string | null
  rev: number
}
interface State {
  id: string
  name: string
}

let server: TestServer
t.before(async () => {
  server = await testServer()
  await server.ok('/v1/teams', { body: { identifier: 'OPS', name: 'Operations' } })
})
t.teardown(() => server.close())

const rounds = onPostgres ? 20 : 2
const file = (body: object = {}) =>
  server.ok<Issue>('/v1/issues', { body: { teamId: 'ENG', title: 'An issue', ...body } })
const read = (key: string) => server.ok<Issue>(`/v1/issues/${key}`)
const statesOf = async (team: string) =>
  Object.fromEntries((await server.ok<State[]>(`/v1/${team}/workflows`)).map(({ id, name }) => [name, id]))
const setCategory = (id: string, category: string) => server.ok(`/v1/ENG/workflows/${id}`, { body: { category } })
let count = 0
const newState = async (category: string) =>
  (await server.ok<State>('/v1/ENG/workflows', { body: { name: `State ${++count}`, category } })).id

t.test(
  'issues in a state are completed when its category becomes COMPLETED, and not any more when it ceases',
  async t => {
    const stateId = await newState('STARTED')
    const inside = await file({ stateId })
    const outside = await file()
    await setCategory(stateId, 'COMPLETED')
    const completed = await read(inside.key)
    t.match(completed, { stateCategory: 'COMPLETED', completedAt: String, rev: inside.rev + 1 })
    t.match(await read(outside.key), { completedAt: null, rev: outside.rev })
    await setCategory(stateId, 'BACKLOG')
    t.match(await read(inside.key), { stateCategory: 'BACKLOG', completedAt: null, rev: completed.rev + 1 })
  }
)

t.test('the resolution of an issue is found once its state completes', async t => {
  const stateId = await newState('STARTED')
  const { key } = await file({ stateId, title: 'Zeppelins collide' })
  await server.ok(`/v1/issue_comments?issueId=${key}`, { body: { bodyMarkdown: 'They keep their distance now.' } })
  await setCategory(stateId, 'COMPLETED')
  await server.idle()
  const [hit] = await server.ok<Array<{ resolutionSnippet: string }>>('/v1/search?query=zeppelins')
  t.equal(hit?.resolutionSnippet, 'They keep their distance now.')
})

t.test(
  'an issue that enters a state while its category changes is completed just when the state completes',
  async t => {
    for (let round = 0; round < rounds; round++) {
      const stateId = await newState('STARTED')
      const { key } = await file()
      const [filed] = await Promise.all([
        file({ stateId }),
        setCategory(stateId, 'COMPLETED'),
        server.ok(`/v1/issues/${key}`, { body: { stateId } })
      ])
      for (const issue of [await read(key), await read(filed.key)]) {
        t.match(issue, { stateCategory: 'COMPLETED', completedAt: String })
      }
    }
  }
)

t.test('no issue enters a state or team that is being removed', async t => {
  for (let round = 0; round < rounds; round++) {
    const stateId = await newState('STARTED')
    const { key } = await file()
    const [removed, , moved] = await Promise.all([
      server.call(`/v1/ENG/workflows/${stateId}`, { method: 'DELETE' }),
      server.call('/v1/issues', { body: { teamId: 'ENG', title: 'Late', stateId } }),
      server.call(`/v1/issues/${key}`, { body: { stateId } })
    ])
    const isThere = (await statesOf('ENG'))[`State ${count}`] !== undefined
    t.equal(isThere, removed.statusCode === 409, removed.body)
    if (!isThere) t.not((await read(key)).stateId, stateId, moved.body)

    const identifier = `T${round}`
    await server.ok('/v1/teams', { body: { identifier, name: identifier } })
    const [gone, late] = await Promise.all([
      server.call(`/v1/teams/${identifier}`, { method: 'DELETE' }),
      server.call('/v1/issues', { body: { teamId: identifier, title: 'Late' } })
    ])
    t.not(gone.statusCode === 200, late.statusCode === 201, `${gone.body} ${late.body}`)
  }
})

t.test('moved to another team, an issue keeps the state that has the same name there', async t => {
  const [here, there] = [await statesOf('ENG'), await statesOf('OPS')]
  for (const name of ['Todo', 'In Review', 'Done']) {
    const { key } = await file({ stateId: here[name] })
    t.match(await server.ok<Issue>(`/v1/issues/${key}/move`, { body: { teamId: 'OPS' } }), { stateId: there[name] })
  }
})

t.test('moved to a team without such a name, an issue gets the first state of its category', async t => {
  const { key } = await file({ stateId: await newState('STARTED') })
  const moved = await server.ok<Issue>(`/v1/issues/${key}/move`, { body: { teamId: 'OPS' } })
  t.equal(moved.stateId, (await statesOf('OPS'))['In Progress'])
})
