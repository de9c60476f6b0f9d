import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import t from 'tap'
import { Compile } from 'typebox/compile'
import type { EventType } from '../core/events/contract.ts'
import type { EventJson } from '../core/events/schemas.ts'
import { eventTypes } from '../core/api/points.ts'
import { delivery, pullRequest, REPOSITORY } from '../plugins/git/test/deliveries.ts'
import { listen, openStream } from './event-stream.ts'
import { testServer, type Call, type TestServer } from './runner/harness.ts'

t.setTimeout(180_000)

/** Routes that write without events, with reasons. */
const WITHOUT_EVENTS: Record<string, string> = {
  'POST /v1/session/sign_out': 'needs the session of a browser, see test/audit.test.ts',
  'POST /v1/session/sign_out_everywhere': 'needs the session of a browser, see test/audit.test.ts',
  'POST /v1/passwords/sign_in': 'needs a person with a password, see test/audit.test.ts',
  'POST /v1/passwords/first': 'needs a person with a password, see test/audit.test.ts',
  'POST /v1/passwords': 'needs a person with a password, see test/audit.test.ts',
  'POST /v1/demo': 'what it makes is another workspace',
  'POST /v1/demo/leave': 'sessions are shown by no route',
  'DELETE /v1/demo': 'the log of a workspace goes with it',
  'POST /v1/oidc/sign_in': 'nobody is signed in yet',
  'POST /v1/oidc/link': 'needs an answer of a provider, see plugins/oidc/test',
  'POST /v1/oidc/choose': 'needs an answer of a provider, see plugins/oidc/test',
  'POST /v1/issues/filter': 'reads',
  'POST /v1/issues/{issueId}/claim/renew': 'the renewal of a claim is no change of its issue',
  'POST /v1/mcp': 'the requests of its tools are logged as theirs',
  'POST /v1/agent-hooks/session-start': 'the sessions of hooks are shown by no route',
  'POST /v1/agent-hooks/prompt': 'the sessions of hooks are shown by no route',
  'POST /v1/agent-hooks/stop': 'the sessions of hooks are shown by no route',
  'POST /v1/webhooks/{id}/test': 'an event for each delivery would be delivered again',
  'POST /v1/webhooks/{id}/deliveries/{deliveryId}/redeliver': 'an event for each delivery would be delivered again'
}

/** A request, and the events that it must emit. Later steps find its result by its name in `keep`. */
interface Step {
  route: string
  body?: (made: Record<string, string>) => object
  headers?: (made: Record<string, string>) => Record<string, string>
  query?: string
  types: readonly string[]
  keep?: { as: string; field?: string } | Array<{ as: string; field?: string }>
  /** Creates a record that no route creates. @returns its id */
  prepare?: (server: TestServer) => Promise<{ id: string }>
}
/** A person of an import, who cannot sign in. */
async function importedPerson({ database: { db } }: TestServer): Promise<{ id: string }> {
  const { id: workspaceId } = await db.selectFrom('workspace').select('id').executeTakeFirstOrThrow()
  return db
    .insertInto('account')
    .values({
      workspaceId,
      id: randomUUID(),
      kind: 'PERSON',
      fullname: 'Cas',
      email: 'cas@example.org',
      role: 'MEMBER',
      scopes: null,
      createdById: null
    })
    .returning('id')
    .executeTakeFirstOrThrow()
}
/** An entry in the inbox of the administrator, as a consumer would add it. */
async function unreadEntry({ database: { db } }: TestServer): Promise<{ id: string }> {
  const { rows } = await sql<{ id: string }>`
    insert into inbox_entry (workspace_id, id, account_id, reason, subject_type, subject_id, issue_id, at)
    select i.workspace_id, gen_random_uuid(), a.id, 'assigned', 'issue', i.id, i.id, now() from issue i
    join account a on a.workspace_id = i.workspace_id and a.role = 'ADMIN' and a.deleted_at is null
    where i.deleted_at is null limit 1 returning id`.execute(db)
  return rows[0]!
}
const text = (descriptionMarkdown: string) => ({ descriptionMarkdown })

const MERGED = pullRequest({ body: 'Closes ENG-2', merged: true }, 'closed')

/** A request for each route that writes, in an order in which all succeed. */
const STEPS: readonly Step[] = [
  {
    route: 'POST /v1/teams',
    body: () => ({ identifier: 'OPS', name: 'Operations' }),
    types: ['team.created'],
    keep: { as: 'teamId' }
  },
  { route: 'POST /v1/teams/{teamId}', body: () => ({ name: 'Ops' }), types: ['team.updated'] },
  {
    route: 'POST /v1/{teamId}/workflows',
    body: () => ({ name: 'Waiting', category: 'UNSTARTED' }),
    types: ['state.created'],
    keep: { as: 'id' }
  },
  { route: 'POST /v1/{teamId}/workflows/{id}', body: () => ({ name: 'Parked' }), types: ['state.updated'] },
  { route: 'DELETE /v1/{teamId}/workflows/{id}', types: ['state.deleted'] },
  { route: 'DELETE /v1/teams/{teamId}', types: ['team.deleted'] },
  { route: 'POST /v1/labels', body: () => ({ name: 'Urgent' }), types: ['label.created'], keep: { as: 'id' } },
  { route: 'POST /v1/labels/{id}', body: () => ({ name: 'Hot' }), types: ['label.updated'] },
  { route: 'DELETE /v1/labels/{id}', types: ['label.deleted'] },
  {
    route: 'POST /v1/users',
    body: () => ({ email: 'bea@example.org', fullname: 'Bea' }),
    types: ['account.created'],
    keep: { as: 'id' }
  },
  { route: 'POST /v1/users/{id}', body: () => ({ fullname: 'Bea B.' }), types: ['account.updated'] },
  { route: 'DELETE /v1/users/{id}', types: ['account.deleted'] },
  { route: 'POST /v1/users/{id}/token', prepare: importedPerson, types: ['token.created'] },
  {
    route: 'POST /v1/oidc/identities',
    body: ({ id: accountId }) => ({ accountId, issuer: 'https://login.example.org', subject: 'cas' }),
    types: ['identity.linked'],
    keep: { as: 'id' }
  },
  { route: 'DELETE /v1/oidc/identities/{id}', types: ['identity.unlinked'] },
  { route: 'POST /v1/users/pat', body: () => ({ name: 'Script' }), types: ['token.created'], keep: { as: 'patId' } },
  { route: 'DELETE /v1/users/pats/{patId}', types: ['token.revoked'] },
  { route: 'POST /v1/users/agents', body: () => ({ name: 'Helper' }), types: ['account.created'], keep: { as: 'id' } },
  { route: 'POST /v1/users/agents/{id}', body: () => ({ scopes: ['read'] }), types: ['account.updated'] },
  { route: 'POST /v1/users/agents/{id}/token', body: () => ({}), types: ['account.token_rotated'] },
  { route: 'DELETE /v1/users/agents/{id}', types: ['account.deleted'] },
  {
    route: 'POST /v1/webhooks',
    body: () => ({ url: 'https://example.org/', active: false }),
    types: ['webhook.created'],
    keep: { as: 'id' }
  },
  { route: 'POST /v1/webhooks/{id}', body: () => ({ types: ['issue.*'] }), types: ['webhook.updated'] },
  { route: 'POST /v1/webhooks/{id}/rotate_secret', types: ['webhook.updated'] },
  { route: 'DELETE /v1/webhooks/{id}', types: ['webhook.deleted'] },
  {
    route: 'POST /v1/issues',
    body: () => ({
      teamId: 'ENG',
      title: 'First',
      ...text('The export loses the dates of all issues when the zone of the server is not UTC.\n\n- [ ] done')
    }),
    types: ['issue.created'],
    keep: { as: 'issueId' }
  },
  {
    route: 'POST /v1/issues/bulk',
    body: () => ({ issues: [{ teamId: 'ENG', title: 'Second' }] }),
    types: ['issue.created'],
    keep: { as: 'otherId', field: 'issues.0.id' }
  },
  {
    route: 'POST /v1/git/hooks',
    body: () => ({ repository: REPOSITORY }),
    types: ['account.created', 'git_hook.created'],
    keep: [{ as: 'id' }, { as: 'hookId' }]
  },
  {
    route: 'POST /v1/git/hooks/{id}/rotate_secret',
    types: ['git_hook.updated'],
    keep: { as: 'secret', field: 'secret' }
  },
  {
    route: 'POST /v1/git/github/{hookId}',
    body: () => MERGED,
    headers: ({ hookId: id, secret }) => delivery({ id: id!, secret: secret! }, 'pull_request', MERGED)[1].headers,
    types: ['comment.created', 'issue.updated']
  },
  { route: 'DELETE /v1/git/hooks/{id}', types: ['git_hook.deleted'] },
  { route: 'POST /v1/issues/{issueId}', body: () => ({ priority: 1, estimate: 2 }), types: ['issue.updated'] },
  {
    route: 'POST /v1/issues/bulk_change',
    body: ({ issueId, otherId }) => ({ issues: [issueId, otherId].map(issueId => ({ issueId, priority: 2 })) }),
    types: ['issue.updated']
  },
  { route: 'POST /v1/issues/{issueId}/criteria', body: () => ({ met: [1] }), types: ['issue.updated'] },
  {
    route: 'POST /v1/issues/{issueId}/links',
    body: () => ({ url: 'https://example.org', title: 'Report' }),
    types: ['issue.updated'],
    keep: { as: 'id' }
  },
  { route: 'DELETE /v1/issues/{issueId}/links/{id}', types: ['issue.updated'] },
  {
    route: 'POST /v1/issue_relations',
    body: ({ issueId, otherId }) => ({ issueId, relatedIssueId: otherId, type: 'RELATED' }),
    types: ['issue.updated'],
    keep: { as: 'id' }
  },
  { route: 'DELETE /v1/issue_relations/{id}', types: ['issue.updated'] },
  {
    route: 'POST /v1/issue_comments',
    query: '?issueId=ENG-1',
    body: () => ({ bodyMarkdown: 'A note.' }),
    types: ['comment.created'],
    keep: { as: 'id' }
  },
  { route: 'POST /v1/issue_comments/{id}', body: () => ({ bodyMarkdown: 'Another.' }), types: ['comment.updated'] },
  { route: 'DELETE /v1/issue_comments/{id}', types: ['comment.deleted'] },
  {
    route: 'POST /v1/issue_comments',
    query: '?issueId=ENG-1',
    body: () => ({ bodyMarkdown: 'Which?', question: {} }),
    types: ['comment.created', 'question.asked'],
    keep: { as: 'id' }
  },
  {
    route: 'POST /v1/issue_comments/{id}/answer',
    body: () => ({ bodyMarkdown: 'This.' }),
    types: ['comment.created', 'question.answered']
  },
  {
    route: 'POST /v1/issue_comments',
    query: '?issueId=ENG-1',
    body: () => ({ bodyMarkdown: 'And?', question: {} }),
    types: ['comment.created', 'question.asked'],
    keep: { as: 'id' }
  },
  { route: 'POST /v1/issue_comments/{id}/withdraw', body: () => ({}), types: ['question.withdrawn'] },
  { route: 'POST /v1/projects', body: () => ({ name: 'Launch' }), types: ['project.created'], keep: { as: 'id' } },
  { route: 'POST /v1/projects/{id}', body: () => text('Soon.'), types: ['project.updated'] },
  { route: 'DELETE /v1/projects/{id}', types: ['project.deleted'] },
  {
    route: 'POST /v1/cycles',
    body: () => ({ teamId: 'ENG', name: 'May', startsAt: '2027-05-01T00:00:00Z', endsAt: '2027-06-01T00:00:00Z' }),
    types: ['cycle.created'],
    keep: { as: 'id' }
  },
  { route: 'POST /v1/cycles/{id}', body: () => ({ name: 'June' }), types: ['cycle.updated'] },
  { route: 'DELETE /v1/cycles/{id}', types: ['cycle.deleted'] },
  {
    route: 'POST /v1/knowledge',
    body: () => ({ content: 'The exporter writes UTC.' }),
    types: ['knowledge.created'],
    keep: { as: 'id' }
  },
  { route: 'POST /v1/knowledge/{id}', body: () => ({ status: 'DISPUTED' }), types: ['knowledge.updated'] },
  { route: 'DELETE /v1/knowledge/{id}', types: ['knowledge.deleted'] },
  {
    route: 'POST /v1/agent_runs',
    body: ({ issueId }) => ({ issueId }),
    types: ['account.created', 'run.requested'],
    keep: { as: 'id' }
  },
  { route: 'POST /v1/agent_runs/{id}/cancel', body: () => ({}), types: ['run.finished'] },
  { route: 'DELETE /v1/issues/{issueId}/watch', types: ['watch.ended'] },
  { route: 'POST /v1/issues/{issueId}/watch', types: ['watch.started'] },
  {
    route: 'POST /v1/inbox/read',
    prepare: unreadEntry,
    body: ({ id }) => ({ ids: [id] }),
    types: ['inbox.read']
  },
  { route: 'POST /v1/issues/{issueId}/pick_up', body: () => ({}), types: ['issue.updated'] },
  {
    route: 'POST /v1/issues/{issueId}/release',
    body: () => ({ note: 'Not mine.' }),
    types: ['issue.updated', 'comment.created']
  },
  { route: 'POST /v1/issues/pick_up_next', body: () => ({ team: 'ENG' }), types: ['issue.updated'] },
  { route: 'POST /v1/teams', body: () => ({ identifier: 'NEW', name: 'New' }), types: ['team.created'] },
  { route: 'POST /v1/issues/{issueId}/move', body: () => ({ teamId: 'NEW' }), types: ['issue.updated'] },
  { route: 'DELETE /v1/issues/{issueId}', types: ['issue.deleted'] }
]

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
  const known = new Set([...STEPS.map(({ route }) => route), ...Object.keys(WITHOUT_EVENTS)])
  t.strictSame(writing.toSorted(), [...known].toSorted(), 'a new route joins STEPS or WITHOUT_EVENTS')

  const checks = new Map(typesOf(server).map(({ name, data }) => [name, Compile(data)]))
  const ids: Record<string, string> = {}
  const appended = (after: number) =>
    server.database.db
      .selectFrom('event')
      .select(['type', 'data', 'position'])
      .where('position', '>', after)
      .orderBy('position')
      .execute()
  let after = (await appended(0)).at(-1)?.position ?? 0
  for (const { route, body, headers, query = '', types, keep = [], prepare } of STEPS) {
    const [method, pattern] = route.split(' ') as [NonNullable<Call['method']>, string]
    if (prepare) Object.assign(ids, await prepare(server))
    const path = pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? name)
    const answer = await server.ok<object>(`${path}${query}`, {
      method,
      ...(body && { body: body(ids) }),
      ...(headers && { headers: headers(ids) })
    })
    for (const { as, field = 'id' } of [keep].flat()) ids[as] = fieldOf(answer, field)
    const events = await appended(after)
    after = events.at(-1)?.position ?? after
    t.strictSame([...new Set(events.map(({ type }) => type))].toSorted(), types.toSorted(), route)
    for (const { type, data } of events) t.ok(checks.get(type)?.Check(data), `${route}: ${JSON.stringify(data)}`)
  }
})

const fieldOf = (value: unknown, path: string): string =>
  String(path.split('.').reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], value))

t.test('an event of a change has the values before and after, with ids and names', async t => {
  const server = await testServer({ plugins: ['workspace', 'issues'] })
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
