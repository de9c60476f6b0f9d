import { sql } from 'kysely'
import t from 'tap'
import { onPostgres, testServer, type TestServer } from '../../../test/runner/harness.ts'

const DAY = 86_400_000
/** A Wednesday. */
let clock = Date.parse('2026-03-04T10:00:00Z')
const pass = (days: number) => {
  clock += days * DAY
}
let server: TestServer
t.before(async () => {
  server = await testServer({
    plugins: ['workspace', 'agents', 'events', 'issues', 'projects'],
    now: () => new Date(clock)
  })
})
t.teardown(() => server.close())

interface Cycle {
  id: string
  name: string
  startsAt: string
  endsAt: string
  closedAt?: string
}
interface Issue {
  id: string
  key: string
  cycleId: string | null
}
const at = (day: string) => `${day}T00:00:00.000Z`
let teams = 0
async function team(): Promise<string> {
  const identifier = `C${++teams}`
  const { id } = await server.ok<{ id: string }>('/v1/teams', { body: { identifier, name: `Cycles ${teams}` } })
  return id
}
const set = (teamId: string, cycles: object | null, more: object = {}) =>
  server.ok<{ cycles?: object }>(`/v1/teams/${teamId}`, { body: { cycles, ...more } })
const cyclesOf = async (teamId: string) =>
  (await server.ok<Array<Cycle & { teamId: string }>>('/v1/cycles')).filter(cycle => cycle.teamId === teamId)
const spansOf = async (teamId: string) =>
  (await cyclesOf(teamId)).map(
    ({ name, startsAt, endsAt }) => `${name}: ${startsAt.slice(5, 10)} ${endsAt.slice(5, 10)}`
  )
const plan = (teamId: string, name: string, from: string, to: string) =>
  server.ok<Cycle>('/v1/cycles', { body: { teamId, name, startsAt: at(from), endsAt: at(to) } })
const file = (teamId: string, body: object) =>
  server.ok<Issue>('/v1/issues', { body: { teamId, title: 'An issue', ...body } })
const cycleOf = async ({ id }: Issue) => (await server.ok<Issue>(`/v1/issues/${id}`)).cycleId
const close = (id: string, body: object = {}) => server.call(`/v1/cycles/${id}/close`, { body })
/** As the schedule does every five minutes. */
async function turn(): Promise<void> {
  await server.jobs.enqueue(server.database.db, 'projects.turnCycles', [{}])
  await server.idle()
}
const weekly = { weeks: 1, startDay: 'MONDAY', carryOver: 'NEXT' }

t.test('a team’s cycles repeat: the current and the next two, whatever is planned by hand', async t => {
  const id = await team()
  t.notOk('cycles' in (await server.ok<object>(`/v1/teams/${id}`)), 'off at first')
  await plan(id, 'By hand', '2026-03-11', '2026-03-13')
  t.match(await set(id, weekly), { cycles: weekly })
  const first = ['Cycle 1: 03-02 03-09', 'By hand: 03-11 03-13', 'Cycle 2: 03-16 03-23']
  t.strictSame(await spansOf(id), first, 'none overlaps, and each begins on the day')
  await Promise.all([turn(), turn()])
  t.strictSame(await spansOf(id), first, 'they are made once')
  const { events } = await server.ok<{ events: Array<{ data: object }> }>('/v1/events?types=team.updated')
  t.match(events.at(-1), { data: { changes: [{ field: 'cycles', from: null, to: weekly }] } })
  pass(7)
  await turn()
  t.strictSame((await spansOf(id)).slice(2), ['Cycle 2: 03-16 03-23', 'Cycle 3: 03-23 03-30'])

  const kept = (await cyclesOf(id)).find(({ name }) => name === 'Cycle 2')!
  await file(id, { cycleId: kept.id })
  await set(id, { ...weekly, weeks: 2, startDay: 'TUESDAY' }, { previous: { cycles: weekly } })
  const changed = (await spansOf(id)).slice(2)
  t.strictSame(changed, ['Cycle 2: 03-16 03-23', 'Cycle 4: 03-24 04-07'], 'only empty ones make way')
  const stale = await server.call(`/v1/teams/${id}`, { body: { cycles: null, previous: { cycles: weekly } } })
  t.equal(stale.statusCode, 412)
  t.notOk('cycles' in (await set(id, null)))
  t.strictSame((await spansOf(id)).slice(2), ['Cycle 2: 03-16 03-23'])
  const endless = await team()
  await plan(endless, 'Endless', '2020-01-01', '9999-12-31')
  await set(endless, weekly)
  t.strictSame(await spansOf(endless), ['Endless: 01-01 12-31'], 'none begins after what lasts for years')
  const removed = await team()
  await set(removed, weekly)
  await server.ok(`/v1/teams/${removed}`, { method: 'DELETE' })
  pass(7)
  await turn()
  t.equal((await cyclesOf(removed)).length, 3, 'those of a removed team do not')
  const wrong = await server.call(`/v1/teams/${id}`, { body: { cycles: { ...weekly, startDay: 'SOMEDAY' } } })
  t.equal(wrong.statusCode, 400)
})

t.test('a repeated cycle that somebody removes does not come back, unless they repeat in another way', async t => {
  const id = await team()
  await set(id, weekly)
  const names = async () => (await cyclesOf(id)).map(({ name }) => name)
  const [, second] = await cyclesOf(id)
  await server.ok(`/v1/cycles/${second!.id}`, { method: 'DELETE' })
  await turn()
  t.strictSame(await names(), ['Cycle 1', 'Cycle 3'])
  pass(7)
  await turn()
  t.strictSame(await names(), ['Cycle 1', 'Cycle 3', 'Cycle 4'])
  await set(id, { ...weekly, weeks: 2 })
  t.strictSame(await names(), ['Cycle 1', 'Cycle 5', 'Cycle 6', 'Cycle 7'])
})

t.test('no issue is moved into a cycle that is being removed', async t => {
  const ids = await Promise.all(Array.from({ length: 5 }, () => team()))
  for (const [n, id] of ids.entries()) {
    await set(id, weekly)
    const [current] = await cyclesOf(id)
    const issue = await file(id, { cycleId: current!.id })
    const [closed] = await Promise.all([close(current!.id), set(id, { ...weekly, weeks: 2 + n })])
    t.equal(closed.statusCode, 200)
    const { cycleId } = await server.ok<Issue>(`/v1/issues/${issue.id}`)
    const place = (await cyclesOf(id)).find(({ id }) => id === cycleId)
    t.ok(place && place.id !== current!.id, 'it is in a cycle that is there')
  }
})

t.test('an issue of another team, from a time without this plugin, does not keep a cycle open', async t => {
  const [id, other] = [await team(), await team()]
  await set(id, weekly)
  const [current] = await cyclesOf(id)
  const strange = await file(other, {})
  await sql`update issue set cycle_id = ${current!.id} where id = ${strange.id}`.execute(server.database.db)
  t.match((await close(current!.id)).json(), { carryOver: 'NEXT', moved: 0 })
})

t.test('at a cycle’s end its open issues go where the team says; who set that up has moved them', async t => {
  for (const carryOver of ['NEXT', 'BACKLOG', 'ASK']) {
    const id = await team()
    await set(id, { ...weekly, carryOver })
    const [current, next] = await cyclesOf(id)
    const open = await file(id, { cycleId: current!.id, state: 'In Progress' })
    const done = await file(id, { cycleId: current!.id, state: 'Done' })
    pass(7)
    await turn()
    const [ended] = await cyclesOf(id)
    t.equal(ended!.closedAt !== undefined, carryOver !== 'ASK', carryOver)
    const expected = { NEXT: next!.id, BACKLOG: null, ASK: current!.id }[carryOver]
    t.equal(await cycleOf(open), expected)
    t.equal(await cycleOf(done), current!.id, 'what is done stays')
    if (carryOver === 'ASK') {
      t.match((await close(current!.id)).json(), { statusCode: 400, field: 'carryOver' })
      t.match((await close(current!.id, { carryOver: 'NEXT' })).json(), { carryOver: 'NEXT', moved: 1 })
      t.equal(await cycleOf(open), next!.id)
    }
    const history = await server.ok<Array<{ change: string }>>(`/v1/issues/${open.id}/history`)
    const moves = history.filter(({ change }) => change === 'cycle')
    if (carryOver === 'NEXT') t.match(moves, [{ from: 'Cycle 1', to: 'Cycle 2', actor: 'Administrator' }])
  }
})

t.test('a cycle is closed early, once, whoever does so at the same time', async t => {
  const id = await team()
  await set(id, weekly)
  const [current, next] = await cyclesOf(id)
  const issues = await Promise.all(Array.from({ length: 105 }, () => file(id, { cycleId: current!.id })))
  const answers = onPostgres
    ? await Promise.all([close(current!.id), close(current!.id), close(current!.id, { carryOver: 'BACKLOG' })])
    : [await close(current!.id), await close(current!.id)]
  for (const answer of answers) t.equal(answer.statusCode, 200)
  await server.idle()
  const places = await Promise.all(issues.map(cycleOf))
  const { carryOver } = answers[0]!.json<{ carryOver: string }>()
  t.ok(
    places.every(place => place === (carryOver === 'NEXT' ? next!.id : null)),
    'the first one counts, for all issues'
  )
  const { events } = await server.ok<{ events: object[] }>('/v1/events?types=cycle.updated')
  const closings = events.filter(event => JSON.stringify(event).includes(current!.id))
  t.equal(closings.length, 1)
  const dates = await server.call(`/v1/cycles/${current!.id}`, { body: { endsAt: at('2027-01-01') } })
  t.match(dates.json(), { statusCode: 409, message: /closed: its dates stay/ })
  await server.ok(`/v1/cycles/${current!.id}`, { body: { name: 'The first' } })

  const alone = await team()
  const { id: single } = await plan(alone, 'Single', '2026-01-01', '2026-01-08')
  await file(alone, { cycleId: single })
  t.match((await close(single, { carryOver: 'NEXT' })).json(), { statusCode: 409, message: /no next cycle: plan one/ })
  t.match((await close(single, { carryOver: 'BACKLOG' })).json(), { moved: 1 })
  t.equal((await close('00000000-0000-7000-8000-000000000000', { carryOver: 'NEXT' })).statusCode, 404)
})

t.test('the progress of a cycle is what it had on each day, with what was added and removed later', async t => {
  const id = await team()
  const monday = new Date(Math.floor((clock - 4 * DAY) / DAY / 7) * 7 * DAY + 4 * DAY + 7 * DAY)
  clock = monday.getTime() - DAY / 2
  await set(id, weekly)
  const cycle = (await cyclesOf(id)).find(({ startsAt }) => startsAt === monday.toISOString())!
  const { id: agentId } = await server.agent('Runner')
  const own = (body: object) => file(id, { cycleId: cycle.id, ...body })
  const planned = await own({ estimate: 3, assigneeId: agentId })
  const dropped = await own({ estimate: 2 })
  await own({ state: 'Canceled', estimate: 8 })
  pass(1)
  await server.ok(`/v1/issues/${planned.id}`, { body: { state: 'In Progress' } })
  pass(1)
  const later = await own({ title: 'Came later', estimate: 1 })
  await server.ok(`/v1/issues/${dropped.id}`, { body: { cycleId: null } })
  await server.ok(`/v1/issues/${planned.id}`, { body: { state: 'Done', estimate: 5 } })
  pass(1)

  const path = `/v1/cycles/${cycle.id}/progress`
  const counts = (scope: number, started: number, completed: number) => ({ scope, started, completed })
  t.match(await server.ok(path), {
    days: [
      { day: cycle.startsAt.slice(0, 10), issues: counts(2, 1, 0), points: counts(5, 3, 0) },
      { issues: counts(2, 0, 1), points: counts(6, 0, 5) },
      { issues: counts(2, 0, 1) }
    ],
    issues: counts(2, 0, 1),
    added: { total: 1, issues: [{ key: later.key, title: 'Came later' }] },
    removed: { total: 1, issues: [{ id: dropped.id }] },
    assignees: [
      { accountId: agentId, issues: counts(1, 0, 1), points: counts(5, 0, 5) },
      { accountId: null, issues: counts(1, 0, 0) }
    ]
  })
  const own1 = { cycleId: cycle.id, total: 2, started: 0, completed: 1 }
  t.strictSame(await server.ok(`/v1/cycles/progress?teamId=${id}`), [own1])

  t.equal((await close(cycle.id)).statusCode, 200)
  t.equal(await cycleOf(later), (await cyclesOf(id)).find(({ startsAt }) => startsAt > cycle.startsAt)!.id)
  pass(1)
  await server.ok(`/v1/issues/${planned.id}`, { body: { state: 'Todo', assigneeId: null } })
  const closed = { issues: counts(2, 0, 1), added: { total: 1 }, assignees: [{ accountId: agentId }, {}] }
  t.match(await server.ok(path), closed, 'its end stays readable')

  await sql`update issue_change set from_id = null, to_id = null`.execute(server.database.db)
  t.match(await server.ok(path), closed, 'from the names of releases before, too')
  const other = await server.otherWorkspace()
  t.equal((await server.call(path, { token: other.token })).statusCode, 404)
})
