import t from 'tap'
import { onPostgres, testServer } from '../../../test/runner/harness.ts'
import { HARNESSES } from '../contract.ts'
import { asWorker, ENOUGH, EVENTS, hookServer, type Event, type HookServer } from './client.ts'

let server: HookServer
t.before(async () => {
  server = await hookServer()
})
t.teardown(() => server.close())

t.test('each client is sent, in its own format, its issues in progress and reminders', async t => {
  for (const harness of HARNESSES) {
    const worker = await server.worker(harness)
    t.equal(
      await worker.hook('session-start', {}, harness),
      'Your session in the tracker is "s1": send it as session with its tools.',
      'nothing is in progress'
    )
    for (const event of ['prompt', 'stop'] as const) {
      t.equal(await worker.hook(event, {}, harness), undefined, `${harness} ${event}: nothing is in progress`)
    }
    const key = await worker.begin()
    t.match(
      await worker.hook('session-start', {}, harness),
      new RegExp(`- ${key} \\(1 of 3 criteria met\\): <(text-\\w{8})>Mend the roof</\\1>\n`)
    )
    t.equal(await worker.hook('prompt', {}, harness), undefined, 'it was told of it')
    t.equal(await worker.hook('stop', {}, harness), undefined, 'nothing is quiet yet')
    server.clock.pass(20)
    t.match(await worker.hook('stop', {}, harness), `- ${key} (1 of 3 criteria met)`)
    t.equal(await worker.hook('stop', {}, harness), undefined, 'it is asked once')
  }
})

t.test('quiet is what had no write of the agent’s own for 20 minutes of the session', async t => {
  const { clock } = server
  const worker = await server.worker('Ada')
  const other = await server.worker('Bob')
  const key = await worker.begin()
  clock.pass(600)
  await worker.hook('session-start')
  clock.pass(19.99)
  t.equal(await worker.hook('stop'), undefined, 'what was before the session does not count')
  clock.pass(0.01)
  t.match(await worker.hook('stop'), key)
  clock.pass(60)
  t.equal(await worker.hook('stop'), undefined, 'nothing was written since it was asked')

  const writes: Array<[string, () => Promise<unknown>]> = [
    ['a note', () => worker.note(key)],
    ['a ticked criterion', () => server.ok(`/v1/issues/${key}/criteria`, { token: worker.token, body: { met: [2] } })],
    ['a change', () => server.ok(`/v1/issues/${key}`, { token: worker.token, body: { priority: 2 } })],
    [
      'a link',
      () =>
        server.ok(`/v1/issues/${key}/links`, { token: worker.token, body: { url: 'https://example.org/', title: 'x' } })
    ]
  ]
  for (const [what, write] of writes) {
    await write()
    clock.pass(19)
    await other.note(key)
    t.equal(await worker.hook('stop'), undefined, `${what} counts`)
    clock.pass(1)
    t.match(
      await worker.hook('stop'),
      key,
      `20 minutes after ${what} it is asked again; what others write does not count`
    )
    t.equal(await worker.hook('stop'), undefined)
  }
  t.equal(await other.hook('stop'), undefined, 'whose issue it is not is not asked')
})

t.test('a write counts at once, and when the event log no longer holds it', async t => {
  const worker = await server.worker('Ada')
  const key = await worker.begin()
  await worker.hook('session-start')
  server.clock.pass(20)
  await worker.note(key)
  t.equal(await worker.hook('stop'), undefined, 'at once')
  await server.idle()
  await server.database.db.deleteFrom('event').execute()
  server.clock.pass(19)
  t.equal(await worker.hook('stop'), undefined, 'without its event')
  server.clock.pass(1)
  t.match(await worker.hook('stop'), key)
})

t.test('each issue is asked for by itself, only while it is in progress and the agent’s', async t => {
  const worker = await server.worker('Ada')
  await worker.hook('session-start')
  const [first, second, closed, transferred, removed] = [
    await worker.begin(),
    await worker.begin(),
    await worker.begin(),
    await worker.begin(),
    await worker.begin()
  ]
  const states = await server.ok<Array<{ id: string; category: string }>>('/v1/ENG/workflows')
  await server.ok(`/v1/issues/${closed}`, {
    body: { stateId: states.find(({ category }) => category === 'COMPLETED')!.id }
  })
  await server.ok(`/v1/issues/${transferred}/pick_up`, {
    token: (await server.worker('Bob')).token,
    body: { takeover: true }
  })
  await server.ok(`/v1/issues/${removed}`, { method: 'DELETE' })
  server.clock.pass(15)
  await worker.note(second)
  server.clock.pass(5)
  const reminder = await worker.hook('stop')
  t.match(reminder, `- ${first} (`)
  for (const key of [second, closed, transferred, removed]) t.notMatch(reminder, `- ${key} (`)
  server.clock.pass(15)
  const later = await worker.hook('stop')
  t.match(later, `- ${second} (`)
  t.notMatch(later, `- ${first} (`)
})

t.test('a session starts with its first event, and again when the client starts it again', async t => {
  const worker = await server.worker('Ada')
  const key = await worker.begin()
  server.clock.pass(60)
  t.equal(await worker.hook('stop'), undefined, 'an unknown session has only just begun')
  server.clock.pass(10)
  t.match(await worker.hook('session-start', { source: 'compact' }), key, 'told again: its context was lost')
  server.clock.pass(10)
  t.match(await worker.hook('stop'), key, 'but the session went on')
  server.clock.pass(600)
  await worker.hook('session-start', { source: 'resume' })
  server.clock.pass(19)
  t.equal(await worker.hook('stop'), undefined)
  server.clock.pass(1)
  t.match(await worker.hook('stop'), key)
})

t.test('a prompt lists the issues of which the session was not reminded yet', async t => {
  const worker = await server.worker('Ada')
  const first = await worker.begin('First')
  t.match(await worker.hook('prompt'), first, 'all at the first prompt of a client that has no hook at the start')
  t.equal(await worker.hook('prompt'), undefined)
  const second = await worker.begin('Second')
  const reminder = await worker.hook('prompt')
  t.match(reminder, second)
  t.notMatch(reminder, `${first} `)
  t.match(await worker.hook('prompt', { session_id: 's2' }), first, 'another session was told of nothing')
})

t.test('the guards of the clients are heeded', async t => {
  const worker = await server.worker('Ada')
  await worker.begin()
  for (const harness of HARNESSES) await worker.hook('session-start', {}, harness)
  server.clock.pass(20)
  for (const harness of HARNESSES) t.equal(await worker.hook('stop', { stop_hook_active: true }, harness), undefined)
  for (const status of ['aborted', 'error', undefined]) {
    t.equal(await worker.hook('stop', { status }, 'cursor'), undefined, `no message after ${status}`)
  }
  for (const harness of HARNESSES) t.ok(await worker.hook('stop', {}, harness), 'and it is asked when it can be')
})

t.test('sessions are apart by agent, client and name; a client that names none has one', async t => {
  const worker = await server.worker('Ada')
  await worker.begin()
  const names = ['s1', 's2', 'x'.repeat(200)]
  for (const name of names) await worker.hook('session-start', { session_id: name })
  await worker.hook('session-start', {}, 'codex')
  const none = [undefined, '', 'two words', 'é', 'x'.repeat(201), 7, null, ['s1'], { a: 1 }, '\0']
  for (const name of none) await worker.hook('session-start', { session_id: name })
  server.clock.pass(20)
  for (const name of names) t.ok(await worker.hook('stop', { session_id: name }))
  t.ok(await worker.hook('stop', {}, 'codex'))
  const [first, ...others] = none
  t.ok(await worker.hook('stop', { session_id: first }))
  for (const name of others) {
    t.equal(
      await worker.hook('stop', { session_id: name }),
      undefined,
      `${JSON.stringify(name)?.slice(0, 20)} is the same nameless session`
    )
  }
})

t.test('whatever a client sends, its agent goes on', async t => {
  const { token } = await server.worker('Ada')
  const bodies: unknown[] = [
    '',
    '{',
    'null',
    '[]',
    '"text"',
    '7',
    '{"session_id":',
    '\0',
    '{"session_id":"\\u0000","prompt":"\\ud800"}',
    '{"__proto__":{"status":"completed"},"session_id":{"a":[]}}',
    '['.repeat(200_000),
    Buffer.from([0x7b, 0xff, 0xfe]),
    { prompt: 'x'.repeat(4_000_000) },
    { source: [], status: {}, stop_hook_active: 'true', conversation_id: 3 }
  ]
  for (const event of EVENTS) {
    for (const harness of HARNESSES) {
      for (const body of bodies) {
        for (const type of ['application/json', 'application/x-www-form-urlencoded']) {
          const answer = await server.call(`/v1/agent-hooks/${event}?harness=${harness}`, {
            token,
            body,
            headers: { 'content-type': type }
          })
          if (answer.statusCode !== 200 || answer.body !== '{}') {
            t.fail(`${event} ${harness} ${String(body).slice(0, 40)} ${type}: ${answer.statusCode} ${answer.body}`)
          }
        }
      }
      t.equal(
        (await server.call(`/v1/agent-hooks/${event}?harness=${harness}`, { token, method: 'POST' })).body,
        '{}',
        'no body at all'
      )
    }
  }
  const large = await server.call('/v1/agent-hooks/stop?harness=codex', { token, body: 'x'.repeat(9_000_000) })
  t.match(large.json(), { statusCode: 413, code: 'TOO_LARGE' })
})

t.test('a failure of the server is answered with the empty answer', async t => {
  const worker = await server.worker('Ada')
  await worker.begin()
  const { db } = server.database
  await db.schema.alterTable('hook_session').renameTo('gone').execute()
  for (const event of EVENTS) for (const harness of HARNESSES) t.equal(await worker.hook(event, {}, harness), undefined)
  await db.schema.alterTable('gone').renameTo('hook_session').execute()
  t.ok(await worker.hook('session-start'))
})

t.test('an invalid request is answered with what would be right', async t => {
  const { token } = await server.worker('Ada')
  for (const query of ['', '?harness=', '?harness=emacs', '?harness=codex&harness=cursor']) {
    const answer = await server.call(`/v1/agent-hooks/stop${query}`, { token, body: {} })
    t.match(answer.json(), { statusCode: 400, code: 'VALIDATION', message: /claude-code, codex, cursor/ }, query)
  }
  t.equal((await server.call('/v1/agent-hooks/lunch?harness=codex', { token, body: {} })).statusCode, 404)
  t.equal((await server.call('/v1/agent-hooks/stop?harness=codex', { token: null, body: {} })).statusCode, 401)
  const reader = (await server.agent('Reader', ['read'])).token
  t.equal(
    (await server.call('/v1/agent-hooks/stop?harness=codex', { token: reader, body: {} })).statusCode,
    200,
    '`read` is enough'
  )
  const writer = (await server.agent('Writer', ['write'])).token
  t.match((await server.call('/v1/agent-hooks/stop?harness=codex', { token: writer, body: {} })).json(), {
    code: 'SCOPE_REQUIRED',
    requiredScope: 'read'
  })
})

t.test('sessions and issues of another workspace are separate', async t => {
  const worker = await server.worker('Ada')
  const key = await worker.begin('Secret')
  const stranger = asWorker(server, (await server.otherWorkspace()).token)
  await Promise.all([worker.hook('session-start'), stranger.hook('session-start')])
  server.clock.pass(20)
  t.equal(await stranger.hook('stop'), undefined)
  t.match(await worker.hook('stop'), key)
})

t.test('nothing is written to the tracker, but for how long the agent has its issue', async t => {
  const worker = await server.worker('Ada')
  const key = await worker.begin()
  const context = async () => {
    const { claim, ...issue } = await server.ok<{ claim: { expiresAt: string } }>(`/v1/issues/${key}/context`)
    const { expiresAt: _, ...kept } = claim
    return { ...issue, claim: kept }
  }
  const before = await context()
  await worker.hook('session-start')
  server.clock.pass(20)
  await worker.hook('stop')
  t.strictSame(await context(), before)
})

t.test('long lists and titles are cut; what is left out is asked for next time', async t => {
  const worker = await server.worker('Ada')
  await worker.hook('session-start')
  for (let n = 0; n < 25; n++) await worker.begin(`${n} ${'😀'.repeat(400)}`)
  const keysIn = (text = '') => [...text.matchAll(/^- (ENG-\d+) /gm)].map(([, key]) => key)
  const started = await worker.hook('session-start', { source: 'compact' })
  t.equal(keysIn(started).length, 20)
  t.match(started, /There are 5 more\.\nThe text in .*$/)
  t.equal(keysIn(await worker.hook('prompt')).length, 5)
  server.clock.pass(20)
  const reminders = [await worker.hook('stop'), await worker.hook('stop'), await worker.hook('stop')].map(keysIn)
  t.strictSame(
    reminders.map(keys => keys.length),
    [20, 5, 0]
  )
  t.equal(new Set(reminders.flat()).size, 25)
})

t.test('of several events at once, one is answered: replicas agree', async t => {
  const replica = onPostgres ? await testServer({ plugins: ENOUGH, on: server, now: server.clock.now }) : server
  if (onPostgres) t.teardown(() => replica.close())
  const worker = await server.worker('Ada')
  const there = asWorker(replica, worker.token)
  for (let n = 0; n < 3; n++) await worker.begin()
  const all = (event: Event, input?: object) =>
    Promise.all(Array.from({ length: 12 }, (_, i) => (i % 2 ? worker : there).hook(event, input)))
  for (let round = 0; round < 5; round++) {
    const started = await all('prompt', { session_id: `round-${round}` })
    t.equal(started.filter(answer => answer !== undefined).length, 1, 'a new session is told once')
  }
  await all('prompt')
  server.clock.pass(20)
  t.equal((await all('stop')).filter(answer => answer !== undefined).length, 1)
  t.equal((await all('stop')).filter(answer => answer !== undefined).length, 0)
})

t.test('without comments, the changes of issues count', async t => {
  const server = await hookServer({ plugins: ['workspace', 'agents', 'issues', 'hooks'] })
  t.teardown(() => server.close())
  const worker = await server.worker('Ada')
  const key = await worker.begin()
  await worker.hook('session-start')
  server.clock.pass(20)
  t.match(await worker.hook('stop'), key)
})

t.test('the reminders of an issue list the reminded sessions and their quiet times', async t => {
  const worker = await server.worker('Grace')
  const key = await worker.begin()
  const reminders = () => server.ok(`/v1/issues/${key}/reminders`)
  t.strictSame(await reminders(), [])
  await worker.hook('session-start')
  const entry = { account: { fullname: 'Grace' }, harness: 'claude-code', session: 's1' }
  const begun = server.clock.now().toISOString()
  t.match(await reminders(), [{ ...entry, at: begun, quietSince: null }])
  server.clock.pass(20)
  await worker.hook('stop')
  t.match(await reminders(), [{ ...entry, at: server.clock.now().toISOString(), quietSince: begun }])
})

t.test('old sessions are forgotten', async t => {
  const worker = await server.worker('Ada')
  await worker.begin()
  await worker.hook('session-start', { session_id: 'old' })
  server.clock.pass(29 * 24 * 60)
  await worker.hook('session-start', { session_id: 'new' })
  server.clock.pass(2 * 24 * 60)
  await server.jobs.enqueue(server.database.db, 'hooks.forgetSessions', [{}])
  await server.idle()
  t.equal(await worker.hook('prompt', { session_id: 'new' }), undefined, 'known')
  t.ok(await worker.hook('prompt', { session_id: 'old' }), 'new again')
})
