import t from 'tap'
import { testServer, type TestServer } from '../../../test/runner/harness.ts'

let server: TestServer
t.before(async () => {
  server = await testServer({ plugins: ['workspace', 'agents', 'events', 'issues', 'projects', 'trash'] })
})
t.teardown(() => server.close())
interface Thing {
  id: string
  key: string
  rev: number
}
const project = (name: string, more: object = {}) => server.ok<Thing>('/v1/projects', { body: { name, ...more } })
const milestone = (projectId: string, name: string, date?: string) =>
  server.ok<Thing>('/v1/milestones', { body: { projectId, name, ...(date && { date }) } })
const file = (body: object) => server.ok<Thing>('/v1/issues', { body: { teamId: 'ENG', title: 'x', ...body } })

t.test('a project has a state, a lead, members and dates', async t => {
  const { id } = await project('Planned')
  const empty = { state: 'PLANNED', leadId: null, memberIds: [], startsOn: null, targetOn: null, health: null }
  t.match(await server.ok(`/v1/projects/${id}`), empty)
  const me = await server.ok<Thing>('/v1/users/me')
  const body = { state: 'STARTED', leadId: 'me', memberIds: ['me'], startsOn: '2026-01-05', targetOn: '2026-03-01' }
  t.match(await server.ok(`/v1/projects/${id}`, { body }), { ...body, leadId: me.id, memberIds: [me.id] })
  const { events } = await server.ok<{ events: object[] }>(`/v1/events?types=project.updated`)
  t.match(events.at(-1), {
    data: { changes: [{ field: 'state', from: 'PLANNED', to: 'STARTED' }, { field: 'leadId' }] }
  })

  const refusal = await server.call(`/v1/projects/${id}`, { body: { targetOn: '2026-01-04' } })
  t.match(refusal.json(), { statusCode: 400, field: 'targetOn', message: /must not be before/ })
  const previous = await server.call(`/v1/projects/${id}`, {
    body: { state: 'PAUSED', previous: { state: 'PLANNED' } }
  })
  t.equal(previous.statusCode, 412)
  t.equal((await server.call(`/v1/projects/${id}`, { body: { leadId: 'Nobody at all' } })).statusCode, 400)
  t.match(await server.ok(`/v1/projects/${id}`, { body: { leadId: null, memberIds: [] } }), {
    leadId: null,
    memberIds: []
  })
})

t.test('the milestones of a project are listed by date, with the numbers of their issues', async t => {
  const { id } = await project('Milestones')
  const later = await milestone(id, 'Later', '2026-03-01')
  const sooner = await milestone(id, 'Sooner', '2026-02-01')
  await milestone(id, 'Some day')
  await file({ projectId: id, milestoneId: later.id })
  await file({ projectId: id, milestone: 'later', state: 'Done' })
  await file({ projectId: id, milestone: 'Later', state: 'Canceled' })
  t.match(await server.ok(`/v1/milestones?projectId=${id}`), [
    { id: sooner.id, name: 'Sooner', date: '2026-02-01', issues: { total: 0, completed: 0 } },
    { id: later.id, issues: { total: 2, completed: 1 } },
    { name: 'Some day', date: null }
  ])
  t.equal((await server.call('/v1/milestones', { body: { projectId: id, name: 'LATER' } })).statusCode, 409)
  await server.ok(`/v1/milestones/${sooner.id}`, {
    body: { name: 'Soonest', date: null, previous: { name: 'Sooner' } }
  })
  const stale = await server.call(`/v1/milestones/${sooner.id}`, { body: { name: 'x', previous: { name: 'Sooner' } } })
  t.equal(stale.statusCode, 412)
})

t.test('an issue has a milestone of its own project, and leaves it with the project', async t => {
  const [one, other] = [await project('One'), await project('Other')]
  const [own, others] = [await milestone(one.id, 'Beta', '2026-04-01'), await milestone(other.id, 'Beta')]
  const { id, key } = await file({ projectId: one.id, milestone: 'Beta' })
  t.match(await server.ok(`/v1/issues/${key}`), { milestoneId: own.id })
  t.match(await server.ok(`/v1/issues/${key}/context`), { milestone: { name: 'Beta', date: '2026-04-01' } })
  const refused = await server.call(`/v1/issues/${key}`, { body: { milestoneId: others.id } })
  t.match(refused.json(), { statusCode: 400, field: 'milestoneId', message: /of another project: choose one of One/ })
  const without = await server.call('/v1/issues', { body: { teamId: 'ENG', title: 'x', milestoneId: own.id } })
  t.match(without.json(), { statusCode: 400, message: /of another project: give the issue that project, too/ })

  t.match(await server.ok(`/v1/issues/${key}`, { body: { projectId: one.id, title: 'y' } }), { milestoneId: own.id })
  t.match(await server.ok(`/v1/issues/${key}`, { body: { projectId: other.id } }), { milestoneId: null })
  const both = { project: 'One', milestone: 'Beta' }
  t.match(await server.ok(`/v1/issues/${key}`, { body: both }), { projectId: one.id, milestoneId: own.id })
  t.match(await server.ok(`/v1/issues/${key}`, { body: { project: null } }), { projectId: null, milestoneId: null })
  const changes = await server.ok<Array<{ change: string; from: string | null; to: string | null }>>(
    `/v1/issues/${key}/history`
  )
  const moves = changes.filter(({ change }) => change === 'milestone').map(({ from, to }) => `${from} ${to}`)
  t.strictSame(moves.toSorted(), ['Beta null', 'Beta null', 'null Beta'])
  t.notMatch(await server.ok(`/v1/issues/${id}/context`), { milestone: {} }, 'a context without one has no field')
})

t.test('issues are filtered by milestone, and lose it when it is removed', async t => {
  const { id } = await project('Filtered')
  const step = await milestone(id, 'Gamma')
  const { key } = await file({ projectId: id, milestoneId: step.id })
  const keys = async (filters: object) => {
    const body = { page: 1, filters }
    const { issues } = await server.ok<{ issues: Thing[] }>('/v1/issues/filter', { body })
    return issues.map(issue => issue.key)
  }
  t.strictSame(await keys({ milestone: { filterType: 'IS', value: ['gamma'] } }), [key])
  await server.ok(`/v1/milestones/${step.id}`, { method: 'DELETE' })
  t.match(await server.ok(`/v1/issues/${key}`), { milestoneId: null })
  t.strictSame(await keys({ milestone: { filterType: 'IS', value: [step.id] } }), [])
})

t.test('a removed project takes its milestones with it, and brings them back', async t => {
  const { id } = await project('Fleeting')
  const [kept, removed] = [await milestone(id, 'Kept'), await milestone(id, 'Removed before')]
  const { key } = await file({ projectId: id, milestoneId: kept.id })
  await server.ok(`/v1/milestones/${removed.id}`, { method: 'DELETE' })
  await server.ok('/v1/project_updates', { body: { projectId: id, health: 'AT_RISK', bodyMarkdown: 'Secret words' } })
  await server.ok(`/v1/projects/${id}`, { method: 'DELETE' })
  t.match(await server.ok(`/v1/issues/${key}`), { projectId: null, milestoneId: null })
  await server.ok(`/v1/projects/${id}/restore`, { method: 'POST' })
  t.match(await server.ok(`/v1/issues/${key}`), { projectId: id, milestoneId: kept.id })
  const names = await server.ok<Array<{ name: string }>>(`/v1/milestones?projectId=${id}`)
  t.strictSame(
    names.map(({ name }) => name),
    ['Kept']
  )

  await server.ok(`/v1/projects/${id}`, { method: 'DELETE' })
  await server.ok(`/v1/projects/${id}?permanently=true`, { method: 'DELETE' })
  t.strictSame(await server.ok(`/v1/project_updates?projectId=${id}`), [])
})

t.test('updates say how a project stands; the last one is its health', async t => {
  const { id } = await project('Told')
  const post = (health: string, bodyMarkdown: string, token?: string) =>
    server.ok<Thing>('/v1/project_updates', { body: { projectId: id, health, bodyMarkdown }, ...(token && { token }) })
  await post('ON_TRACK', 'All **fine**.')
  const last = await post('OFF_TRACK', 'Late.')
  t.match(await server.ok(`/v1/project_updates?projectId=${id}`), [
    { health: 'OFF_TRACK', bodyMarkdown: 'Late.' },
    { health: 'ON_TRACK', bodyMarkdown: 'All **fine**.', body: { type: 'doc' } }
  ])
  t.match(await server.ok(`/v1/projects/${id}`), { health: 'OFF_TRACK' })
  t.notOk('body' in last, 'an answer to a write has the markdown only')
  t.match(await server.ok(`/v1/project_updates/${last.id}`, { body: { health: 'AT_RISK' } }), {
    health: 'AT_RISK',
    bodyMarkdown: 'Late.'
  })
  const { token } = await server.agent('Else')
  const refused = await server.call(`/v1/project_updates/${last.id}`, { body: { health: 'ON_TRACK' }, token })
  t.match(refused.json(), { statusCode: 403, message: /Only its author or an administrator/ })
  for (const body of [
    { health: 'FINE', bodyMarkdown: 'x' },
    { health: 'AT_RISK', bodyMarkdown: ' ' }
  ]) {
    const { statusCode } = await server.call('/v1/project_updates', { body: { projectId: id, ...body } })
    t.equal(statusCode, 400)
  }
  await server.ok(`/v1/project_updates/${last.id}`, { method: 'DELETE' })
  t.match(await server.ok(`/v1/projects/${id}`), { health: 'ON_TRACK' })
  const other = await server.otherWorkspace()
  t.strictSame(await server.ok(`/v1/project_updates?projectId=${id}`, { token: other.token }), [])
})

t.test('the progress of a project: categories, criteria, and the day at which it ends at the present pace', async t => {
  const { id } = await project('Progress')
  t.strictSame(await server.ok(`/v1/projects/progress?projectId=${id}`), [])
  await file({ projectId: id, descriptionMarkdown: '- [x] one\n- [ ] two' })
  await file({ projectId: id, state: 'In progress' })
  await file({ projectId: id, state: 'Done' })
  await file({ projectId: id, state: 'Canceled' })
  const [progress] = await server.ok<Array<{ expectedOn: string }>>(`/v1/projects/progress?projectId=${id}`)
  t.match(progress, {
    projectId: id,
    total: 3,
    completed: 1,
    byCategory: { UNSTARTED: 1, STARTED: 1, COMPLETED: 1, CANCELED: 1 },
    criteria: { met: 1, total: 2 }
  })
  const days = (Date.parse(progress!.expectedOn) - Date.now()) / 86_400_000
  t.ok(days > 54 && days <= 56, 'two open issues at one in four weeks')
})

interface Entry {
  type: string
  actor: { fullname: string }
  changes?: object[]
  issue?: { id: string }
  nextCursor?: string
}
t.test('the activity of a project: its changes, milestones and updates, and what became of its issues', async t => {
  const [{ id }, other] = [await project('Busy'), await project('Beside it')]
  const activity = (query = '') => server.ok<Entry[]>(`/v1/projects/${id}/activity${query}`)
  t.match(await activity(), [{ type: 'project.created', actor: { fullname: 'Administrator' } }])
  await server.ok(`/v1/projects/${id}`, { body: { state: 'STARTED', targetOn: '2026-03-01' } })
  const step = await milestone(id, 'A step')
  await server.ok(`/v1/milestones/${step.id}`, { method: 'DELETE' })
  const update = { projectId: id, health: 'AT_RISK', bodyMarkdown: 'Late.' }
  await server.ok('/v1/project_updates', { body: update })
  const filed = await file({ projectId: id, title: 'Filed in it' })
  const moved = await file({ title: 'Moved into it' })
  await server.ok(`/v1/issues/${moved.id}`, { body: { projectId: id } })
  await server.ok(`/v1/issues/${moved.id}`, { body: { projectId: other.id } })
  await server.ok(`/v1/issues/${filed.id}`, { body: { state: 'Done' } })
  const removed = await file({ projectId: id, title: 'In the trash' })
  await server.ok(`/v1/issues/${removed.id}`, { method: 'DELETE' })

  const entries = await activity()
  const changes = [
    { field: 'state', from: 'PLANNED', to: 'STARTED' },
    { field: 'targetOn', from: null, to: '2026-03-01' }
  ]
  const inOrderOfTheirTypes = [
    { type: 'issue.added', issue: { key: moved.key, title: 'Moved into it' } },
    { type: 'issue.completed', issue: { id: filed.id } },
    { type: 'issue.created', issue: { id: filed.id } },
    { type: 'issue.removed', issue: { key: moved.key } },
    { type: 'milestone.created', milestone: { id: step.id, name: 'A step' } },
    { type: 'milestone.deleted', milestone: { name: 'A step' } },
    { type: 'project.created', changes: undefined },
    { type: 'project.updated', changes },
    { type: 'project_update.created', health: 'AT_RISK' }
  ]
  t.match(
    entries.toSorted((a, b) => (a.type < b.type ? -1 : 1)),
    inOrderOfTheirTypes
  )
  t.equal(entries.length, inOrderOfTheirTypes.length, 'what is in the trash is not in it')
  t.equal(entries.at(-1)!.type, 'project.created', 'the newest come first')
  t.equal((await activity('?limit=2')).length, 2)
  t.match(await server.ok(`/v1/projects/${other.id}/activity`), [{ type: 'issue.added' }, { type: 'project.created' }])
  t.equal((await server.call(`/v1/projects/${filed.id}/activity`)).statusCode, 404)

  const pages: Entry[][] = [await activity('?limit=2')]
  for (let cursor; (cursor = pages.at(-1)!.at(-1)!.nextCursor);) {
    pages.push(await activity(`?limit=2&cursor=${encodeURIComponent(cursor)}`))
  }
  t.strictSame(
    pages.map(page => page.length),
    [2, 2, 2, 2, 1]
  )
  const paged = pages.flat().map(({ nextCursor: _, ...entry }) => entry)
  t.strictSame(paged, entries, 'the pages have all entries, each once')
  const refusal = await server.call(`/v1/projects/${id}/activity?cursor=2026`)
  t.match(refusal.json(), { statusCode: 400, field: 'cursor' })
})

t.test('the activity of a project has all that happened at one moment, page by page', async t => {
  const { id } = await project('Crowded')
  const issues = Array.from({ length: 100 }, (_, n) => ({ teamId: 'ENG', title: `${n}`, projectId: id }))
  for (let n = 0; n < 3; n++) await server.ok('/v1/issues/bulk', { body: { issues } })
  const first = await server.ok<Entry[]>(`/v1/projects/${id}/activity?limit=200`)
  const rest = await server.ok<Entry[]>(`/v1/projects/${id}/activity?limit=200&cursor=${first.at(-1)!.nextCursor}`)
  t.strictSame([first.length, rest.length, rest.at(-1)!.type], [200, 101, 'project.created'])
  t.equal(rest.at(-1)!.nextCursor, undefined)
  t.equal(new Set([...first, ...rest].map(({ issue }) => issue?.id)).size, 301)
})
