import t from 'tap'
import { testServer, type TestServer } from '../../../test/runner/harness.ts'

let server: TestServer
t.before(async () => {
  server = await testServer({ plugins: ['workspace', 'agents', 'issues', 'projects'] })
})
t.teardown(() => server.close())
interface Thing {
  id: string
  key: string
}

t.test('projects and cycles are fields of issues, by name in context and history', async t => {
  const project = await server.ok<Thing>('/v1/projects', {
    body: { name: 'Launch', descriptionMarkdown: 'The **goal**', teamId: 'ENG' },
    headers: { prefer: 'return=representation' }
  })
  t.match(project, { name: 'Launch', descriptionMarkdown: 'The **goal**', description: { type: 'doc' } })
  const cycle = await server.ok<Thing>('/v1/cycles', {
    body: { name: 'Week 1', teamId: 'ENG', startsAt: '2026-01-05T00:00:00.000Z', endsAt: '2026-01-12T00:00:00.000Z' }
  })
  const { key } = await server.ok<Thing>('/v1/issues', { body: { teamId: 'ENG', title: 'x', projectId: project.id } })
  await server.ok(`/v1/issues/${key}`, { body: { cycleId: cycle.id, projectId: null } })
  t.match(await server.ok(`/v1/issues/${key}/context`), { project: null, cycle: { id: cycle.id, name: 'Week 1' } })
  const { history } = await server.ok<{ history: Array<{ change: string; from: string | null; to: string | null }> }>(
    `/v1/issues/${key}/context`
  )
  t.strictSame(history.map(h => `${h.change} ${h.from} ${h.to}`).sort(), ['cycle null Week 1', 'project Launch null'])
  const page = await server.ok<{ total: number }>('/v1/issues/filter', {
    body: { page: 1, filters: { cycle: { filterType: 'IS', value: [cycle.id] } } }
  })
  t.equal(page.total, 1)
  await server.ok('/v1/teams', { body: { identifier: 'OPS', name: 'Ops' } })
  t.match(
    await server.ok(`/v1/issues/${key}/move`, { body: { teamId: 'OPS' } }),
    { cycleId: null },
    'an issue leaves the cycle of its team'
  )
})

t.test('bad input is refused', async t => {
  t.equal((await server.call('/v1/projects', { body: { name: 'launch' } })).statusCode, 409)
  t.equal((await server.call('/v1/projects', { body: { name: 'x', teamId: 'NOPE' } })).statusCode, 404)
  t.equal((await server.call('/v1/projects', { body: { title: 'x' } })).statusCode, 400)
  t.equal(
    (
      await server.call('/v1/cycles', {
        body: { name: 'x', teamId: 'ENG', startsAt: '2026-01-05T00:00:00Z', endsAt: '2026-01-05T00:00:00Z' }
      })
    ).statusCode,
    400
  )
  t.equal(
    (
      await server.call('/v1/issues', {
        body: { teamId: 'ENG', title: 'x', projectId: '00000000-0000-7000-8000-000000000000' }
      })
    ).statusCode,
    404
  )
})

t.test('a project is removed, and its issues stay', async t => {
  const project = await server.ok<Thing>('/v1/projects', { body: { name: 'Short' } })
  const { key } = await server.ok<Thing>('/v1/issues', { body: { teamId: 'ENG', title: 'x', projectId: project.id } })
  await server.ok(`/v1/projects/${project.id}`, { method: 'DELETE' })
  t.equal((await server.call(`/v1/projects/${project.id}`)).statusCode, 404)
  t.match(await server.ok(`/v1/issues/${key}/context`), { project: null })
  const other = await server.otherWorkspace()
  t.strictSame(await server.ok('/v1/projects', { token: other.token }), [])
})

t.test('an issue is in a cycle of its own team only, whose name other teams may use, too', async t => {
  const span = { startsAt: '2026-01-05T00:00:00.000Z', endsAt: '2026-01-12T00:00:00.000Z' }
  await server.ok('/v1/teams', { body: { identifier: 'WEB', name: 'Web' } })
  const plan = (teamId: string) => server.ok<Thing>('/v1/cycles', { body: { name: 'Sprint 1', teamId, ...span } })
  const [own, others] = [await plan('WEB'), await plan('ENG')]
  const { key } = await server.ok<Thing>('/v1/issues', { body: { teamId: 'WEB', title: 'x', cycle: 'sprint 1' } })
  t.match(await server.ok(`/v1/issues/${key}`), { cycleId: own.id })
  await server.ok(`/v1/issues/${key}`, { body: { cycle: null } })
  t.match(await server.ok(`/v1/issues/${key}`, { body: { cycle: 'Sprint 1' } }), { cycleId: own.id })
  const refusal = { statusCode: 400, field: 'cycleId', message: /of another team: choose one of WEB/ }
  const wrong = { teamId: 'WEB', title: 'x', cycleId: others.id }
  t.match((await server.call('/v1/issues', { body: wrong })).json(), refusal)
  t.match((await server.call(`/v1/issues/${key}`, { body: { cycleId: others.id } })).json(), refusal)
  const page = await server.ok<{ total: number }>('/v1/issues/filter', {
    body: { page: 1, filters: { cycle: { filterType: 'IS', value: ['Sprint 1'] } } }
  })
  t.equal(page.total, 1, 'a filter by the name means the cycles of all teams')
})

t.test('a removed project or cycle is gone from rows, filters and history as from the context', async t => {
  const project = await server.ok<Thing>('/v1/projects', { body: { name: 'Removed' } })
  const cycle = await server.ok<Thing>('/v1/cycles', {
    body: { name: 'Gone', teamId: 'ENG', startsAt: '2026-01-05T00:00:00.000Z', endsAt: '2026-01-12T00:00:00.000Z' }
  })
  const { key } = await server.ok<Thing>('/v1/issues', {
    body: { teamId: 'ENG', title: 'x', projectId: project.id, cycleId: cycle.id }
  })
  const matches = async (filters: object) => {
    const page = await server.ok<{ issues: Thing[] }>('/v1/issues/filter', { body: { perPage: 200, filters } })
    return page.issues.some(issue => issue.key === key)
  }
  const removed = { project: project.id, cycle: cycle.id }
  for (const [name, id] of Object.entries(removed)) {
    t.ok(await matches({ [name]: { filterType: 'IS', value: [id] } }))
    t.ok(await matches({ [name]: { filterType: 'DEFINED' } }))
  }
  await server.ok(`/v1/projects/${project.id}`, { method: 'DELETE' })
  await server.ok(`/v1/cycles/${cycle.id}`, { method: 'DELETE' })

  t.match(await server.ok(`/v1/issues/${key}`), { projectId: null, cycleId: null })
  const rows = await server.ok<{ issues: Array<Thing & { projectId: string | null }> }>('/v1/issues/filter', {
    body: { page: 1, perPage: 200 }
  })
  t.equal(rows.issues.find(issue => issue.key === key)?.projectId, null)
  for (const [name, id] of Object.entries(removed)) {
    t.notOk(await matches({ [name]: { filterType: 'IS', value: [id] } }))
    t.notOk(await matches({ [name]: { filterType: 'DEFINED' } }))
    t.ok(await matches({ [name]: { filterType: 'IS_NOT', value: [id] } }))
    t.ok(await matches({ [name]: { filterType: 'UNDEFINED' } }))
  }
  const before = await server.ok<{ history: object[] }>(`/v1/issues/${key}/context`)
  await server.ok(`/v1/issues/${key}`, { body: { projectId: null, cycleId: null } })
  t.strictSame(await server.ok(`/v1/issues/${key}/context`), before, 'what reads as null is not cleared again')
})

t.test('a project for a name that several teams have is refused, with their identifiers', async t => {
  for (const identifier of ['TWINA', 'TWINB']) await server.ok('/v1/teams', { body: { identifier, name: 'Twins' } })
  const create = (team: string) => server.call('/v1/projects', { body: { name: `Of ${team}`, team } })
  t.match((await create('Twins')).json(), { statusCode: 400, field: 'team', message: /TWINA.*TWINB/ })
  t.equal((await create('twinb')).statusCode, 201)
})
