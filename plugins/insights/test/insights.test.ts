import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import t from 'tap'
import { onPostgres, runsOnCitus, testServer } from '../../../test/runner/harness.ts'

const HOUR = 3_600_000
const PLUGINS = [
  ...['workspace', 'agents', 'issues', 'projects', 'comments', 'trash'],
  ...['claims', 'proof', 'usage', 'delegation', 'insights']
]

let time = Date.parse('2026-03-02T12:00:00Z')
const server = await testServer({
  plugins: PLUGINS,
  now: () => new Date(time)
})
t.teardown(() => server.close())
const { ok, call } = server

interface Figures {
  filed: { count: number }
  completed: { count: number; proven?: number; cycleTime: { p50Hours?: number; p85Hours?: number } }
  canceled: { count: number }
  reopened: { count: number }
  inProgress: { count: number; age?: { p50Hours?: number } }
  questions?: { count: number; answered: number; open: number; p50Hours?: number }
  claimsLapsed?: { count: number }
  runs?: { count: number }
  usage?: { costUsd?: number }
}
interface Answer {
  from: string
  to: string
  total: Figures & { timeInState: Array<{ state: string; category: string | null; hours: number; issues: number }> }
  groups: Array<Figures & { id: string | null; name: string | null; kind?: string }>
  hasMore: boolean
}
const at = (text: string) => (time = Date.parse(text))
/** Reads insights after the consumer of events has stored the steps. */
async function read(query: string): Promise<Answer> {
  await server.idle()
  return ok<Answer>(`/v1/insights?${query}`)
}
async function issuesOf(query: string): Promise<string[]> {
  await server.idle()
  return (await ok<{ items: Array<{ key: string }> }>(`/v1/insights/issues?${query}`)).items.map(({ key }) => key)
}

/** A team of its own, so that tests do not see each other's issues. */
async function newTeam(identifier: string) {
  await ok('/v1/teams', { body: { identifier, name: `Team ${identifier}` } })
  const file = (more: object = {}) =>
    ok<{ id: string; key: string }>('/v1/issues', { body: { teamId: identifier, title: 'A task', ...more } })
  return file
}
const move = (key: string, state: string, more: object = {}) => ok(`/v1/issues/${key}`, { body: { state, ...more } })
/** Has the consumer read the history again, which a test has changed by SQL. */
const touch = (key: string) => ok(`/v1/issues/${key}`, { body: { title: `A task at ${Date.now()}` } })
const week = (answer: Answer, id: string) => answer.groups.find(group => group.id === id)!

t.test('weeks count what happened in them, also after issues were reopened', async t => {
  const file = await newTeam('WK')
  at('2026-03-02T12:00:00Z')
  const { key } = await file()
  await move(key, 'In Progress')
  time += 10 * HOUR
  await move(key, 'Done')
  at('2026-03-10T00:00:00Z')
  await move(key, 'In Progress')
  at('2026-03-18T00:00:00Z')
  await move(key, 'Done')
  at('2026-03-20T00:00:00Z')
  const answer = await read('team=wk&from=2026-03-02&to=2026-03-22')
  t.equal(answer.from, '2026-03-02')
  t.match(
    answer.groups.map(({ id, filed, completed, reopened, inProgress }) => [
      ...[id, filed.count, completed.count, reopened.count, inProgress.count]
    ]),
    [
      ['2026-03-02', 1, 1, 0, 0],
      ['2026-03-09', 0, 0, 1, 1],
      ['2026-03-16', 0, 1, 0, 0]
    ]
  )
  t.match(week(answer, '2026-03-02').completed.cycleTime, { p50Hours: 10 })
  t.match(answer.total, {
    filed: { count: 1 },
    completed: { count: 1, cycleTime: { p50Hours: 15.5 * 24 } },
    reopened: { count: 1 }
  })
  t.match(await read('team=WK&from=2026-03-09&to=2026-03-15'), {
    total: { completed: { count: 0 }, reopened: { count: 1 }, inProgress: { count: 1, age: { p50Hours: 13.5 * 24 } } }
  })
  t.strictSame(await issuesOf('team=WK&from=2026-03-02&to=2026-03-22&figure=reopened&group=2026-03-09'), [key])
  t.strictSame(await issuesOf('team=WK&from=2026-03-02&to=2026-03-22&figure=reopened&group=2026-03-16'), [])
  const inProgress = (group: string) =>
    issuesOf(`team=WK&from=2026-03-02&to=2026-03-22&figure=inProgress&group=${group}`)
  t.strictSame(await inProgress('2026-03-09'), [key], 'at the end of the week')
  for (const group of ['2026-02-23', '2026-03-02', '2026-03-16', '2026-03-23', '2026-99-99', '0000-01-03']) {
    t.strictSame(await inProgress(group), [], group)
  }
  await move(key, 'In Progress')
  t.strictSame(await inProgress('2026-03-16'), [key], 'now')
  t.match(answer.total.timeInState, [
    { state: 'Todo', category: 'UNSTARTED', hours: 0, issues: 1 },
    { state: 'In Progress', category: 'STARTED', hours: 10 + 8 * 24, issues: 1 },
    { state: 'Done', category: 'COMPLETED' }
  ])
  at('2026-03-25T00:00:00Z')
  const later = await read('team=WK&from=2026-03-02&to=2026-03-22')
  t.strictSame(
    later.groups.map(({ id }) => id),
    ['2026-03-02', '2026-03-09', '2026-03-16'],
    'no week begins at the end of the span'
  )
})

t.test('a cycle time is that of a completion before which the work began', async t => {
  const file = await newTeam('CYC')
  at('2026-03-02T00:00:00Z')
  const { key } = await file()
  const imported = await file({ state: 'In Progress' })
  await move(key, 'Done')
  at('2026-03-16T00:00:00Z')
  await move(key, 'In Progress')
  const before = await read('team=CYC&from=2026-03-02&to=2026-03-08')
  t.strictSame(before.total.completed, { count: 1, proven: 0, cycleTime: {} }, 'it was begun only later')
  time += 4 * HOUR
  await move(key, 'Done')
  t.match(await read('team=CYC&from=2026-03-02&to=2026-03-22'), {
    total: { completed: { count: 1, cycleTime: { p50Hours: 4 } } }
  })
  await move(imported.key, 'Done')
  await sql`update issue set created_at = ${new Date(time + 24 * HOUR)} where id = ${imported.id}`.execute(
    server.database.db
  )
  await touch(imported.key)
  t.match(
    await read('team=CYC&from=2026-03-02&to=2026-03-22'),
    { total: { completed: { count: 2, cycleTime: { p50Hours: 2 } } } },
    'its history begins before it was created here: no time is known, so none has passed'
  )
})

t.test('claims that lapsed count, also those that were taken or revived before the next job', async t => {
  const file = await newTeam('LAPSE')
  at('2026-03-11T00:00:00Z')
  const [silent, other] = [await server.agent('Silent'), await server.agent('Next')]
  const work = { descriptionMarkdown: 'Long enough to be a description.\n\n- [ ] it works' }
  const [taken, revived] = [await file(work), await file(work)]
  const pickUp = (key: string, { token }: { token: string }) => ok(`/v1/issues/${key}/pick_up`, { token, body: {} })
  await pickUp(taken.key, silent)
  await pickUp(revived.key, silent)
  time += 3 * HOUR
  await pickUp(taken.key, other)
  await ok(`/v1/issues/${revived.key}`, { token: silent.token, body: { priority: 2 } })
  const span = 'team=LAPSE&from=2026-03-11&to=2026-03-11&by=agent'
  const { total, groups } = await read(span)
  t.equal(total.claimsLapsed?.count, 2)
  t.equal(groups.find(({ id }) => id === silent.id)?.claimsLapsed?.count, 2)
  t.strictSame((await issuesOf(`${span}&figure=claimsLapsed`)).toSorted(), [taken.key, revived.key].toSorted())
})

const skip = (!onPostgres || (await runsOnCitus())) && 'needs TEST_DATABASE_URL of one PostgreSQL'

/** Reads insights while a table is locked, and does something else before they get it. */
async function readMeanwhile(query: string, table: string, work: () => Promise<unknown>): Promise<Answer> {
  const { db } = server.database
  const { answer } = await db.transaction().execute(async trx => {
    await sql`lock table ${sql.table(table)} in access exclusive mode`.execute(trx)
    const answer = read(query)
    const waiting = sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    while ((await waiting.execute(db)).rows.length === 0) await sleep(10)
    await work()
    return { answer }
  })
  return answer
}

t.test('slow insights leave turns to other requests', { skip }, async t => {
  const file = await newTeam('SLOW')
  at('2026-03-12T00:00:00Z')
  const { key } = await file({ state: 'Done' })
  const span = 'team=SLOW&from=2026-03-12&to=2026-03-12'
  const answer = await readMeanwhile(span, 'issue_claim_lapse', async () =>
    t.strictSame(await issuesOf(`${span}&figure=filed`), [key])
  )
  t.equal(answer.total.completed.count, 1)
})

t.test('what is completed while insights are read makes no impossible figures', { skip }, async t => {
  const file = await newTeam('MEAN')
  at('2026-03-13T00:00:00Z')
  const { key } = await file()
  time += 2 * HOUR
  const { total } = await readMeanwhile('team=MEAN&from=2026-03-13&to=2026-03-13', 'issue_claim_lapse', async () => {
    await move(key, 'Done')
    await server.idle()
  })
  t.equal(total.completed.count, 0)
  t.match(total.timeInState, [{ state: 'Todo', hours: 2, issues: 1 }])
})

t.test('days begin at midnight in UTC; what is deleted does not count until it is restored', async t => {
  const file = await newTeam('UTC')
  at('2026-03-03T23:59:59.999Z')
  const last = await file()
  at('2026-03-04T00:00:00.000Z')
  const first = await file()
  const filed = (from: string, to: string) => issuesOf(`team=UTC&from=${from}&to=${to}&figure=filed`)
  t.strictSame(await filed('2026-03-03', '2026-03-03'), [last.key])
  t.strictSame(await filed('2026-03-04', '2026-03-04'), [first.key])
  t.strictSame(await filed('2026-03-03', '2026-03-04'), [first.key, last.key])
  await ok(`/v1/issues/${first.key}`, { method: 'DELETE' })
  t.strictSame(await filed('2026-03-03', '2026-03-04'), [last.key])
  t.match(await read('team=UTC&from=2026-03-03&to=2026-03-04'), { total: { filed: { count: 1 } } })
  await ok(`/v1/issues/${first.id}/restore`, { method: 'POST' })
  t.equal((await filed('2026-03-03', '2026-03-04')).length, 2)
})

t.test('renamed and removed states keep their categories; old rows have only names', async t => {
  const file = await newTeam('OLD')
  at('2026-03-05T00:00:00Z')
  const states = await ok<Array<{ id: string; name: string }>>('/v1/OLD/workflows')
  const issue = await file()
  const strange = await file()
  await move(issue.key, 'In Progress')
  await move(strange.key, 'In Progress')
  time += 6 * HOUR
  await move(issue.key, 'Done')
  await move(strange.key, 'Done')
  const id = states.find(({ name }) => name === 'In Progress')!.id
  await ok(`/v1/OLD/workflows/${id}`, { body: { name: 'Doing' } })
  const span = 'team=OLD&from=2026-03-05&to=2026-03-05'
  t.match(await read(span), { total: { completed: { count: 2, cycleTime: { p50Hours: 6 } } } })
  await server.database.db.transaction().execute(async trx => {
    await sql`update issue_change set from_id = null, to_id = null
      where issue_id = ${issue.id} and change = 'state'`.execute(trx)
    await sql`update issue_change set from_id = null, to_id = null, to_name = 'Nowhere'
      where issue_id = ${strange.id} and to_name = 'Done'`.execute(trx)
  })
  await touch(issue.key)
  await touch(strange.key)
  const answer = await read(span)
  t.equal(answer.total.completed.count, 1, 'a name that the team never had has no category')
  t.notOk(answer.total.completed.cycleTime.p50Hours, 'nor has the former name of a renamed state')
  t.ok(answer.total.timeInState.some(({ state, category }) => state === 'In Progress' && category === null))
})

t.test('issues without history count by what they are', async t => {
  const file = await newTeam('NEW')
  at('2026-03-06T00:00:00Z')
  const done = await file({ state: 'Done' })
  await file({ state: 'Canceled' })
  await file({ state: 'In Progress' })
  time += 5 * HOUR
  const answer = await read('team=NEW&from=2026-03-06&to=2026-03-06')
  t.match(answer.total, {
    filed: { count: 3 },
    completed: { count: 1 },
    canceled: { count: 1 },
    inProgress: { count: 1, age: { p50Hours: 5 } }
  })
  t.strictSame(answer.total.completed.cycleTime, {}, 'it was never begun')
  t.strictSame(await issuesOf('team=NEW&from=2026-03-06&to=2026-03-06&figure=completed'), [done.key])
})

t.test('an issue counts in the team and project that it has now', async t => {
  const file = await newTeam('HERE')
  await newTeam('THERE')
  at('2026-03-07T00:00:00Z')
  const project = await ok<{ id: string }>('/v1/projects', { body: { name: 'Moon base' } })
  const { id, key } = await file({ projectId: project.id })
  await move(key, 'In Progress')
  await ok(`/v1/issues/${id}/move`, { body: { teamId: 'THERE' } })
  time += 4 * HOUR
  await move(id, 'Done')
  const span = 'from=2026-03-07&to=2026-03-07'
  t.match(await read(`team=HERE&${span}`), { total: { filed: { count: 0 }, completed: { count: 0 } } })
  t.match(await read(`team=Team there&${span}`), { total: { completed: { count: 1, cycleTime: { p50Hours: 4 } } } })
  for (const ref of [project.id, 'moon base']) {
    t.match(await read(`project=${encodeURIComponent(ref)}&${span}`), { total: { completed: { count: 1 } } }, ref)
  }
})

t.test('people and agents stand side by side: by their assignment at the time', async t => {
  const file = await newTeam('WHO')
  at('2026-03-08T00:00:00Z')
  const robot = await server.agent('Robot')
  const other = await server.agent('Other')
  const { key } = await file({ assignee: 'Robot' })
  await move(key, 'Done')
  time += HOUR
  await ok(`/v1/issues/${key}`, { body: { assigneeId: other.id } })
  const nobody = await file({ state: 'In Progress' })
  const span = 'team=WHO&from=2026-03-08&to=2026-03-08'
  const people = await read(`${span}&by=assignee`)
  t.match(people.groups, [
    { id: robot.id, name: 'Robot', kind: 'AGENT', completed: { count: 1 } },
    { name: 'Administrator', kind: 'PERSON', filed: { count: 2 }, completed: { count: 0 } },
    { id: null, name: null, inProgress: { count: 1 } }
  ])
  const agents = await read(`${span}&by=agent`)
  t.match(agents.groups, [{ id: robot.id }])
  t.equal(agents.groups.length, 1)
  t.equal(agents.total.completed.count, 1)
  t.strictSame(await issuesOf(`${span}&by=assignee&figure=inProgress&group=none`), [nobody.key])
  t.strictSame(await issuesOf(`${span}&by=agent&figure=completed&group=${robot.id}`), [key])
  await ok(`/v1/issues/${key}`, { body: { labels: ['Bug', 'Feature'] } })
  const labels = await read(`${span}&by=label`)
  t.strictSame(
    labels.groups.map(({ name, filed }) => [name, filed.count]).toSorted(),
    [
      ['Bug', 1],
      ['Feature', 1],
      [null, 1]
    ].toSorted()
  )
  t.equal(labels.total.filed.count, 2)
})

t.test('other plugins add their figures, and lists of their issues', async t => {
  const file = await newTeam('ALL')
  at('2026-03-09T00:00:00Z')
  const robot = await server.agent('Asker')
  const criteria = 'Long enough to be a description.\n\n- [ ] it works'
  const { id, key } = await file({ descriptionMarkdown: criteria })
  await file({ state: 'Done' })
  await ok(`/v1/issue_comments?issueId=${key}`, {
    token: robot.token,
    body: { bodyMarkdown: 'Which one?', question: {} }
  })
  const [question] = await ok<Array<{ id: string }>>(`/v1/issue_comments?issueId=${key}`)
  time += 3 * HOUR
  await ok(`/v1/issue_comments?issueId=${key}`, { body: { bodyMarkdown: 'This one.', parentId: question!.id } })
  await ok('/v1/usage', {
    token: robot.token,
    body: { reportId: 'r', issueId: key, model: 'm', inputTokens: 1, outputTokens: 1, costUsd: 0.5 }
  })
  await ok(`/v1/issues/${key}`, {
    body: { criteria: { met: [{ criterion: 1, evidence: 'seen' }] }, state: 'Done' }
  })
  const { workspaceId, accountId } = await server.database.db
    .selectFrom('account')
    .select(['workspaceId', 'id as accountId'])
    .where('id', '=', robot.id)
    .executeTakeFirstOrThrow()
  await sql`insert into issue_claim_lapse (workspace_id, issue_id, at, holder_id)
    values (${workspaceId}, ${id}, ${new Date(time)}, ${accountId})`.execute(server.database.db)
  const span = 'team=ALL&from=2026-03-09&to=2026-03-09'
  const { total, groups } = await read(`${span}&by=agent`)
  t.match(total, {
    completed: { count: 2, proven: 1 },
    questions: { count: 1, answered: 1, open: 0, p50Hours: 3 },
    claimsLapsed: { count: 1 },
    runs: { count: 0 },
    usage: { costUsd: 0.5 }
  })
  t.match(groups, [{ name: 'Asker', usage: { costUsd: 0.5 }, questions: { count: 1 }, claimsLapsed: { count: 1 } }])
  for (const figure of ['completed.proven', 'questions.answered', 'claimsLapsed', 'usage']) {
    t.strictSame(await issuesOf(`${span}&figure=${figure}`), [key], figure)
  }
})

t.test('refusals say what to send', async t => {
  const refused = async (path: string, message: RegExp) => {
    const answer = await call(path)
    t.equal(answer.statusCode, 400, path)
    t.match(answer.json(), { message }, path)
  }
  await refused('/v1/insights?from=2026-02-30', /from/)
  await refused('/v1/insights?from=2026-03-02&to=2026-03-01', /query.from \(2026-03-02\) must not be after/)
  await refused('/v1/insights?from=2020-01-01&to=2026-01-01', /at most 372/)
  await refused('/v1/insights?team=NOPE', /NOPE/)
  await refused('/v1/insights?project=Nothing', /no project 'Nothing'/)
  await refused('/v1/insights?by=day', /by/)
  for (const figure of ['nothing', 'filed.constructor', 'completed.proven.x']) {
    await refused(`/v1/insights/issues?figure=${figure}`, /must be one of: filed, completed, completed\.proven/)
  }
  await refused('/v1/insights/issues?figure=filed&group=x', /a Monday/)
  await refused('/v1/insights/issues?figure=filed&by=agent&group=x', /a UUID/)
})

t.test('the figures of plugins that are off are absent', async t => {
  const bare = await testServer({ plugins: ['workspace', 'agents', 'issues', 'insights'] })
  t.teardown(() => bare.close())
  await bare.ok('/v1/issues', { body: { teamId: 'ENG', title: 'A task', state: 'Done' } })
  await bare.idle()
  const { total } = await bare.ok<Answer>('/v1/insights')
  t.strictSame(Object.keys(total).toSorted(), [
    ...['canceled', 'completed', 'filed', 'inProgress', 'reopened', 'timeInState']
  ])
  t.strictSame(total.completed, { count: 1, cycleTime: {} })
  const refused = await bare.call('/v1/insights?project=Moon')
  t.match(refused.json(), { message: /Issues have no project on this server/ })
})
