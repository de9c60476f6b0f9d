import t from 'tap'
import { testServer, type TestOptions, type TestServer } from '../../../test/runner/harness.ts'

const BASE = ['workspace', 'agents', 'issues']

interface Answer {
  isComplete: boolean
  total: { filed: { count: number }; completed: { count: number; proven?: number; cycleTime: object } }
}
async function totalOf(server: TestServer): Promise<Answer['total']> {
  await server.idle()
  return (await server.ok<Answer>('/v1/insights')).total
}

/** The same database, with other plugins. */
async function restart(former: TestServer, plugins: readonly string[], options: TestOptions = {}): Promise<TestServer> {
  const next = await testServer({ ...options, on: former, plugins: [...BASE, ...plugins] })
  await former.close()
  return next
}

t.test('what happened while a plugin was off is known when it is on again', async t => {
  const bare = await testServer({ plugins: BASE })
  const { id } = await bare.ok<{ id: string }>('/v1/issues', {
    body: { teamId: 'ENG', title: 'A task', state: 'In Progress', descriptionMarkdown: 'Do it.\n\n- [ ] it works' }
  })
  await bare.idle()
  const whole = await restart(bare, ['proof', 'insights'])
  t.equal((await totalOf(whole)).filed.count, 1, 'the rows of what there was are made')
  const body = { criteria: { met: [{ criterion: 1, evidence: 'seen' }] }, state: 'Done' }
  await whole.ok(`/v1/issues/${id}`, { body })
  t.match(await totalOf(whole), { completed: { count: 1, proven: 1 } })

  const unproven = await restart(whole, ['insights'])
  await unproven.ok(`/v1/issues/${id}`, { body: { title: 'Another title' } })
  t.notOk('proven' in (await totalOf(unproven)).completed, 'no plugin keeps evidence')

  const without = await restart(unproven, [])
  await without.ok('/v1/issues', { body: { teamId: 'ENG', title: 'Another task', state: 'Done' } })
  await without.idle()

  const again = await restart(without, ['proof', 'insights'])
  t.teardown(() => again.close())
  t.match(await totalOf(again), { filed: { count: 2 }, completed: { count: 2, proven: 1 } })
})

t.test('an answer says that its figures are too low, while their rows are made or late', async t => {
  let time = Date.now()
  const now = () => new Date(time)
  const withoutJobs = { now, settings: { jobs: false } }
  const read = ({ ok }: TestServer) => ok<Answer>('/v1/insights')
  const file = ({ ok }: TestServer) => ok('/v1/issues', { body: { teamId: 'ENG', title: 'A task' } })
  const bare = await testServer({ plugins: BASE, now })
  await file(bare)
  await bare.idle()

  const turnedOn = await restart(bare, ['insights'], withoutJobs)
  t.match(await read(turnedOn), { isComplete: false, total: { filed: { count: 0 } } })
  const whole = await restart(turnedOn, ['insights'], { now })
  await whole.idle()
  t.match(await read(whole), { isComplete: true, total: { filed: { count: 1 } } })

  const late = await restart(whole, ['insights'], withoutJobs)
  await file(late)
  t.match(await read(late), { isComplete: true }, 'the rows are usually a moment later')
  time += 61_000
  t.match(await read(late), { isComplete: false, total: { filed: { count: 1 } } })
  const caughtUp = await restart(late, ['insights'], { now })
  t.teardown(() => caughtUp.close())
  await caughtUp.idle()
  t.match(await read(caughtUp), { isComplete: true, total: { filed: { count: 2 } } })
})
