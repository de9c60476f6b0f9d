import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import t from 'tap'
import { testServer, type Call } from '../../../test/runner/harness.ts'

const MINUTE = 60_000
let clock = Date.now()
const pass = (minutes: number) => {
  clock += minutes * MINUTE
}
const server = await testServer({ now: () => new Date(clock) })
t.teardown(() => server.close())

interface Claim {
  holder: { id: string; fullname: string }
  session?: string
  since: string
  expiresAt?: string
  fence: number
}
interface Issue {
  id: string
  key: string
  rev: number
  updatedAt: string
  state: { name: string; category: string }
  assignee: { id: string } | null
  claim?: Claim
}
type Agent = { id: string; token: string }

const description = 'The exporter loses the time zone of every date in the file.\n\n- [ ] dates keep their zone'
const file = (fields: object = {}) =>
  server.ok<Issue>('/v1/issues', {
    body: { teamId: 'ENG', title: 'Zones', descriptionMarkdown: description, ...fields }
  })
const context = (key: string) => server.ok<Issue>(`/v1/issues/${key}/context`)
const claimOf = async (key: string) => (await context(key)).claim
const as = (
  { token }: Agent,
  session?: string,
  more: Record<string, string> = {}
): Pick<Call, 'token' | 'headers'> => ({
  token,
  headers: { ...(session !== undefined && { 'x-tracker-session': session }), ...more }
})
const pickUp = (key: string, who: Pick<Call, 'token' | 'headers'>, body: object = {}) =>
  server.call(`/v1/issues/${key}/pick_up`, { ...who, body })
const change = (key: string, who: Pick<Call, 'token' | 'headers'>, body: object) =>
  server.call(`/v1/issues/${key}`, { ...who, body })
const eventsOf = async (issueId: string) =>
  (await server.ok<{ events: Array<{ type: string; data: object }> }>(`/v1/events?issueId=${issueId}`)).events
const typesOf = async (issueId: string) =>
  (await eventsOf(issueId)).map(({ type }) => type).filter(type => type.startsWith('claim.'))
/** As the schedule does every minute. */
async function lapse(): Promise<void> {
  await server.jobs.enqueue(server.database.db, 'claims.lapseClaims', [{}])
  await server.idle()
}

/** Waits for an effect of a request that comes after its answer. */
async function until<T>(read: () => Promise<T>, holds: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await read()
    if (holds(value)) return value
    await sleep(5)
  }
}

let agents = 0
const newAgent = (): Promise<Agent> => server.agent(`Agent ${++agents}`)
const CLAIM_MINUTES = 120

t.test('an issue has a claim while it is assigned and STARTED, however it got there', async t => {
  const agent = await newAgent()
  const { key } = await file()
  t.notOk('claim' in (await context(key)), 'nobody has it, and the context says nothing of it')
  await change(key, as(agent), { assignee: 'me' })
  t.equal(await claimOf(key), undefined, 'assigned is not begun')
  await change(key, as(agent), { state: 'In Progress' })
  t.match(await claimOf(key), {
    holder: { id: agent.id },
    fence: 1,
    since: new Date(clock).toISOString(),
    expiresAt: new Date(clock + CLAIM_MINUTES * MINUTE).toISOString()
  })
  await change(key, as(agent), { state: 'Todo' })
  t.equal(await claimOf(key), undefined, 'leaving the state ends it')
  await change(key, as(agent), { state: 'In Progress' })
  t.match(await claimOf(key), { fence: 1 }, 'the same holder has it again')
  await change(key, as(agent), { assignee: null })
  t.equal(await claimOf(key), undefined, 'leaving the assignee ends it')

  const begun = await file({ state: 'In Progress', assigneeId: agent.id })
  t.match(await claimOf(begun.key), { holder: { id: agent.id } }, 'filed as begun')
  await server.ok(`/v1/issues/${begun.key}`, { method: 'DELETE' })
})

t.test('a row of the board says who has the issue and until when', async t => {
  const agent = await newAgent()
  const { id, key } = await file()
  await file()
  await pickUp(key, as(agent))
  const { issues } = await server.ok<{ issues: Array<{ id: string; claim?: object }> }>('/v1/issues/filter', {
    body: { view: 'list' }
  })
  t.strictSame(
    issues.filter(row => 'claim' in row && row.id === id).map(({ claim }) => claim),
    [{ holderId: agent.id, expiresAt: new Date(clock + CLAIM_MINUTES * MINUTE).toISOString() }]
  )
  t.ok(issues.some(row => !('claim' in row)))
})

t.test("a person's claim never expires", async t => {
  const { id, key } = await file()
  await server.ok(`/v1/issues/${key}/pick_up`, { body: {} })
  t.notOk('expiresAt' in (await claimOf(key))!)
  pass(100 * 24 * 60)
  await lapse()
  t.strictSame(await typesOf(id), [])
})

t.test('an agent takes no issue from a person, but may close it', async t => {
  const agent = await newAgent()
  const { key } = await file()
  await server.ok(`/v1/issues/${key}/pick_up`, { body: {} })
  for (const body of [{ assignee: 'me' }, { assignee: null }, { state: 'Todo' }]) {
    t.equal((await change(key, as(agent), body)).statusCode, 409, JSON.stringify(body))
  }
  const taken = await pickUp(key, as(agent), { takeover: true })
  t.equal(taken.statusCode, 409)
  t.match(taken.json<{ message: string }>().message, /an agent cannot take it from a person/)
  t.equal((await change(key, as(agent), { state: 'Done' })).statusCode, 200)
})

t.test('any request of the agent renews its claims, at most once a minute, and is no change', async t => {
  const agent = await newAgent()
  const { id, key } = await file()
  await pickUp(key, as(agent))
  const { rev, updatedAt, claim } = await context(key)
  const events = (await eventsOf(id)).length
  pass(30)
  await server.ok('/v1/labels', as(agent))
  const renewed = await until(
    () => context(key),
    issue => issue.claim?.expiresAt !== claim!.expiresAt
  )
  t.equal(renewed.claim?.expiresAt, new Date(clock + CLAIM_MINUTES * MINUTE).toISOString())
  t.match(renewed, { rev, updatedAt, claim: { since: claim!.since, fence: 1 } })
  t.equal((await eventsOf(id)).length, events)
})

t.test('a hook of the agent renews its claims, too', async t => {
  const agent = await newAgent()
  const { key } = await file()
  await pickUp(key, as(agent, 'hooked'))
  const before = await claimOf(key)
  pass(30)
  await server.ok('/v1/agent-hooks/prompt?harness=codex', { ...as(agent), body: { session_id: 'hooked' } })
  const renewed = await until(
    () => claimOf(key),
    claim => claim?.expiresAt !== before?.expiresAt
  )
  t.match(renewed, { session: 'hooked', fence: 1 })
})

t.test('a claim is renewed for as long as is asked, and is never shortened', async t => {
  const agent = await newAgent()
  const { key } = await file()
  await pickUp(key, as(agent))
  const renew = (minutes?: number) =>
    server.call(`/v1/issues/${key}/claim/renew`, { ...as(agent), body: minutes === undefined ? {} : { minutes } })
  const long = new Date(clock + 600 * MINUTE).toISOString()
  t.equal((await renew(600)).json<{ claim: Claim }>().claim.expiresAt, long)
  t.equal((await renew()).json<{ claim: Claim }>().claim.expiresAt, long)
  t.equal((await renew(24 * 60 + 1)).statusCode, 400)
  const other = await newAgent()
  t.equal((await server.call(`/v1/issues/${key}/claim/renew`, { ...as(other), body: {} })).statusCode, 409)
})

t.test('a claim lapses when its agent is silent, is announced once, and makes the issue ready', async t => {
  const [agent, other] = [await newAgent(), await newAgent()]
  const { id, key } = await file()
  await pickUp(key, as(agent))
  t.equal((await pickUp(key, as(other))).statusCode, 409)
  pass(CLAIM_MINUTES + 1)
  await lapse()
  await lapse()
  t.strictSame(await typesOf(id), ['claim.lapsed'])
  t.match(await context(key), { assignee: { id: agent.id }, state: { category: 'STARTED' } }, 'both stay')
  const { issues } = await server.ok<{ issues: Array<{ key: string }> }>('/v1/issues/filter', {
    ...as(other),
    body: { view: 'list', filters: { isReady: true } }
  })
  t.ok(issues.some(row => row.key === key))
  t.equal((await pickUp(key, as(other))).statusCode, 200, 'no takeover is needed')
  t.match(await claimOf(key), { holder: { id: other.id }, fence: 2 })
  t.strictSame(await typesOf(id), ['claim.lapsed', 'claim.taken'])
})

t.test('a claim whose lapse cannot be announced keeps no other from being announced', async t => {
  const agent = await newAgent()
  const [broken, other] = [await file(), await file()]
  await pickUp(broken.key, as(agent))
  pass(1)
  await pickUp(other.key, as(agent))
  const { db } = server.database
  await sql`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$`.execute(db)
  await sql`
    create trigger refuse before insert on event for each row when (new.issue_id = ${sql.lit(broken.id)})
    execute function refuse()`.execute(db)
  pass(CLAIM_MINUTES + 1)
  await server.jobs.enqueue(db, 'claims.lapseClaims', [{}])
  await until(
    () => typesOf(other.id),
    types => types.includes('claim.lapsed')
  )
  t.strictSame(await typesOf(broken.id), [])
  await sql`drop function refuse() cascade`.execute(db)
  await lapse()
  t.strictSame(await typesOf(broken.id), ['claim.lapsed'], 'and it is announced as soon as it can be')
})

t.test('a lapse that was not announced yet is announced when the issue is taken', async t => {
  const [agent, other] = [await newAgent(), await newAgent()]
  const { id, key } = await file()
  await pickUp(key, as(agent))
  pass(CLAIM_MINUTES + 1)
  await pickUp(key, as(other))
  await lapse()
  t.strictSame(await typesOf(id), ['claim.lapsed', 'claim.taken'])
})

t.test("the holder's next write revives a lapsed claim with the same fence", async t => {
  const agent = await newAgent()
  const writes: Record<string, (key: string) => Promise<{ statusCode: number }>> = {
    'a field': key => change(key, as(agent), { priority: 2 }),
    'a comment': key =>
      server.call(`/v1/issue_comments?issueId=${key}`, { ...as(agent), body: { bodyMarkdown: 'Still on it.' } }),
    'a criterion': key => server.call(`/v1/issues/${key}/criteria`, { ...as(agent), body: { met: [1] } }),
    'a link': key =>
      server.call(`/v1/issues/${key}/links`, { ...as(agent), body: { url: 'https://example.org', title: 'x' } }),
    'a renewal': key => server.call(`/v1/issues/${key}/claim/renew`, { ...as(agent), body: {} }),
    'a pick-up': key => pickUp(key, as(agent))
  }
  for (const [name, write] of Object.entries(writes)) {
    const { id, key } = await file()
    await pickUp(key, as(agent))
    pass(CLAIM_MINUTES + 1)
    await lapse()
    await server.ok('/v1/labels', as(agent))
    t.ok((await claimOf(key))!.expiresAt! < new Date(clock).toISOString(), 'a read does not revive it')
    t.ok((await write(key)).statusCode < 300, name)
    t.match(await claimOf(key), { fence: 1, expiresAt: new Date(clock + CLAIM_MINUTES * MINUTE).toISOString() }, name)
    t.strictSame(await typesOf(id), ['claim.lapsed', 'claim.revived'], name)
  }
})

t.test('an agent that lost its claim cannot change the issue until it picks it up again', async t => {
  const [agent, other] = [await newAgent(), await newAgent()]
  const lost = async () => {
    const { key } = await file()
    await pickUp(key, as(agent))
    t.equal((await pickUp(key, as(other), { takeover: true })).statusCode, 200)
    return key
  }
  const key = await lost()
  const above = await file()
  await server.ok('/v1/projects', { body: { name: 'Launch' } })
  const cycle = await server.ok<{ id: string }>('/v1/cycles', {
    body: { name: 'Week 1', teamId: 'ENG', startsAt: '2030-01-01T00:00:00Z', endsAt: '2030-01-08T00:00:00Z' }
  })
  await server.ok('/v1/teams', { body: { name: 'Operations', identifier: 'OPS' } })
  const writes: Record<string, () => Promise<{ statusCode: number; body: string }>> = {
    state: () => change(key, as(agent), { state: 'Done' }),
    description: () => change(key, as(agent), { descriptionMarkdown: 'Else.' }),
    criteria: () => server.call(`/v1/issues/${key}/criteria`, { ...as(agent), body: { met: [1] } }),
    assignee: () => change(key, as(agent), { assignee: 'me' }),
    priority: () => change(key, as(agent), { priority: 1 }),
    labels: () => change(key, as(agent), { addLabels: [] }),
    title: () => change(key, as(agent), { title: 'Else' }),
    estimate: () => change(key, as(agent), { estimate: 3 }),
    'due date': () => change(key, as(agent), { dueDate: '2030-01-01' }),
    parent: () => change(key, as(agent), { parent: above.key }),
    project: () => change(key, as(agent), { project: 'Launch' }),
    cycle: () => change(key, as(agent), { cycleId: cycle.id }),
    team: () => server.call(`/v1/issues/${key}/move`, { ...as(agent), body: { teamId: 'OPS' } }),
    bulk: () =>
      server.call('/v1/issues/bulk_change', { ...as(agent), body: { issues: [{ issueId: key, priority: 1 }] } }),
    closing: () =>
      server.call(`/v1/issue_comments?issueId=${key}`, {
        ...as(agent),
        body: { bodyMarkdown: 'Done.', stateCategory: 'COMPLETED' }
      }),
    release: () => server.call(`/v1/issues/${key}/release`, { ...as(agent), body: {} }),
    renewal: () => server.call(`/v1/issues/${key}/claim/renew`, { ...as(agent), body: {} })
  }
  const before = await context(key)
  for (const [name, write] of Object.entries(writes)) {
    const answer = await write()
    t.equal(answer.statusCode, 409, name)
    t.match(JSON.parse(answer.body), { code: 'CLAIM_LOST', holder: { id: other.id }, fence: 2 }, name)
  }
  t.strictSame(await context(key), before)
  const note = await server.call(`/v1/issue_comments?issueId=${key}`, {
    ...as(agent),
    body: { bodyMarkdown: 'I have found the cause.' }
  })
  t.equal(note.statusCode, 201, 'comments stay free')
  t.equal((await change(key, as(agent, undefined, { 'if-claim': '2' }), { priority: 1 })).statusCode, 200)
  t.equal((await change(key, as(agent), { priority: 3 })).statusCode, 409)
  await pickUp(key, as(agent), { takeover: true })
  t.equal((await change(key, as(agent), { priority: 3 })).statusCode, 200, 'it has picked the issue up again')

  const later = await lost()
  pass(7 * 24 * 60 + 1)
  t.equal((await change(later, as(agent), { priority: 1 })).statusCode, 200, 'after 7 days')
})

t.test('an agent whose claim lapsed loses the issue to the next one that picks it up', async t => {
  const [agent, other] = [await newAgent(), await newAgent()]
  const { key } = await file()
  await pickUp(key, as(agent))
  pass(CLAIM_MINUTES + 1)
  await lapse()
  t.equal((await pickUp(key, as(other))).statusCode, 200)
  t.match((await change(key, as(agent), { priority: 1 })).json(), { code: 'CLAIM_LOST', holder: { id: other.id } })
  t.match(await claimOf(key), { holder: { id: other.id }, fence: 2 }, 'and revives nothing')
})

t.test('an agent that released an issue has not lost a claim', async t => {
  const [agent, other] = [await newAgent(), await newAgent()]
  const { key } = await file()
  await pickUp(key, as(agent))
  await server.ok(`/v1/issues/${key}/release`, { ...as(agent), body: { note: 'Needs somebody with a Mac.' } })
  t.match(await context(key), {
    assignee: null,
    state: { name: 'Todo' },
    comments: [{ bodyMarkdown: 'Needs somebody with a Mac.' }]
  })
  await pickUp(key, as(other))
  t.match(await claimOf(key), { fence: 2 })
  t.equal((await change(key, as(agent), { priority: 1 })).statusCode, 200)
})

t.test('a released issue goes back to the backlog from any state and team in which it was worked on', async t => {
  const agent = await newAgent()
  const work = async (step: (key: string) => Promise<unknown>) => {
    const { key } = await file({ state: 'Backlog' })
    await pickUp(key, as(agent))
    await step(key)
    await server.ok(`/v1/issues/${key}/release`, { ...as(agent), body: {} })
    return (await context(key)).state.name
  }
  t.equal(await work(key => change(key, as(agent), { state: 'In Review' })), 'Backlog')
  await server.ok('/v1/teams', { body: { identifier: 'REL', name: 'Released' } })
  t.equal(await work(key => server.ok(`/v1/issues/${key}/move`, { ...as(agent), body: { teamId: 'REL' } })), 'Backlog')
})

t.test('If-Claim refuses any write under another fence', async t => {
  const agent = await newAgent()
  const { key } = await file()
  const other = await file()
  await pickUp(key, as(agent))
  const stale = as(agent, undefined, { 'if-claim': '7' })
  const writes: Array<[path: string, call: Call]> = [
    [`/v1/issues/${key}`, { body: { priority: 1 } }],
    [`/v1/issues/${key}/criteria`, { body: { met: [1] } }],
    [`/v1/issues/${key}/pick_up`, { body: {} }],
    [`/v1/issues/${key}/move`, { body: { teamId: 'ENG' } }],
    [`/v1/issues/${key}/release`, { body: {} }],
    [`/v1/issues/${key}/claim/renew`, { body: {} }],
    [`/v1/issues/${key}/links`, { body: { url: 'https://example.org', title: 'x' } }],
    ['/v1/issue_relations', { body: { issueId: key, relatedIssueId: other.key, type: 'RELATED' } }],
    [`/v1/issue_comments?issueId=${key}`, { body: { bodyMarkdown: 'x' } }]
  ]
  for (const [path, call] of writes) {
    const answer = await server.call(path, { ...stale, ...call })
    t.equal(answer.statusCode, 412, path)
    t.match(answer.json(), { code: 'PRECONDITION_FAILED', fence: 1 })
  }
  t.equal((await change(key, as(agent, undefined, { 'if-claim': '1' }), { priority: 1 })).statusCode, 200)
  t.equal((await change(key, as(agent, undefined, { 'if-claim': 'one' }), { priority: 1 })).statusCode, 400)
})

t.test('If-Claim is the fence of the issue that a request relates to others, not of these', async t => {
  const agent = await newAgent()
  const { key } = await file()
  await pickUp(key, as(agent))
  const current = as(agent, undefined, { 'if-claim': '1' })
  const [blocked, blocker] = [await file(), await file()]
  const relation = { issueId: key, relatedIssueId: blocked.key, type: 'BLOCKS' }
  t.equal((await server.call('/v1/issue_relations', { ...current, body: relation })).statusCode, 201)
  t.equal((await change(key, current, { addBlockedByIds: [blocker.key] })).statusCode, 200)
  t.equal((await change(key, current, { removeBlockedByIds: [blocker.key] })).statusCode, 200)
})

t.test('two named sessions of one account are two holders', async t => {
  const agent = await newAgent()
  const { key } = await file()
  await pickUp(key, as(agent, 'first'))
  t.match(await claimOf(key), { session: 'first', fence: 1 })
  t.equal((await pickUp(key, as(agent, 'first'))).statusCode, 200, 'it has it already')
  t.equal((await pickUp(key, as(agent, 'second'))).statusCode, 409)
  t.equal((await pickUp(key, as(agent, 'second'), { takeover: true })).statusCode, 200)
  t.match(await claimOf(key), { session: 'second', fence: 2 })
  t.match((await change(key, as(agent, 'first'), { priority: 1 })).json(), { code: 'CLAIM_LOST', session: 'second' })
  t.equal((await change(key, as(agent, 'second'), { priority: 1 })).statusCode, 200)
  const { expiresAt } = (await claimOf(key))!
  pass(10)
  await server.ok('/v1/labels', as(agent, 'first'))
  t.equal((await claimOf(key))!.expiresAt, expiresAt, 'another session does not renew it')
  pass(CLAIM_MINUTES)
  t.equal((await pickUp(key, as(agent, 'first'))).statusCode, 200, 'it has lapsed')
})

t.test('the claim of an account that is removed ends', async t => {
  const agent = await newAgent()
  const { key } = await file()
  await pickUp(key, as(agent))
  await server.ok(`/v1/users/agents/${agent.id}`, { method: 'DELETE' })
  await server.idle()
  t.equal(await claimOf(key), undefined)
})

t.test('a claim that lapsed while no server ran is announced at the next start', async t => {
  const agent = await newAgent()
  const { id, key } = await file()
  await pickUp(key, as(agent))
  const restarted = await testServer({ on: server, now: () => new Date(clock + 3 * 60 * MINUTE) })
  t.teardown(() => restarted.close())
  await restarted.app.listen({ host: '127.0.0.1', port: 0 })
  const types = () =>
    restarted
      .ok<{ events: Array<{ type: string }> }>(`/v1/events?issueId=${id}`)
      .then(({ events }) => events.map(({ type }) => type))
  t.ok(await until(types, eventTypes => eventTypes.includes('claim.lapsed')))
  await restarted.idle()
  t.equal((await types()).filter(type => type === 'claim.lapsed').length, 1)
})
