import t from 'tap'
import { testServer, type TestServer } from '../../../test/runner/harness.ts'

interface Sums {
  inputTokens: number
  outputTokens: number
  cachedTokens: number
  costUsd?: number
  estimated?: true
  costUnknown?: true
}
interface Answer {
  total: Sums
  items: Array<Sums & { id: string | null; name: string | null }>
  hasMore: boolean
}

let server: TestServer
t.before(async () => {
  server = await testServer({ plugins: ['workspace', 'agents', 'issues', 'projects', 'usage', 'trash'] })
})
t.teardown(() => server.close())

const figures = { model: 'large', inputTokens: 1000, outputTokens: 200, cachedTokens: 5000, costUsd: 0.5 }
const send = (more: object, token?: string) =>
  server.call('/v1/usage', { body: { reportId: 'session 1', ...figures, ...more }, ...(token && { token }) })
const newIssue = (more: object = {}) =>
  server.ok<{ id: string; key: string }>('/v1/issues', { body: { teamId: 'ENG', title: 'A task', ...more } })
const read = (query: string) => server.ok<Answer>(`/v1/usage?${query}`)

t.test('a report is in the context and the row of its issue, and a repetition replaces it', async t => {
  const { id, key } = await newIssue()
  const context = () => server.ok<{ usage?: Sums; version: string }>(`/v1/issues/${key}/context`)
  const before = await context()
  t.notOk(before.usage, 'without reports there is none')

  const answer = await send({ issueId: key.toLowerCase() })
  t.equal(answer.statusCode, 200)
  t.strictSame(answer.json(), { reportId: 'session 1', ...figures, issueId: id, runId: null })
  await send({ issueId: key, inputTokens: 1500, costUsd: 0.1 + 0.2 })
  const after = await context()
  t.strictSame(after.usage, { inputTokens: 1500, outputTokens: 200, cachedTokens: 5000, costUsd: 0.3 })
  t.equal(after.version, before.version, 'what the work costs is no change of the issue')

  await send({ issueId: key, reportId: 'session 2', model: 'small', costUsd: undefined })
  t.match((await context()).usage, { inputTokens: 2500, costUsd: 0.3, costUnknown: true })
  const { issues } = await server.ok<{ issues: Array<{ id: string; costUsd?: number }> }>('/v1/issues/filter', {
    body: { view: 'list' }
  })
  t.equal(issues.find(issue => issue.id === id)?.costUsd, 0.3)
})

t.test('the cost of a model without a price is unknown, never 0', async t => {
  const { key } = await newIssue()
  const answer = await send({ issueId: key, reportId: 'unpriced', costUsd: undefined })
  t.match(answer.json(), { costUnknown: true })
  t.notMatch(answer.json(), { costUsd: Number })
  const { total } = await read(`issueId=${key}`)
  t.strictSame(total, { inputTokens: 1000, outputTokens: 200, cachedTokens: 5000, costUnknown: true })
  await send({ issueId: key, reportId: 'free', costUsd: 0 })
  t.match((await read(`issueId=${key}`)).total, { costUsd: 0, costUnknown: true })
})

t.test('usage is summed by issue, agent, project, cycle, model and day', async t => {
  const project = await server.ok<{ id: string }>('/v1/projects', { body: { name: 'Engine' } })
  const [one, two] = [await newIssue({ projectId: project.id }), await newIssue({ projectId: project.id })]
  const { id: agentId, token } = await server.agent('Worker')
  await send({ issueId: one.id, reportId: 'a', costUsd: 1 }, token)
  await send({ issueId: two.id, reportId: 'b', model: 'small', costUsd: 2 }, token)
  await send({ reportId: 'c', costUsd: 4 }, token)

  const of = (by: string) => read(`by=${by}&projectId=${project.id}`)
  t.match(await of('issue'), {
    total: { costUsd: 3, inputTokens: 2000 },
    items: [
      { id: two.id, name: two.key, costUsd: 2 },
      { id: one.id, name: one.key, costUsd: 1 }
    ],
    hasMore: false
  })
  t.match((await of('project')).items, [{ id: project.id, name: 'Engine', costUsd: 3 }])
  t.match((await of('cycle')).items, [{ id: null, name: null, costUsd: 3 }])
  t.match((await of('model')).items, [
    { name: 'small', costUsd: 2 },
    { name: 'large', costUsd: 1 }
  ])
  t.match((await of('agent')).items, [{ id: agentId, name: 'Worker', costUsd: 3 }])
  t.match((await read(`by=issue&agentId=${agentId}`)).total, { costUsd: 7 })
  const today = new Date().toISOString().slice(0, 10)
  t.match((await read(`by=day&agentId=Worker`)).items, [{ id: today, name: today, costUsd: 7 }])
  t.match((await read(`agentId=Worker&from=${today}&to=${today}`)).total, { costUsd: 7 })
  t.match(await read(`agentId=Worker&to=2001-01-01`), { total: { inputTokens: 0 }, items: [], hasMore: false })
  const limited = await read(`by=issue&agentId=Worker&limit=1`)
  t.equal(limited.items.length, 1)
  t.ok(limited.hasMore)
})

t.test('tokens do not replace reports of each other', async t => {
  const { key } = await newIssue()
  const { token } = await server.agent('Other')
  await send({ issueId: key, reportId: 'same', costUsd: 1 })
  await send({ issueId: key, reportId: 'same', costUsd: 2 }, token)
  t.match((await read(`issueId=${key}`)).total, { costUsd: 3 })
})

t.test('numbers are bounded, runs report for themselves, readers do not report', async t => {
  const { key } = await newIssue()
  const refused = [{ inputTokens: -1 }, { outputTokens: 1.5 }, { costUsd: -0.1 }, { costUsd: 1e300 }, { model: '' }]
  for (const wrong of refused) {
    t.equal((await send({ issueId: key, ...wrong })).statusCode, 400, JSON.stringify(wrong))
  }
  const ofRun = await send({ issueId: key, runId: '01920000-0000-7000-8000-000000000000' })
  t.equal(ofRun.statusCode, 403)
  t.match(ofRun.json(), { message: /Only the token of a run reports for it/ })
  t.equal((await send({ issueId: 'ENG-99999' })).statusCode, 404)
  const reader = await server.agent('Reader', ['read'])
  t.equal((await send({ issueId: key }, reader.token)).statusCode, 403)
})

t.test('an issue that is removed for good takes its name from its reports, whose cost still counts', async t => {
  const { id, key } = await newIssue()
  const { token } = await server.agent('Cleaner')
  await send({ issueId: key, reportId: 'kept', session: 'Acme' }, token)
  await server.ok(`/v1/issues/${key}`, { method: 'DELETE' })
  await server.ok(`/v1/issues/${id}?permanently=true`, { method: 'DELETE' })
  t.match(await read('agentId=Cleaner'), { total: { costUsd: 0.5 }, items: [{ id: null, name: null }] })
})
