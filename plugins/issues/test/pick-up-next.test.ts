import t from 'tap'
import { callTool } from '../../../test/runner/call-tool.ts'
import { onPostgres, testServer } from '../../../test/runner/harness.ts'

const times = onPostgres ? 1 : 0.1
const server = await testServer({ settings: { plugins: { mcp: { rateLimit: 0 } } } })
t.teardown(() => server.close())

interface Taken {
  key: string
  issue?: null
  reasons?: Record<string, number>
}
const description = 'The exporter loses the time zone of every date in the file.\n\n- [ ] dates keep their zone'
const teams = { next: 0 }
/** A new team for each test, so that others' issues are not taken. */
async function team(): Promise<string> {
  const identifier = `N${++teams.next}`
  await server.ok('/v1/teams', { body: { identifier, name: identifier } })
  return identifier
}
const file = (teamId: string, fields: object = {}) =>
  server.ok<{ id: string; key: string }>('/v1/issues', {
    body: { teamId, title: 'Zones', descriptionMarkdown: description, ...fields }
  })
const bulk = (teamId: string, count: number) =>
  server.ok('/v1/issues/bulk', {
    body: {
      issues: Array.from({ length: count }, (_, n) => ({
        teamId,
        title: `Zone ${n}`,
        descriptionMarkdown: description
      }))
    }
  })

t.test('the most urgent comes first, then what blocks most others, then the oldest', async t => {
  const { token } = await server.agent('Orderly')
  const team1 = await team()
  const plain = await file(team1)
  const blocking = await file(team1)
  const urgent = await file(team1, { priority: 1 })
  const low = await file(team1, { priority: 4 })
  await file(team1, { blockedByIds: [blocking.key] })
  const pickedKeys: string[] = []
  for (let n = 0; n < 4; n++) {
    pickedKeys.push((await server.ok<Taken>('/v1/issues/pick_up_next', { token, body: { team: team1 } })).key)
  }
  t.strictSame(pickedKeys, [urgent.key, low.key, blocking.key, plain.key])
  const rest = await server.ok<Taken>('/v1/issues/pick_up_next', { token, body: { team: team1 } })
  t.strictSame(rest, { issue: null, reasons: { BLOCKED: 1, CLAIMED: 4 } }, 'and why there is no other')
})

t.test('list_tasks {ready} lists what is ready in the order in which it is picked up, page by page', async t => {
  const { token } = await server.agent('Reader of lists')
  const team1 = await team()
  await bulk(team1, 4)
  const blocking = await file(team1)
  await file(team1, { blockedByIds: [blocking.key] })
  await file(team1, { priority: 4 })
  await file(team1, { priority: 1 })
  type Page = { tasks: Array<{ key: string }>; total: number; next?: string }
  const list = (args: object) => callTool<Page>(server, 'list_tasks', { team: team1, ready: true, ...args }, token)
  const keys = ({ tasks }: { tasks: Array<{ key: string }> }) => tasks.map(({ key }) => key)
  const whole = await list({})
  t.equal(whole.total, 7)

  const paged: string[] = []
  for (let cursor: string | undefined, n = 0; n < 4; n++) {
    const page = await list({ limit: 2, ...(cursor !== undefined && { cursor }) })
    paged.push(...keys(page))
    cursor = page.next
  }
  t.strictSame(paged, keys(whole))
  const second = await server.ok<{ issues: Array<{ key: string }> }>('/v1/issues/filter', {
    token,
    body: { filters: { team: { filterType: 'IS', value: [team1] } }, orderBy: 'next', perPage: 2, page: 2 }
  })
  t.strictSame(keys({ tasks: second.issues }), keys(whole).slice(2, 4), 'by the number of the page, too')

  const pickedKeys: string[] = []
  for (let n = 0; n < 7; n++) {
    pickedKeys.push((await server.ok<Taken>('/v1/issues/pick_up_next', { token, body: { team: team1 } })).key)
  }
  t.strictSame(pickedKeys, keys(whole))
})

t.test('what blocks others comes before any number of older issues, and after what is more urgent', async t => {
  const { token } = await server.agent('Patient')
  const team1 = await team()
  await bulk(team1, 50)
  const blocking = await file(team1)
  await file(team1, { blockedByIds: [blocking.key] })
  const urgent = await file(team1, { priority: 1 })
  const ready = await server.ok<{ issues: Array<{ key: string }> }>(`/v1/issues/ready?team=${team1}&limit=3`, { token })
  t.strictSame(
    ready.issues.map(({ key }) => key),
    [urgent.key, blocking.key, `${team1}-1`]
  )
  const pickedKeys: string[] = []
  for (let n = 0; n < 3; n++) {
    pickedKeys.push((await server.ok<Taken>('/v1/issues/pick_up_next', { token, body: { team: team1 } })).key)
  }
  t.strictSame(pickedKeys, [urgent.key, blocking.key, `${team1}-1`])
})

t.test('it answers the context of an issue that is the caller’s now', async t => {
  const { id, token } = await server.agent('Reader')
  const team1 = await team()
  await file(team1, { title: 'Other', labels: [] })
  t.match(await server.ok('/v1/issues/pick_up_next', { token, body: { team: team1 } }), {
    title: 'Other',
    assignee: { id },
    claim: { holder: { id }, fence: 1 },
    state: { category: 'STARTED' },
    history: [{ change: 'assignee' }, { change: 'state' }]
  })
})

t.test('only issues that fit the request are taken', async t => {
  const { token } = await server.agent('Choosy')
  const team1 = await team()
  const { id: label } = await server.ok<{ id: string }>('/v1/labels', { body: { name: 'Export' } })
  await server.ok('/v1/projects', { body: { name: 'Zones' } })
  await file(team1)
  const both = await file(team1, { labelIds: [label], project: 'Zones', estimate: 2 })
  const body = {
    team: team1,
    labels: ['Export'],
    project: 'Zones',
    filters: { estimate: { filterType: 'IS', value: [2] } }
  }
  t.equal((await server.ok<Taken>('/v1/issues/pick_up_next', { token, body })).key, both.key)
  t.equal((await server.ok<Taken>('/v1/issues/pick_up_next', { token, body })).issue, null)
})

t.test('a name and a filter of the same field both hold', async t => {
  const { token } = await server.agent('Exacting')
  const team1 = await team()
  for (const name of ['Wanted', 'Unwanted']) await server.ok('/v1/labels', { body: { name } })
  await file(team1, { labels: ['Wanted', 'Unwanted'], priority: 1 })
  const labelled = await file(team1, { labels: ['Wanted'] })
  const filters = { label: { filterType: 'EXCLUDES', value: ['Unwanted'] } }
  const body = { team: team1, labels: ['Wanted'], filters }
  t.equal((await server.ok<Taken>('/v1/issues/pick_up_next', { token, body })).key, labelled.key)
})

t.test('callers at once get different issues, over two replicas, and none is left', async t => {
  const replica = onPostgres ? await testServer({ on: server }) : server
  if (replica !== server) t.teardown(() => replica.close())
  const team1 = await team()
  const issues = Number(process.env['CLAIM_ISSUES'] ?? 200) * times
  const callers = Math.ceil(64 * times)
  for (let n = 0; n < issues; n += 50) await bulk(team1, Math.min(50, issues - n))
  const agents = await Promise.all(Array.from({ length: callers }, (_, n) => server.agent(`Caller ${n}`)))
  const pickedKeys: string[] = []
  await Promise.all(
    agents.map(async ({ token }, n) => {
      const at = n % 2 ? server : replica
      for (;;) {
        const next = await at.ok<Taken>('/v1/issues/pick_up_next', { token, body: { team: team1 } })
        if (next.issue === null) return
        pickedKeys.push(next.key)
      }
    })
  )
  t.equal(pickedKeys.length, issues)
  t.equal(new Set(pickedKeys).size, issues)
})

t.test('ready issues are listed, with the number of the others by reason', async t => {
  const { token } = await server.agent('Planner')
  const team1 = await team()
  const first = await file(team1, { priority: 2 })
  const second = await file(team1)
  await file(team1, { blockedByIds: [first.key] })
  await file(team1, { descriptionMarkdown: 'Only words, and enough of them to describe what is wrong here.' })
  const ready = await server.ok<{ issues: Array<{ key: string }>; reasons: object }>(
    `/v1/issues/ready?team=${team1}&limit=10`,
    { token }
  )
  t.strictSame(
    ready.issues.map(({ key }) => key),
    [first.key, second.key]
  )
  t.strictSame(ready.reasons, { BLOCKED: 1, NO_CRITERIA: 1 })
})
