import t, { type Test } from 'tap'
import { testServer } from '../../../test/runner/harness.ts'
import { plainFigures, plainHours, plainWeeks, readIssues, type Grouping, type Span } from './plain-figures.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const SEED = Number(process.env['TEST_SEED'] ?? Date.now() % 1_000_000)
const STEPS = 150

/** mulberry32: numbers from 0 to 1, the same ones for a seed. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
const random = randomOf(SEED)
const oneOf = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!

const START = Date.parse('2026-02-25T10:00:00Z')
let time = START
const server = await testServer({
  plugins: ['workspace', 'agents', 'issues', 'trash', 'insights'],
  now: () => new Date(time)
})
t.teardown(() => server.close())
const { ok } = server

interface Figure {
  count: number
  cycleTime?: { p50Hours?: number; p85Hours?: number }
  age?: { p50Hours?: number; p85Hours?: number }
}
type Figures = Record<string, Figure>
interface Answer {
  total: Figures & { timeInState: Array<{ category: string; hours: number }> }
  groups: Array<Figures & { id: string | null }>
}
const FIGURES = ['filed', 'completed', 'canceled', 'reopened', 'inProgress']
const STATES = ['Backlog', 'Todo', 'In Progress', 'In Review', 'Done', 'Canceled']

const keys: string[] = []
const deleted: string[] = []

async function file(people: readonly string[]): Promise<void> {
  const body = { teamId: oneOf(['ENG', 'OPS']), title: 'A task', state: oneOf(STATES), assignee: oneOf(people) }
  keys.push((await ok<{ id: string }>('/v1/issues', { body })).id)
}

/** Changes a random issue, or files one, at a new time. */
async function happen(people: readonly string[]): Promise<void> {
  time += 1 + Math.floor(random() * 12 * HOUR)
  const chance = random()
  if (keys.length < 8 || chance < 0.15) return file(people)
  const id = oneOf(keys)
  if (chance < 0.75) await ok(`/v1/issues/${id}`, { body: { state: oneOf(STATES) } })
  else if (chance < 0.88) await ok(`/v1/issues/${id}`, { body: { assignee: oneOf(people) } })
  else if (chance < 0.94) await ok(`/v1/issues/${id}/move`, { body: { teamId: oneOf(['ENG', 'OPS']) } })
  else if (chance < 0.97) {
    await ok(`/v1/issues/${id}`, { method: 'DELETE' })
    deleted.push(...keys.splice(keys.indexOf(id), 1))
  } else if (deleted.length > 0) {
    const [back] = deleted.splice(0, 1)
    await ok(`/v1/issues/${back}/restore`, { method: 'POST' })
    keys.push(back!)
  }
}

const day = (at: number) => new Date(at).toISOString().slice(0, 10)

async function compare(t: Test, team: string, span: Span, by: Grouping): Promise<void> {
  const query = `team=${team}&from=${day(span.from)}&to=${day(span.to - DAY)}&by=${by}`
  const answer = await ok<Answer>(`/v1/insights?${query}`)
  const issues = await readIssues(server, team)
  const plain = plainFigures(issues, span, by)
  const near = (actual: number | undefined, expected: number | undefined, what: string) =>
    t.ok(actual === expected || Math.abs(actual! - expected!) < 0.006, `${what}: ${actual}, not ${expected}: ${query}`)
  for (const figure of FIGURES) {
    const { total, groups } = plain[figure]!
    t.equal(answer.total[figure]!.count, total.ids.length, `${figure}: ${query}`)
    const hours = answer.total[figure]!.cycleTime ?? answer.total[figure]!.age
    if (hours) for (const key of ['p50Hours', 'p85Hours'] as const) near(hours[key], total[key], `${figure} ${key}`)
    for (const group of answer.groups) {
      if (by === 'week' && figure === 'inProgress') continue
      const expected = groups.get(String(group.id))
      t.equal(group[figure]!.count, expected?.ids.length ?? 0, `${figure} of ${group.id}: ${query}`)
      near(
        group[figure]!.cycleTime?.p50Hours,
        figure === 'completed' ? expected?.p50Hours : undefined,
        String(group.id)
      )
    }
    const listed = await ok<{ items: Array<{ id: string }> }>(`/v1/insights/issues?${query}&figure=${figure}`)
    t.strictSame(listed.items.map(({ id }) => id).toSorted(), total.ids.toSorted(), `list of ${figure}: ${query}`)
  }
  const spent = Map.groupBy(answer.total.timeInState, ({ category }) => category)
  for (const [category, hours] of plainHours(issues, span)) {
    const sum = (spent.get(category) ?? []).reduce((sum, state) => sum + state.hours, 0)
    t.ok(Math.abs(sum - hours) < 0.02, `hours in ${category}: ${sum}, not ${hours}: ${query}`)
  }
  if (by !== 'week') return
  const weeks = plainWeeks(issues, span)
  t.strictSame(
    answer.groups.map(({ id, inProgress }) => [id, inProgress!.count]),
    [...weeks],
    `weeks in progress: ${query}`
  )
}

async function compareAll(t: Test): Promise<void> {
  await server.idle()
  const now = time
  const end = Date.parse(day(now)) + DAY
  const whole = { from: Date.parse('2026-02-20'), to: end, now }
  const middle = Date.parse(day((START + now) / 2))
  const early = { from: Date.parse('2026-02-20'), to: middle, now }
  const late = { from: middle, to: end, now }
  for (const team of ['ENG', 'OPS']) {
    for (const span of [whole, early, late]) {
      for (const by of ['week', 'assignee'] as const) await compare(t, team, span, by)
    }
  }
}

t.test(`insights of a random history are those of a plain computation (TEST_SEED=${SEED})`, async t => {
  await ok('/v1/teams', { body: { identifier: 'OPS', name: 'Operations' } })
  const people = [(await server.agent('Robot')).id, (await server.agent('Other')).id, 'me']
  for (let n = 0; n < STEPS; n++) await happen(people)
  await compareAll(t)
  const states = await ok<Array<{ id: string; name: string }>>('/v1/ENG/workflows')
  const review = states.find(({ name }) => name === 'In Review')!
  time += HOUR
  await ok(`/v1/ENG/workflows/${review.id}`, { body: { category: 'COMPLETED' } })
  await compareAll(t)
})
