import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { toolResult } from '../../../test/runner/call-tool.ts'
import { testServer, type Call } from '../../../test/runner/harness.ts'

/* REST and MCP have the same rules for claims: only `takeover` takes one; answers to other writers name its holder. */

const MINUTE = 60_000
const CLAIM_MINUTES = 120
let clock = Date.now()
const server = await testServer({ now: () => new Date(clock) })
t.teardown(() => server.close())

type Agent = { id: string; token: string }
type Who = Pick<Call, 'token' | 'headers'>
interface Context {
  title: string
  assignee: { id: string } | null
  claim?: { holder: { id: string }; session?: string; expiresAt: string }
}

let agents = 0
const newAgent = () => server.agent(`Builder ${++agents}`)
const as = ({ token }: Agent, session?: string): Who => ({
  token,
  headers: session === undefined ? {} : { 'x-tracker-session': session }
})
const file = async () =>
  (
    await server.ok<{ key: string }>('/v1/issues', {
      body: {
        teamId: 'ENG',
        title: 'Zones',
        descriptionMarkdown: 'The exporter loses zones.\n\n- [ ] kept\n- [ ] told'
      }
    })
  ).key
/** An issue that an agent works on. */
async function held(session?: string) {
  const holder = await newAgent()
  const key = await file()
  await server.ok(`/v1/issues/${key}/pick_up`, { ...as(holder, session), body: {} })
  return { holder, key }
}
const context = (key: string) => server.ok<Context>(`/v1/issues/${key}/context`)
const expiryOf = async (key: string) => Date.parse((await context(key)).claim!.expiresAt)

const tool = (name: string, args: object, token: string) => toolResult(server, name, args, token)

t.test('nobody takes the work of an agent away without saying so, at no door', async t => {
  const other = await newAgent()
  const person: Who = {}
  const doors: Record<string, (key: string, who: Who) => Promise<{ statusCode: number; body: string }>> = {
    'assigned to oneself': (key, who) => server.call(`/v1/issues/${key}`, { ...who, body: { assignee: 'me' } }),
    'assigned to nobody': (key, who) => server.call(`/v1/issues/${key}`, { ...who, body: { assignee: null } }),
    'to be begun again': (key, who) => server.call(`/v1/issues/${key}`, { ...who, body: { state: 'Todo' } }),
    'many at once': (key, who) =>
      server.call('/v1/issues/bulk_change', { ...who, body: { issues: [{ issueId: key, assignee: 'me' }] } }),
    'with a comment': (key, who) =>
      server.call(`/v1/issue_comments?issueId=${key}`, { ...who, body: { bodyMarkdown: 'Later.', state: 'Todo' } }),
    'picked up': (key, who) => server.call(`/v1/issues/${key}/pick_up`, { ...who, body: {} })
  }
  for (const [name, door] of Object.entries(doors)) {
    for (const [who, caller] of [
      ['an agent', as(other)],
      ['a person', person]
    ] as const) {
      const { holder, key } = await held()
      const answer = await door(key, caller)
      t.equal(answer.statusCode, 409, `${name} by ${who}`)
      t.match(JSON.parse(answer.body), {
        message: /is held by Builder \d+ since .*takeover: true/,
        holder: { id: holder.id }
      })
      t.match(await context(key), { assignee: { id: holder.id }, claim: { holder: { id: holder.id } } })
    }
  }
})

t.test('who says so takes it', async t => {
  const other = await newAgent()
  const taking: Array<(key: string) => Promise<{ statusCode: number }>> = [
    key => server.call(`/v1/issues/${key}`, { ...as(other), body: { assignee: 'me', takeover: true } }),
    key =>
      server.call('/v1/issues/bulk_change', {
        ...as(other),
        body: { issues: [{ issueId: key, assignee: 'me' }], takeover: true }
      })
  ]
  for (const take of taking) {
    const { key } = await held()
    t.equal((await take(key)).statusCode, 200)
    t.match(await context(key), { claim: { holder: { id: other.id } } })
  }
  const { key } = await held()
  clock += (CLAIM_MINUTES + 1) * MINUTE
  t.equal(
    (await server.call(`/v1/issues/${key}`, { ...as(other), body: { assignee: 'me' } })).statusCode,
    200,
    'lapsed'
  )
})

t.test('by the tools as by REST: update_task takes nothing, and says how to', async t => {
  const other = await newAgent()
  const { holder, key } = await held()
  const refused = await tool('update_task', { task: key, assignee: 'me' }, other.token)
  t.match(refused, { isError: true, content: [{ text: /is held by Builder .*pick it up with takeover: true/ }] })
  t.match(await context(key), { claim: { holder: { id: holder.id } } })
})

t.test('who writes beside the holder is told who that is, and the holder is not', async t => {
  const other = await newAgent()
  for (const [args, name] of [
    [{ title: 'Time zones' }, 'update_task'],
    [{ met: [1] }, 'update_task'],
    [{ resolution: 'Kept, and told.' }, 'close_task']
  ] as const) {
    const { holder, key } = await held('s-1')
    const own = await tool('update_task', { task: key, priority: 'low', session: 's-1' }, holder.token)
    t.notOk('holder' in own.structuredContent)
    const answer = await tool(name, { task: key, ...args }, other.token)
    t.match(answer.structuredContent, { holder: /^Builder \d+$/ }, JSON.stringify(args))
  }
  const { holder, key } = await held('s-1')
  const renamed = await server.ok(`/v1/issues/${key}`, { body: { title: 'By a person' } })
  t.match(renamed, { holder: { id: holder.id, session: 's-1' } })
  const { issues } = await server.ok<{ issues: object[] }>('/v1/issues/bulk_change', {
    body: { issues: [{ issueId: key, priority: 1 }] }
  })
  t.match(issues, [{ key, holder: { id: holder.id } }])
  const closed = await server.ok(`/v1/issue_comments?issueId=${key}`, {
    body: { bodyMarkdown: 'Done.', stateCategory: 'COMPLETED' }
  })
  t.match(closed, { holder: { id: holder.id } })
})

t.test('a write of the account renews its claim on that issue, also without its session', async t => {
  const writes: Record<string, (key: string, who: Who) => Promise<unknown>> = {
    'a field': (key, who) => server.ok(`/v1/issues/${key}`, { ...who, body: { priority: 1 } }),
    'a tick': (key, who) => server.ok(`/v1/issues/${key}/criteria`, { ...who, body: { met: [1] } }),
    'a comment': (key, who) =>
      server.ok(`/v1/issue_comments?issueId=${key}`, { ...who, body: { bodyMarkdown: 'Going on.' } }),
    'a link': (key, who) =>
      server.ok(`/v1/issues/${key}/links`, { ...who, body: { url: 'https://example.org', title: 'x' } })
  }
  for (const [name, write] of Object.entries(writes)) {
    const { holder, key } = await held('first')
    // A second session with work of its own: an unnamed request may be of either.
    const second = await file()
    await server.ok(`/v1/issues/${second}/pick_up`, { ...as(holder, 'second'), body: {} })
    const before = await expiryOf(second)
    clock += 60 * MINUTE
    await write(key, as(holder))
    t.equal(await expiryOf(key), clock + CLAIM_MINUTES * MINUTE, name)
    t.equal(await expiryOf(second), before, 'the other issue is not renewed with it')
  }
})

t.test('an unnamed request renews the claims of the only session of its account', async t => {
  const { holder, key } = await held('only')
  clock += 30 * MINUTE
  await server.ok('/v1/labels', as(holder))
  while ((await expiryOf(key)) !== clock + CLAIM_MINUTES * MINUTE) await sleep(5)
  t.match((await context(key)).claim, { session: 'only' })
})
