import t from 'tap'
import { testServer, type TestServer } from '../../../test/runner/harness.ts'
import { carryOver, transferOf } from '../../../test/transfer.ts'

const plugins = ['workspace', 'agents', 'issues', 'projects', 'transfer']
const DAY = 86_400_000
/** A Wednesday. */
let clock = Date.parse('2026-03-04T10:00:00Z')
const now = () => new Date(clock)
interface Cycle {
  id: string
  name: string
  closedAt?: string
}
const cyclesOf = (server: TestServer) => server.ok<Cycle[]>('/v1/cycles')
/** As the schedule does every five minutes. */
async function turn(server: TestServer): Promise<void> {
  await server.jobs.enqueue(server.database.db, 'projects.turnCycles', [{}])
  await server.idle()
}

t.test('the cycles of a team, their progress and their rule come along to another server', async t => {
  const [from, to] = [await testServer({ plugins, now }), await testServer({ plugins, now })]
  t.teardown(() => Promise.all([from.close(), to.close()]))
  const weekly = { weeks: 1, startDay: 'MONDAY', carryOver: 'NEXT' }
  const repeat = (server: TestServer, cycles: object | null) => server.ok('/v1/teams/ENG', { body: { cycles } })
  await repeat(from, weekly)
  const span = { startsAt: '2026-04-06T00:00:00.000Z', endsAt: '2026-04-13T00:00:00.000Z' }
  await from.ok('/v1/cycles', { body: { teamId: 'ENG', name: 'By hand', ...span } })
  const [first] = await cyclesOf(from)
  const file = (title: string) =>
    from.ok<{ id: string; key: string }>('/v1/issues', { body: { teamId: 'ENG', title, cycleId: first!.id } })
  const open = await file('Open')
  const { id: done } = await file('Done')
  clock += DAY
  await from.ok(`/v1/issues/${done}`, { body: { state: 'Done' } })
  clock += 6 * DAY
  await turn(from)

  const cycles = await carryOver(from, to, 'cycle')
  t.strictSame([cycles.after, cycles.skipped], [cycles.before, []])
  t.match(cycles.before, [
    { name: 'Cycle 1', closedAt: String, carryOver: 'NEXT', isRepeated: true },
    { name: 'Cycle 2', isRepeated: true },
    { name: 'Cycle 3', isRepeated: true },
    { name: 'Cycle 4', isRepeated: true },
    { name: 'By hand', isRepeated: undefined }
  ])
  const rules = await carryOver(from, to, 'cycle_rule')
  t.match(rules.before, [{ team: 'ENG', ...weekly, setBy: String, setAt: '2026-03-04T10:00:00.000Z' }])
  t.strictSame(rules.after, rules.before)
  t.match(await to.ok('/v1/teams/ENG'), { cycles: weekly })
  const path = `/v1/cycles/${first!.id}/progress`
  const [{ until: _, ...there }, { until: __, ...here }] = [
    await to.ok<{ until: string; removed: object }>(path),
    await from.ok<{ until: string; removed: object }>(path)
  ]
  t.strictSame(there, here, 'the burn-up is the same')
  t.match(here, { issues: { scope: 2, completed: 1 } })

  clock += 7 * DAY
  await turn(to)
  t.match(await to.ok(`/v1/issues/${open.key}`), { cycleId: (await cyclesOf(to))[2]!.id }, 'they go on there')
  await repeat(to, null)
  const names = (await cyclesOf(to)).map(({ name }) => name)
  t.strictSame(names, ['Cycle 1', 'Cycle 2', 'Cycle 3', 'By hand'], 'what the rule had planned goes with it')
})

t.test('a team whose cycles repeat keeps its own rule; one of nobody is that of an unknown person', async t => {
  const server = await testServer({ plugins, now })
  t.teardown(() => server.close())
  const mine = { weeks: 2, startDay: 'FRIDAY', carryOver: 'ASK' }
  const rule = { kind: 'cycle_rule', team: 'ENG', weeks: 1, startDay: 'MONDAY', carryOver: 'BACKLOG' }
  await server.ok('/v1/teams/ENG', { body: { cycles: mine } })
  await server.ok('/v1/teams', { body: { identifier: 'OPS', name: 'Operations' } })
  const { read } = await transferOf(server)
  const report = await read([rule, { ...rule, team: 'ops' }, { ...rule, team: 'NONE' }, { ...rule, weeks: 99 }])
  t.match(report, { added: { cycle_rule: 1 }, skipped: [{}, {}] })
  t.match(await server.ok('/v1/teams/ENG'), { cycles: mine })
  await turn(server)
  t.match(await server.ok('/v1/teams/OPS'), { cycles: { weeks: 1, carryOver: 'BACKLOG' } })
  t.equal((await cyclesOf(server)).length, 6)
})
