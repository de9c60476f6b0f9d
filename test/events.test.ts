import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { Compile } from 'typebox/compile'
import type { EventType } from '../core/events/contract.ts'
import type { EventJson } from '../plugins/events/contract.ts'
import { eventTypes } from '../core/api/points.ts'
import { listen, openStream } from './event-stream.ts'
import { testServer, type Call, type TestServer } from './runner/harness.ts'
import { readSamples, type Names } from './samples.ts'

const samples = await readSamples()

const text = (descriptionMarkdown: string) => ({ descriptionMarkdown })

interface Page {
  events: EventJson[]
  cursor: string
}
const typesOf = (server: TestServer): EventType[] => server.contributions(eventTypes).map(({ item }) => item)

t.test('every route that writes emits what it did, or is known to be silent for a reason', async t => {
  // The run waits, so that it can be canceled.
  const server = await testServer({
    settings: { jobs: false, plugins: { delegation: { runner: { command: ['true'] } } } }
  })
  t.teardown(() => server.close())
  const { paths } = (await server.call('/openapi.json')).json<{ paths: Record<string, object> }>()
  const writing = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).flatMap(method => (method === 'get' ? [] : [`${method.toUpperCase()} ${path}`]))
  )
  const known = new Set(
    samples.flatMap(({ events = [], withoutEvents = {} }) => [
      ...events.map(({ route }) => route.replace(/\?.*/, '')),
      ...Object.keys(withoutEvents)
    ])
  )
  t.strictSame(
    writing.toSorted(),
    [...known].toSorted(),
    'a new route joins `events` in test/samples.ts of its plugin, or `withoutEvents`'
  )

  const checks = new Map(typesOf(server).map(({ name, data }) => [name, Compile(data)]))
  const appended = (after: number) =>
    server.database.db
      .selectFrom('event')
      .select(['type', 'data', 'position'])
      .where('position', '>', after)
      .orderBy('position')
      .execute()
  for (const { events: steps = [] } of samples) {
    const names = await ownIssues(server)
    let after = (await appended(0)).at(-1)?.position ?? 0
    for (const { route, body, call, types, keep = {}, prepare } of steps) {
      const [method, pattern] = route.split(' ') as [NonNullable<Call['method']>, string]
      if (prepare) Object.assign(names, await prepare(server))
      const path = pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) => names[name] ?? name)
      const sent = call?.(names) ?? (body && { body: typeof body === 'function' ? body(names) : body })
      const answer = await server.ok<Record<string, unknown>>(path, { method, ...sent })
      if ('id' in answer) names['id'] = String(answer['id'])
      for (const [name, field] of Object.entries(keep)) names[name] = String(answer[field])
      const events = await appended(after)
      after = events.at(-1)?.position ?? after
      t.strictSame([...new Set(events.map(({ type }) => type))].toSorted(), types.toSorted(), route)
      for (const { type, data } of events) t.ok(checks.get(type)?.Check(data), `${route}: ${JSON.stringify(data)}`)
    }
  }
})

/** Two issues for the steps of one plugin. */
async function ownIssues(server: TestServer): Promise<Names> {
  const add = (title: string) =>
    server.ok<{ id: string; key: string }>('/v1/issues', {
      body: {
        teamId: 'ENG',
        title,
        ...text('The export loses the dates of all issues when the zone of the server is not UTC.\n\n- [ ] done')
      }
    })
  const [issue, other] = [await add('First'), await add('Second')]
  return { issueId: issue.id, issueKey: issue.key, otherId: other.id, otherKey: other.key }
}

t.test('an event of a change has the values before and after, with ids and names', async t => {
  const server = await testServer({ plugins: ['workspace', 'events', 'issues'] })
  t.teardown(() => server.close())
  const { id: userId } = await server.ok<{ id: string }>('/v1/users/me')
  const [state] = (await server.ok<Array<{ id: string; name: string }>>('/v1/ENG/workflows')).filter(
    ({ name }) => name === 'In Review'
  )
  const { id } = await server.ok<{ id: string }>('/v1/issues', { body: { teamId: 'ENG', title: 'Old' } })
  await server.ok(`/v1/issues/${id}`, {
    body: { title: 'New', stateId: state!.id, assigneeId: userId, estimate: 3, ...text('Secret plans') }
  })
  const { events } = await server.ok<Page>(`/v1/events?issueId=${id}&types=issue.updated`)
  t.match(events, [{ rev: 2, subject: { key: 'ENG-1' } }])
  const { changes } = events[0]!.data as { changes: Array<{ field: string }> }
  t.strictSame(
    changes.toSorted((a, b) => a.field.localeCompare(b.field)),
    [
      { field: 'assignee', from: null, to: { id: userId, name: 'Administrator' } },
      { field: 'description' },
      { field: 'estimate', from: null, to: 3 },
      {
        field: 'state',
        from: { id: await firstState(server, 'Todo'), name: 'Todo' },
        to: { id: state!.id, name: 'In Review' }
      },
      { field: 'title', from: 'Old', to: 'New' }
    ]
  )
})
const firstState = async (server: TestServer, name: string) =>
  (await server.ok<Array<{ id: string; name: string }>>('/v1/ENG/workflows')).find(state => state.name === name)!.id

t.test('an event of any type reaches those that it is for, and nobody else', async t => {
  const server = await testServer()
  t.teardown(() => server.close())
  const origin = await listen(server)
  const { id: workspaceId } = (await server.ok<{ workspace: { id: string } }>('/v1/users/me')).workspace
  const person = await server.ok<{ id: string; token: string }>('/v1/users', {
    body: { email: 'owner@example.org', fullname: 'Owner' }
  })
  const readers = {
    admin: server.token,
    owner: person.token,
    agent: (await server.agent('Other')).token,
    foreign: (await server.otherWorkspace()).token
  }
  const AUDIENCES = {
    workspace: ['admin', 'owner', 'agent'],
    admin: ['admin'],
    account: ['owner']
  }
  // Nobody has these addresses.
  const url = 'https://receiver.invalid/'
  const webhook = await server.ok<{ id: string }>('/v1/webhooks', { body: { url } })
  const foreignWebhook = await server.ok<{ id: string }>('/v1/webhooks', { body: { url }, token: readers.foreign })
  const cursors = new Map<string, string>()
  const streams = new Map<string, Awaited<ReturnType<typeof openStream>>>()
  for (const [who, token] of Object.entries(readers)) {
    cursors.set(who, (await server.ok<Page>('/v1/events?limit=1000', { token })).cursor)
    streams.set(who, await openStream(origin, token))
  }
  const types = typesOf(server)
  t.ok(types.length > 25)
  const caller = { workspaceId, accountId: null, tokenId: null, scopes: [] }
  await server.database.db.transaction().execute(async trx => {
    for (const type of types) {
      const accountId = type.audience === 'account' ? person.id : undefined
      await server.events.append(trx, type, caller, [{ subjectId: randomUUID(), accountId, data: {} }])
    }
  })
  for (const [who, token] of Object.entries(readers)) {
    const expected = types.filter(({ audience }) => AUDIENCES[audience].includes(who)).map(({ name }) => name)
    const { events } = await server.ok<Page>(`/v1/events?limit=1000&after=${cursors.get(who)}`, { token })
    t.strictSame(
      events.map(({ type }) => type),
      expected,
      `pages of ${who}`
    )
    const stream = streams.get(who)!
    await stream.reached(expected.length)
    t.strictSame(
      stream.received.map(({ event }) => event.type),
      expected,
      `the stream of ${who}`
    )
    stream.close()
  }
  const appended = await server.database.db.selectFrom('event').select('id').where('tokenId', 'is', null).execute()
  const addressed = async ({ id }: { id: string }, token: string) => {
    const all = await server.ok<Array<{ type: string; eventId: string }>>(`/v1/webhooks/${id}/deliveries?limit=200`, {
      token
    })
    const own = all.filter(({ eventId }) => appended.some(({ id }) => id === eventId))
    return own.map(({ type }) => type).toSorted()
  }
  const forWebhook = types.filter(({ audience }) => audience !== 'account').map(({ name }) => name)
  while ((await addressed(webhook, server.token)).length < forWebhook.length) await sleep(50)
  t.strictSame(await addressed(webhook, server.token), forWebhook.toSorted(), 'webhooks, which administrators make')
  t.strictSame(await addressed(foreignWebhook, readers.foreign), [], 'the webhook of another workspace')
})

t.test('an event says how its change came about', async t => {
  const server = await testServer({ settings: { plugins: { mcp: { rateLimit: 0 } } } })
  t.teardown(() => server.close())
  const agent = await server.agent('Worker')
  await server.ok('/v1/mcp', {
    token: agent.token,
    headers: { accept: 'application/json, text/event-stream' },
    body: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'create_task',
        arguments: { team: 'ENG', title: 'By a tool', description: 'It says more.', acceptanceCriteria: ['done'] }
      }
    }
  })
  await server.ok('/v1/issues', { body: { teamId: 'ENG', title: 'By a request' } })
  const { events } = await server.ok<Page>('/v1/events?types=issue.created')
  t.match(events, [
    { origin: 'tool', actor: { fullname: 'Worker', kind: 'AGENT' }, data: { title: 'By a tool' } },
    { origin: 'rest', actor: { fullname: 'Administrator', kind: 'PERSON' }, data: { title: 'By a request' } }
  ])
})

t.test('the events of an issue are found by its key, in pages and as a stream', async t => {
  const server = await testServer()
  t.teardown(() => server.close())
  const file = (title: string) =>
    server.ok<{ id: string; key: string }>('/v1/issues', { body: { teamId: 'ENG', title } })
  const { cursor: before } = await server.ok<Page>('/v1/events')
  const [{ id, key }] = [await file('Followed'), await file('Another')]
  const query = `?issueId=${key.toLowerCase()}`
  const { events } = await server.ok<Page>(`/v1/events${query}`)
  t.match(events, { length: 1, 0: { type: 'issue.created', issueId: id } })
  const { token } = server
  const stream = await openStream(await listen(server), token, { query: `${query}&after=${before}` })
  await stream.reached(1)
  await file('A third')
  await server.ok(`/v1/issues/${key}`, { body: { priority: 1 } })
  await stream.reached(2)
  t.match(stream.received, [{ event: { issueId: id } }, { event: { issueId: id, type: 'issue.updated' } }])
  stream.close()
  const answer = await server.call('/v1/events?issueId=ENG-999')
  t.match(answer.json(), { statusCode: 404, message: /There is no issue 'ENG-999'/ })
})
