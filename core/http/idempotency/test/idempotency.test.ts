import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LightMyRequestResponse } from 'fastify'
import { sql } from 'kysely'
import t from 'tap'
import { insertToken } from '../../../auth/accounts.ts'
import { afterCommit, onCommit, RequestTransaction } from '../../../db/transactions/request-transaction.ts'
import { onPostgres, runsOnCitus, testServer, type Call, type TestServer } from '../../../../test/runner/harness.ts'
import { removeOldKeys } from '../keys.ts'
import { hold, steps } from './steps-plugin.ts'

let server: TestServer
/** The statements that removed keys. */
const removals: string[] = []
let hoursLater = 0
const now = () => new Date(Date.now() + hoursLater * 3600_000)
const also = { steps: async () => ({ default: steps }) }
t.before(async () => {
  const onStatement = (text: string) => {
    if (text.includes('delete from "idempotency_key"')) removals.push(text)
  }
  server = await testServer({ also, now, onStatement })
})
t.afterEach(() => {
  hold.at = () => {}
  hoursLater = 0
})
t.teardown(() => server.close())

const keyed = (key: string, body: object | undefined, call: Call = {}): Call => ({
  ...call,
  ...(body && { body }),
  headers: { 'idempotency-key': key, ...call.headers }
})
const issue = (title: string, more = {}) => ({ teamId: 'ENG', title, ...more })
const issuesCalled = async (title: string) =>
  (
    await server.database.db
      .withTables<{ issue: { title: string } }>()
      .selectFrom('issue')
      .select('title')
      .where('title', '=', title)
      .execute()
  ).length
const keptKeys = (key: string) =>
  server.database.db.selectFrom('idempotencyKey').selectAll().where('key', '=', key).execute()
/** The promise that a point of the route awaits, until `open` is called. */
function gateAt(point: string) {
  const reached = Promise.withResolvers<void>()
  const opened = Promise.withResolvers<void>()
  hold.at = async at => {
    if (at !== point) return
    reached.resolve()
    await opened.promise
  }
  return { reached: reached.promise, open: () => opened.resolve() }
}

t.test('the same request with the same key is answered with the first answer, and does nothing', async t => {
  const call = keyed('first', issue('Once'))
  const first = await server.call('/v1/issues', call)
  const second = await server.call('/v1/issues', call)
  t.equal(first.statusCode, 201)
  t.notOk(first.headers['idempotency-replayed'])
  t.equal(second.statusCode, 201)
  t.equal(second.headers['idempotency-replayed'], 'true')
  t.equal(second.headers['content-type'], first.headers['content-type'])
  t.equal(second.body, first.body)
  t.equal(await issuesCalled('Once'), 1)
})

t.test('a replay has the headers that belong to the answer', async t => {
  const { key } = await server.ok<{ key: string }>('/v1/issues', { body: issue('With an ETag') })
  const call = keyed('etag', { priority: 1 }, { headers: { prefer: 'return=representation' } })
  const first = await server.call(`/v1/issues/${key}`, call)
  await server.ok(`/v1/issues/${key}`, { body: { priority: 2 } })
  const second = await server.call(`/v1/issues/${key}`, call)
  t.equal(first.headers['etag'], '"2"')
  t.match(second.headers, {
    etag: '"2"',
    'preference-applied': 'return=representation',
    'idempotency-replayed': 'true'
  })
})

t.test('a DELETE is replayed although there is nothing left to delete', async t => {
  const { key } = await server.ok<{ key: string }>('/v1/issues', { body: issue('To be deleted') })
  const call = keyed('delete', undefined, { method: 'DELETE' })
  const first = await server.call(`/v1/issues/${key}`, call)
  const second = await server.call(`/v1/issues/${key}`, call)
  t.equal(first.statusCode, 200)
  t.equal(second.body, first.body)
  t.equal((await server.call(`/v1/issues/${key}`, { method: 'DELETE' })).statusCode, 404)
})

t.test('another request with the key is refused: method, path, query, body, conditions and session count', async t => {
  const { key } = await server.ok<{ key: string }>('/v1/issues', { body: issue('Fingerprint') })
  const path = `/v1/issues/${key}`
  const first = keyed('reused', { title: 'Changed', priority: 1 })
  t.equal((await server.call(path, first)).statusCode, 200)
  t.equal((await server.call(path, keyed('reused', { priority: 1, title: 'Changed' }))).statusCode, 200)
  for (const [otherPath, call] of [
    [path, keyed('reused', { title: 'Changed', priority: 2 })],
    [path, keyed('reused', undefined, { method: 'DELETE' })],
    [`${path}?teamId=ENG`, first],
    ['/v1/issues', keyed('reused', issue('Another'))],
    [path, { ...first, headers: { ...first.headers, 'if-match': '"2"' } }],
    [path, { ...first, headers: { ...first.headers, 'if-claim': '1' } }],
    [path, { ...first, headers: { ...first.headers, 'x-tracker-session': 'another' } }]
  ] as const) {
    const answer = await server.call(otherPath, call)
    t.equal(answer.statusCode, 422, JSON.stringify([otherPath, call]))
    t.match(answer.json(), { code: 'IDEMPOTENCY_KEY_REUSED', error: 'Unprocessable Content' })
  }
  t.equal(await issuesCalled('Another'), 0)
})

t.test('a key belongs to the token that sent it', async t => {
  const { token } = await server.agent('Has keys of its own')
  const call = keyed('shared', issue('By two'))
  const [first, second] = [await server.ok('/v1/issues', call), await server.ok('/v1/issues', { ...call, token })]
  t.not(first['id'], second['id'])
  t.equal(await issuesCalled('By two'), 2)
})

t.test('token and scope are checked before a replay', async t => {
  const { id, token } = await server.agent('Loses its scope')
  const call = keyed('scope', issue('Scoped'), { token })
  t.equal((await server.call('/v1/issues', call)).statusCode, 201)
  await server.ok(`/v1/users/agents/${id}`, { body: { scopes: ['read'] } })
  t.match((await server.call('/v1/issues', call)).json(), { code: 'SCOPE_REQUIRED' })
  await server.ok(`/v1/users/agents/${id}`, { method: 'DELETE' })
  t.match((await server.call('/v1/issues', call)).json(), { code: 'TOKEN_INVALID' })
})

t.test('the token of a run gets its replay, although the issue has left its reach since', async t => {
  const agent = await server.agent('Runs')
  const top = await server.ok<{ id: string; key: string }>('/v1/issues', { body: issue('Of the run') })
  const sub = await server.ok<{ key: string }>('/v1/issues', { body: issue('Below', { parentId: top.key }) })
  const { workspaceId } = await server.database.db
    .selectFrom('account')
    .select('workspaceId')
    .limit(1)
    .executeTakeFirstOrThrow()
  const { token } = await server.database.db.transaction().execute(trx =>
    insertToken(trx, workspaceId, {
      accountId: agent.id,
      name: 'Run',
      confinedTo: { plugin: 'delegation', subjectId: randomUUID(), issueId: top.id }
    })
  )
  const call = keyed('confined', { priority: 1 }, { token })
  const first = await server.call(`/v1/issues/${sub.key}`, call)
  t.equal(first.statusCode, 200, first.body)
  await server.ok(`/v1/issues/${sub.key}`, { body: { parentId: null } })
  t.match((await server.call(`/v1/issues/${sub.key}`, { ...call, headers: {} })).json(), { code: 'TOKEN_CONFINED' })
  t.equal((await server.call(`/v1/issues/${sub.key}`, call)).body, first.body)
})

t.test('a request that failed is not kept: the same key may try again', async t => {
  const call = keyed('failing', issue('Second try', { teamId: 'NEW' }))
  t.equal((await server.call('/v1/issues', call)).statusCode, 404)
  await server.ok('/v1/teams', { body: { identifier: 'NEW', name: 'New' } })
  t.equal((await server.call('/v1/issues', call)).statusCode, 201)
})

t.test('keys are removed in statements of bounded size, however many there are', async t => {
  const { db } = server.database
  await sql`
    insert into idempotency_key (workspace_id, token_id, key, fingerprint, created_at)
    select gen_random_uuid(), gen_random_uuid(), 'one of many', '', now() - interval '2 days'
    from generate_series(1, 2500)`.execute(db)
  removals.length = 0
  await removeOldKeys(db, now())
  t.strictSame(await keptKeys('one of many'), [])
  t.equal(removals.length, 3)
})

t.test('a key is free again after 24 hours, and is then removed', async t => {
  const call = keyed('day', issue('Daily'))
  await server.ok('/v1/issues', call)
  hoursLater = 23
  await server.ok('/v1/issues', call)
  t.equal(await issuesCalled('Daily'), 1)
  hoursLater = 25
  await server.ok('/v1/issues', call)
  t.equal(await issuesCalled('Daily'), 2)
  hoursLater = 50
  await server.jobs.enqueue(server.database.db, 'core.removeOldIdempotencyKeys', [{}])
  await server.idle()
  t.strictSame(await keptKeys('day'), [])
})

t.test('malformed keys are refused', async t => {
  for (const key of ['', 'x'.repeat(256), 'tab\tbed', 'ümlaut']) {
    const answer = await server.call('/v1/issues', keyed(key, issue('No key')))
    t.match(answer.json(), { statusCode: 400, code: 'VALIDATION' }, JSON.stringify(key))
  }
  t.equal((await server.call('/v1/issues', keyed('x'.repeat(255), issue('Long key')))).statusCode, 201)
})

t.test('a secret is not kept: a replay has null, and says how to get another', async t => {
  const agent = await server.agent('Rotated')
  const { token } = await server.ok<{ token: string }>('/v1/users/pat', { body: { name: 'Of the keys' } })
  for (const [path, body] of [
    ['/v1/users/agents', { name: 'Made once' }],
    [`/v1/users/agents/${agent.id}/token`, undefined],
    ['/v1/users', { email: 'once@example.org', fullname: 'Once' }],
    ['/v1/users/pat', { name: 'Once' }]
  ] as const) {
    const call = { ...keyed(`secret ${path}`, body, { token, method: 'POST' }) }
    const first = await server.ok<{ id: string; token: string }>(path, call)
    const second = await server.call(path, call)
    t.match(first.token, /^trk_/, path)
    t.match(second.json(), { ...first, token: null, message: /shown once.*(rotate|another)/ }, path)
  }
  const rows = await server.database.db.selectFrom('idempotencyKey').select('body').execute()
  t.ok(rows.length >= 4)
  t.strictSame(
    rows.filter(({ body }) => body?.includes('trk_')),
    []
  )
})

t.test('of an answer above 64 KiB only the ids are kept', async t => {
  const issues = [1, 2, 3].map(n => issue(`Long ${n}`, { descriptionMarkdown: 'word '.repeat(8_000) }))
  const call = keyed('long', { issues })
  const first = await server.ok<{ issues: Array<{ id: string; key: string }> }>('/v1/issues/bulk', call)
  const second = await server.call('/v1/issues/bulk', call)
  t.equal(second.statusCode, 201)
  t.strictSame(second.json(), { issues: first.issues.map(({ id, key }) => ({ id, key })) })
})

t.test('a route with several transactions has one, reads what it wrote, and is stored as a whole', async t => {
  const first = await server.ok('/v1/steps', keyed('steps', { name: 'whole' }))
  t.strictSame(first['seen'], ['whole 1', 'whole 1', 'whole 2', 'whole 3'])
  t.strictSame(await server.ok('/v1/steps', keyed('steps', { name: 'whole' })), first)
})

t.test('a step that fails is undone alone, when the route goes on without it', async t => {
  hold.at = point => {
    if (point === 'part 2') throw new Error('expected')
  }
  const { seen } = await server.ok<{ seen: string[] }>('/v1/steps', keyed('part', { name: 'part' }))
  t.strictSame(seen, ['part 1', 'part 1', 'part 3'])
})

t.test('what a step has left for after the commit is not done when the step is undone', async t => {
  const transaction = new RequestTransaction({
    db: server.database.db,
    begin: async () => {},
    committed: afterCommit
  })
  const done: string[] = []
  await transaction.run(async trx => onCommit(trx, () => done.push('kept')))
  const undone = transaction.run(async trx => {
    onCommit(trx, () => done.push('undone'))
    throw new Error('expected')
  })
  await t.rejects(undone, { message: 'expected' })
  t.ok(await transaction.commit(async () => {}))
  t.strictSame(done, ['kept'])
})

t.test('nothing of a request that fails at its end is stored', async t => {
  hold.at = point => {
    if (point === 'fails end') throw new Error('unexpected')
  }
  t.equal((await server.call('/v1/steps', keyed('fails', { name: 'fails' }))).statusCode, 500)
  hold.at = () => {}
  t.strictSame(await keptKeys('fails'), [])
  const { seen } = await server.ok<{ seen: string[] }>('/v1/steps', keyed('fails', { name: 'fails' }))
  t.strictSame(seen, ['fails 1', 'fails 1', 'fails 2', 'fails 3'])
})

const isOnCitus = await runsOnCitus()
// Citus reports a commit that a worker refuses like a lost worker. No table of the product has deferred constraints.
const deferring = { skip: isOnCitus && 'deferred checks have an answer of their own on one PostgreSQL only' }
t.test('when the commit fails, that is the answer', deferring, async t => {
  await server.ok('/v1/steps', { body: { name: 'taken' } })
  const answer = await server.call('/v1/steps', keyed('taken', { name: 'taken' }))
  t.match(answer.json(), { statusCode: 409, code: 'CONFLICT' })
  t.strictSame(await keptKeys('taken'), [])
})

t.test('a route that writes outside of a transaction is refused, with a key and without', async t => {
  for (const name of ['with', 'raw']) {
    for (const call of [{ body: { name } }, keyed(`outside ${name}`, { name })]) {
      t.equal((await server.call('/v1/steps/outside', call)).statusCode, 500, name)
    }
  }
  const steps = await server.database.db
    .withTables<{ step: { name: string } }>()
    .selectFrom('step')
    .select('name')
    .execute()
  t.notOk(steps.some(({ name }) => ['with', 'raw'].includes(name)))
})

t.test('the key is ignored where nothing is written', async t => {
  for (const path of ['/v1/steps/read', '/v1/steps/none']) {
    const call = keyed('ignored', { name: 'x' })
    t.not((await server.ok(path, call))['id'], (await server.ok(path, call))['id'], path)
  }
  t.strictSame(await keptKeys('ignored'), [])
})

t.test('while the first request runs, the second waits for its answer', async t => {
  const gate = gateAt('wait begin')
  const call = keyed('wait', { name: 'wait' })
  const first = server.call('/v1/steps', call)
  await gate.reached
  const second = server.call('/v1/steps', call)
  await sleep(50)
  gate.open()
  t.equal((await second).headers['idempotency-replayed'], 'true')
  t.equal((await second).body, (await first).body)
})

t.test('a request that runs for longer is not waited for: 409, and when to try again', async t => {
  const gate = gateAt('slow begin')
  const call = keyed('slow', { name: 'slow' })
  const first = server.call('/v1/steps', call)
  await gate.reached
  const second = await server.call('/v1/steps', call)
  t.match(second.json(), { statusCode: 409, code: 'IDEMPOTENCY_KEY_IN_USE' })
  t.equal(second.headers['retry-after'], '1')
  gate.open()
  t.equal((await server.call('/v1/steps', call)).body, (await first).body)
})

t.test('on another replica, too, it is waited for, and then answered', { skip: !onPostgres }, async t => {
  const replica = await testServer({ on: server, also, now })
  t.teardown(() => replica.close())
  const slow = gateAt('far end')
  const call = keyed('far', { name: 'far' })
  const first = server.call('/v1/steps', call)
  await slow.reached
  t.match((await replica.call('/v1/steps', call)).json(), { statusCode: 409, code: 'IDEMPOTENCY_KEY_IN_USE' })
  const waiting = replica.call('/v1/steps', call)
  await sleep(50)
  slow.open()
  t.equal((await waiting).body, (await first).body)
  t.equal((await waiting).headers['idempotency-replayed'], 'true')
  t.match((await replica.call('/v1/steps', keyed('far', { name: 'other' }))).json(), { code: 'IDEMPOTENCY_KEY_REUSED' })
})

t.test('a client that was gone before the answer gets it with its next try', async t => {
  await server.app.listen({ host: '127.0.0.1', port: 0 })
  const gate = gateAt('gone end')
  const call = keyed('gone', { name: 'gone' })
  const { port } = server.app.server.address() as AddressInfo
  const client = request({
    port,
    method: 'POST',
    path: '/v1/steps',
    headers: { ...call.headers, 'content-type': 'application/json', authorization: `Bearer ${server.token}` }
  })
  const gone = once(client, 'error')
  client.end(JSON.stringify(call.body))
  await gate.reached
  client.destroy()
  await gone
  gate.open()
  const answer = await server.call('/v1/steps', call)
  t.equal(answer.headers['idempotency-replayed'], 'true')
  t.strictSame(answer.json<{ seen: string[] }>().seen, ['gone 1', 'gone 1', 'gone 2', 'gone 3'])
})

/** The embedded database has no races, and slower requests. */
const PAIRS = onPostgres ? 1_000 : 100
t.test(`of ${PAIRS} pairs of equal requests at once, on two replicas if there are, each has one effect`, async t => {
  const options = { plugins: ['workspace', 'issues'], settings: { jobs: false } }
  const one = await testServer(options)
  const other = onPostgres ? await testServer({ ...options, on: one }) : one
  t.teardown(async () => {
    if (other !== one) await other.close()
    await one.close()
  })
  const pairs = Array.from({ length: PAIRS }, (_, n) => n)
  const unequal: unknown[] = []
  const create = async (replica: TestServer, call: Call): Promise<LightMyRequestResponse> => {
    const answer = await replica.call('/v1/issues', call)
    // On a slow machine the first request exceeds the wait.
    return answer.json<{ code?: string }>().code === 'IDEMPOTENCY_KEY_IN_USE' ? create(replica, call) : answer
  }
  const pair = async (n: number) => {
    const call = keyed(`pair ${n}`, issue(`Pair ${n}`))
    const [a, b] = await Promise.all([create(one, call), create(other, call)])
    const replayed = [a, b].filter(({ headers }) => headers['idempotency-replayed'] === 'true').length
    if (a.statusCode !== 201 || a.body !== b.body || replayed !== 1) unequal.push([a.body, b.body])
  }
  const worker = async () => {
    for (let n = pairs.pop(); n !== undefined; n = pairs.pop()) await pair(n)
  }
  await Promise.all(Array.from({ length: 8 }, worker))
  t.strictSame(unequal, [])
  const counted = await one.database.db
    .withTables<{ issue: { title: string } }>()
    .selectFrom('issue')
    .select(({ fn }) => [fn.countAll().as('all'), fn.count('title').distinct().as('different')])
    .where('title', 'like', 'Pair %')
    .executeTakeFirstOrThrow()
  t.strictSame(counted, { all: PAIRS, different: PAIRS })
})
