import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import t, { type Test } from 'tap'
import { Value } from 'typebox/value'
import type { LoggedEvent } from '../../../core/events/contract.ts'
import { onPostgres, testServer, type TestServer } from '../../../test/runner/harness.ts'
import { dependencies } from '../context.ts'
import { wants } from '../delivering.ts'
import { startReceiver, type Receiver } from './receiver.ts'

interface Shown {
  id: string
  secret: string
  active: boolean
  failingSince: string | null
  disabledReason: string | null
}
interface Delivery {
  id: string
  eventId: string | null
  type: string
  status: string
  attempts: number
  responseStatus: number | null
  responseBody: string | null
  error: string | null
}

const PLUGINS = ['workspace', 'agents', 'events', 'issues', 'comments', 'webhooks']
const allowed = { plugins: { webhooks: { allowPrivateAddresses: true } } }
let hoursLater = 0
/** Set while a test has stopped the clock. */
let stoppedAt: number | undefined
const now = () => new Date((stoppedAt ?? Date.now()) + hoursLater * 3600_000)
let server: TestServer
t.before(async () => {
  server = await testServer({ plugins: PLUGINS, settings: allowed, now })
})
t.teardown(() => server.close())

async function receiverOf(t: Test): Promise<Receiver> {
  const receiver = await startReceiver()
  t.teardown(() => receiver.close())
  return receiver
}
/** A webhook that is removed when the test ends. */
async function webhookTo(t: Test, url: string, more = {}, at = server): Promise<Shown> {
  const webhook = await at.ok<Shown>('/v1/webhooks', { body: { url, types: ['issue.*'], ...more } })
  t.teardown(() => at.ok(`/v1/webhooks/${webhook.id}`, { method: 'DELETE' }))
  return webhook
}
const file = (title: string, at = server) =>
  at.ok<{ id: string; key: string }>('/v1/issues', { body: { teamId: 'ENG', title } })
const deliveriesOf = ({ id }: Shown, at = server) => at.ok<Delivery[]>(`/v1/webhooks/${id}/deliveries`)
/** Waits until a webhook's newest delivery satisfies `isWanted`. */
async function newest(webhook: Shown, isWanted: (delivery: Delivery) => boolean, at = server): Promise<Delivery> {
  for (;;) {
    const [delivery] = await deliveriesOf(webhook, at)
    if (delivery && isWanted(delivery)) return delivery
    await sleep(50)
  }
}
const isOver = ({ status }: Delivery) => status !== 'PENDING'
const wasTried = ({ attempts, error }: Delivery) => attempts > 0 && error !== null
/** Stops the clock until the test ends. */
function stopClock(t: Test): void {
  stoppedAt = Date.now()
  t.teardown(() => {
    stoppedAt = undefined
  })
}
/** Runs the job of every minute. */
async function announce(): Promise<void> {
  await server.jobs.enqueue(server.database.db, 'webhooks.announce', [{}])
  await server.idle()
}

/** Advances the stopped clock. */
async function passSeconds(seconds: number): Promise<void> {
  stoppedAt! += seconds * 1000
  await announce()
}

t.test('an event arrives as Standard Webhooks says, and its signature is verified with the secret', async t => {
  const receiver = await receiverOf(t)
  const { secret } = await webhookTo(t, receiver.url)
  const { id, key } = await file('Signed')
  await receiver.reached(1)
  const [{ headers, body }] = receiver.received as [Receiver['received'][0]]
  const verified = new Webhook(secret).verify(body, headers as Record<string, string>)
  t.match(verified, {
    type: 'issue.created',
    timestamp: /^\d{4}-/,
    data: { id: headers['webhook-id'], type: 'issue.created', subject: { type: 'issue', id, key }, rev: 1 }
  })
  t.match(headers, { 'content-type': 'application/json', 'user-agent': /^tracker\// })
})

t.test('only the types that were asked for arrive', async t => {
  const receiver = await receiverOf(t)
  const webhook = await webhookTo(t, receiver.url, { types: ['comment.created', '*.deleted'] })
  const { key } = await file('Filtered')
  await server.ok(`/v1/issue_comments?issueId=${key}`, { body: { bodyMarkdown: 'Noted.' } })
  await server.ok(`/v1/issues/${key}`, { method: 'DELETE' })
  await receiver.reached(2)
  await newest(webhook, isOver)
  // In no order: they have two subjects.
  t.strictSame(receiver.received.map(({ type }) => type).toSorted(), ['comment.created', 'issue.deleted'])
})

t.test('events of imports are left out unless asked for, those of one account and earlier ones always', async t => {
  const at = '2026-01-02T00:00:00.000Z'
  const event = { type: 'issue.created', origin: 'rest', audience: 'workspace', at } as LoggedEvent
  const all = { types: ['*'], includeImports: false, createdAt: new Date(at) }
  t.ok(wants(all, event))
  t.notOk(wants(all, { ...event, origin: 'import' }))
  t.ok(wants({ ...all, includeImports: true }, { ...event, origin: 'import' }))
  t.notOk(wants(all, { ...event, audience: 'account' }))
  t.notOk(wants({ ...all, createdAt: new Date('2026-01-03') }, event))
  t.notOk(wants({ ...all, types: ['issue.c'] }, event))
  t.notOk(wants({ ...all, types: ['issueX*'] }, event))
})

t.test('for a day after the rotation both secrets verify, and then only the new one', async t => {
  const receiver = await receiverOf(t)
  const webhook = await webhookTo(t, receiver.url)
  const { secret } = await server.ok<Shown>(`/v1/webhooks/${webhook.id}/rotate_secret`, { method: 'POST' })
  const verify = (n: number, by: string) => {
    const { body, headers } = receiver.received[n]!
    return new Webhook(by).verify(body, headers as Record<string, string>)
  }
  await file('Rotated')
  await receiver.reached(1)
  t.ok(verify(0, webhook.secret) && verify(0, secret))
  await server.database.db
    .withTables<{ webhook: { formerSecretUntil: Date; id: string } }>()
    .updateTable('webhook')
    .set({ formerSecretUntil: new Date(0) })
    .where('id', '=', webhook.id)
    .execute()
  await file('Rotated long ago')
  await receiver.reached(2)
  t.ok(verify(1, secret))
  t.throws(() => verify(1, webhook.secret), /signature/)
})

t.test('what fails is tried again, the later events of its subject wait for it, and others do not', async t => {
  const receiver = await receiverOf(t)
  const webhook = await webhookTo(t, receiver.url)
  const first = await file('First')
  await receiver.reached(1)
  await newest(webhook, isOver)
  receiver.received.length = 0
  stopClock(t)
  receiver.answer = ({ data }, response) => {
    response.statusCode = data.subject?.id === first.id ? 500 : 200
    response.end()
  }
  for (const title of ['Second', 'Third']) await server.ok(`/v1/issues/${first.key}`, { body: { title } })
  await receiver.reached(1)
  const other = await file('Of another subject')
  await receiver.reached(2)
  await newest(webhook, isOver)
  await passSeconds(4)
  t.strictSame(
    receiver.received.map(({ data }) => [data.subject?.key, data.rev]),
    [
      [first.key, 2],
      [other.key, 1]
    ]
  )
  receiver.answer = (_message, response) => response.end()
  await passSeconds(1)
  await receiver.reached(4)
  t.strictSame(
    receiver.received.slice(2).map(({ data }) => [data.subject?.key, data.rev]),
    [
      [first.key, 2],
      [first.key, 3]
    ],
    'after 5 seconds, in their order'
  )
})

t.test('after a day of failures a delivery is given up, and releases those behind it', async t => {
  t.teardown(() => {
    hoursLater = 0
  })
  const receiver = await receiverOf(t)
  const webhook = await webhookTo(t, receiver.url)
  const isFirst = ({ data }: { data: { rev?: number } }) => data.rev === 1
  receiver.answer = (message, response) => {
    response.statusCode = isFirst(message) ? 503 : 200
    response.end('not now')
  }
  const { key } = await file('Given up')
  await newest(webhook, wasTried)
  await server.ok(`/v1/issues/${key}`, { body: { title: 'Behind it' } })
  for (let attempt = 2; attempt <= 11; attempt++) {
    hoursLater += 11
    await announce()
  }
  await newest(webhook, isOver)
  const [behind, givenUp] = await deliveriesOf(webhook)
  t.match(givenUp, { status: 'FAILED', attempts: 11, responseStatus: 503, responseBody: 'not now', error: /503/ })
  t.match(behind, { status: 'DELIVERED', attempts: 1 })
  t.equal(new Set(receiver.received.filter(isFirst).map(({ headers }) => headers['webhook-id'])).size, 1)
})

t.test('after five days of nothing but failures it is made inactive, and administrators are notified', async t => {
  t.teardown(() => {
    hoursLater = 0
  })
  const receiver = await receiverOf(t)
  receiver.answer = (_message, response) => response.writeHead(500).end()
  const webhook = await webhookTo(t, receiver.url)
  await file('Fails')
  await newest(webhook, wasTried)
  hoursLater = 5 * 24 + 1
  await announce()
  const find = () => server.ok<Shown>(`/v1/webhooks/${webhook.id}`)
  t.match(await find(), { active: false, disabledReason: /5 days.*500/ })
  const { events } = await server.ok<{ events: object[] }>('/v1/events?types=webhook.disabled')
  t.match(events, [{ subject: { id: webhook.id }, data: { url: receiver.url } }])
  const member = await server.agent('Reads events')
  const page = await server.ok<{ events: object[] }>('/v1/events?types=webhook.disabled', { token: member.token })
  t.strictSame(page.events, [], 'it is for administrators')

  receiver.answer = (_message, response) => response.end()
  stopClock(t)
  await server.ok(`/v1/webhooks/${webhook.id}`, { body: { active: true } })
  t.match(await newest(webhook, isOver), { status: 'DELIVERED' }, 'what waited for another attempt is tried at once')
  t.match(await find(), { active: true, failingSince: null, disabledReason: null })
})

t.test('a success ends the failing', async t => {
  const receiver = await receiverOf(t)
  receiver.answer = (_message, response) => response.writeHead(500).end()
  const webhook = await webhookTo(t, receiver.url)
  await file('Fails once')
  await newest(webhook, wasTried)
  t.ok((await server.ok<Shown>(`/v1/webhooks/${webhook.id}`)).failingSince)
  receiver.answer = (_message, response) => response.end()
  await newest(webhook, isOver)
  t.equal((await server.ok<Shown>(`/v1/webhooks/${webhook.id}`)).failingSince, null)
})

t.test('receivers that close early, redirect or never end their answer only fail the attempt', async t => {
  const receiver = await receiverOf(t)
  const elsewhere = await receiverOf(t)
  let endlessClosed: Promise<unknown> | undefined
  const cases: Array<[string, Receiver['answer'], object]> = [
    ['closes early', (_m, response) => response.destroy(), { status: 'PENDING', responseStatus: null, error: String }],
    [
      'redirects',
      (_m, response) => response.writeHead(307, { location: elsewhere.url }).end(),
      { status: 'PENDING', responseStatus: 307, error: /redirects/ }
    ],
    [
      'answers gigabytes',
      (_m, response) => {
        endlessClosed = new Promise(resolve => response.on('close', resolve))
        const more = () => {
          while (!response.destroyed && response.write('x'.repeat(65536)));
        }
        response.on('drain', more)
        more()
      },
      { status: 'DELIVERED', responseStatus: 200, responseBody: 'x'.repeat(1024), error: null }
    ]
  ]
  for (const [name, answer, expected] of cases) {
    receiver.answer = answer
    const webhook = await webhookTo(t, receiver.url)
    await server.ok(`/v1/webhooks/${webhook.id}/test`, { method: 'POST' })
    t.match(await newest(webhook, delivery => isOver(delivery) || wasTried(delivery)), expected, name)
    await server.ok(`/v1/webhooks/${webhook.id}`, { body: { active: false } })
  }
  await endlessClosed
  t.strictSame(elsewhere.received, [], 'the redirect is not followed')
})

t.test('a receiver that does not answer is waited for as long as the setting says, and holds up no other', async t => {
  const hasty = await testServer({
    plugins: PLUGINS,
    settings: { plugins: { webhooks: { allowPrivateAddresses: true, attemptTimeoutMs: 1000 } } },
    now
  })
  t.teardown(() => hasty.close())
  stopClock(t)
  const slow = await receiverOf(t)
  slow.answer = () => {}
  const receiver = await receiverOf(t)
  const slowHook = await webhookTo(t, slow.url, {}, hasty)
  const hook = await webhookTo(t, receiver.url, {}, hasty)
  await file('Slow', hasty)
  await slow.reached(1)
  t.match(await newest(hook, isOver, hasty), { status: 'DELIVERED' })
  t.match(await newest(slowHook, wasTried, hasty), { status: 'PENDING', attempts: 1, error: 'No answer within 1 s.' })
  t.match(Value.Default(dependencies.settings, {}), { attemptTimeoutMs: 10_000 }, 'unless it is set, 10 seconds')
})

t.test('private addresses are refused when connecting, whatever they are called', async t => {
  const strict = await testServer({ plugins: PLUGINS })
  t.teardown(() => strict.close())
  const receiver = await receiverOf(t)
  const { port } = new URL(receiver.url)
  for (const host of ['127.0.0.1', '2130706433', '[::1]', '[::ffff:127.0.0.1]', '[64:ff9b::7f00:1]', 'localhost']) {
    const { id } = await strict.ok<Shown>('/v1/webhooks', { body: { url: `http://${host}:${port}/`, types: ['none'] } })
    await strict.ok(`/v1/webhooks/${id}/test`, { method: 'POST' })
    await strict.idle()
    t.match(
      await strict.ok<Delivery[]>(`/v1/webhooks/${id}/deliveries`),
      [{ status: 'PENDING', attempts: 1, error: /private address.*allowPrivateAddresses/ }],
      host
    )
    await strict.ok(`/v1/webhooks/${id}`, { method: 'DELETE' })
  }
  t.strictSame(receiver.received, [])
})

t.test('a delivery can be sent again: the receiver knows it by its id', async t => {
  const receiver = await receiverOf(t)
  const webhook = await webhookTo(t, receiver.url)
  await file('Again')
  const { id } = await newest(webhook, isOver)
  const again = await server.ok<Delivery>(`/v1/webhooks/${webhook.id}/deliveries/${id}/redeliver`, { method: 'POST' })
  t.not(again.id, id)
  await receiver.reached(2)
  const [first, second] = receiver.received
  t.equal(second?.body, first?.body)
  t.equal(second?.headers['webhook-id'], first?.headers['webhook-id'])
})

t.test('a test that is delivered again, and again, keeps its id', async t => {
  const receiver = await receiverOf(t)
  const webhook = await webhookTo(t, receiver.url)
  let { id } = await server.ok<Delivery>(`/v1/webhooks/${webhook.id}/test`, { body: {} })
  for (const count of [2, 3]) {
    const path = `/v1/webhooks/${webhook.id}/deliveries/${id}/redeliver`
    id = (await server.ok<Delivery>(path, { method: 'POST' })).id
    await receiver.reached(count)
  }
  t.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 1)
})

t.test('deliveries are kept for 7 days', async t => {
  t.teardown(() => {
    hoursLater = 0
  })
  const receiver = await receiverOf(t)
  const webhook = await webhookTo(t, receiver.url)
  await file('Kept')
  await newest(webhook, isOver)
  hoursLater = 7 * 24 - 1
  await announce()
  t.equal((await deliveriesOf(webhook)).length, 1)
  hoursLater = 7 * 24 + 1
  await announce()
  t.equal((await deliveriesOf(webhook)).length, 0)
})

t.test('only administrators see and change webhooks, those of their own workspace', async t => {
  const webhook = await webhookTo(t, 'https://receiver.example/')
  const member = await server.agent('Curious', ['read', 'write', 'delete'])
  const other = await server.otherWorkspace()
  const path = `/v1/webhooks/${webhook.id}`
  for (const [at, method] of [
    ['/v1/webhooks', 'GET'],
    [path, 'GET'],
    [path, 'POST'],
    [path, 'DELETE'],
    [`${path}/rotate_secret`, 'POST'],
    [`${path}/test`, 'POST'],
    [`${path}/deliveries`, 'GET']
  ] as const) {
    const call = (token: string) => server.call(at, { token, method, ...(method === 'POST' && { body: {} }) })
    t.equal((await call(member.token)).json<{ code: string }>().code, 'ADMIN_REQUIRED', `${method} ${at}`)
    if (at !== '/v1/webhooks') t.equal((await call(other.token)).statusCode, 404, `${method} ${at}`)
  }
  t.notMatch(await server.ok(path), { secret: String })
})

t.test('invalid receiver URLs are refused', async t => {
  for (const url of [
    'receiver.example',
    'ftp://receiver.example/',
    'https://user:password@receiver.example/',
    'https://'
  ]) {
    t.match((await server.call('/v1/webhooks', { body: { url } })).json(), { code: 'VALIDATION', field: 'url' }, url)
  }
})

t.test('its secret is not kept with an idempotency key', async t => {
  const call = { body: { url: 'https://receiver.example/' }, headers: { 'idempotency-key': 'webhook' } }
  const { id, secret } = await server.ok<Shown>('/v1/webhooks', call)
  t.teardown(() => server.ok(`/v1/webhooks/${id}`, { method: 'DELETE' }))
  t.match(secret, /^whsec_/)
  t.match(await server.ok('/v1/webhooks', call), { id, secret: null, message: /rotate_secret/ })
  const stored = await server.database.db
    .selectFrom('idempotencyKey')
    .select('body')
    .where('key', '=', 'webhook')
    .execute()
  t.notMatch(JSON.stringify(stored), /whsec_/)
})

t.test('two replicas deliver every event at least once, in order per subject', { skip: !onPostgres }, async t => {
  const replica = await testServer({ on: server, plugins: PLUGINS, settings: allowed, now })
  t.teardown(() => replica.close())
  const receiver = await receiverOf(t)
  const webhook = await webhookTo(t, receiver.url)
  receiver.answer = async (_message, response) => {
    await sleep(Math.random() * 10)
    response.writeHead(Math.random() < 0.02 ? 500 : 200).end()
  }
  const work = async (n: number) => {
    const at = n % 2 === 0 ? server : replica
    const { key } = await at.ok<{ key: string }>('/v1/issues', { body: { teamId: 'ENG', title: `Issue ${n}` } })
    for (let rev = 2; rev <= 10; rev++) await at.ok(`/v1/issues/${key}`, { body: { title: `Issue ${n}, ${rev}` } })
  }
  await Promise.all(Array.from({ length: 10 }, (_, n) => work(n)))
  for (;;) {
    const pending = await server.ok<Delivery[]>(`/v1/webhooks/${webhook.id}/deliveries?status=PENDING`)
    const all = await server.ok<Delivery[]>(`/v1/webhooks/${webhook.id}/deliveries?limit=200`)
    if (pending.length === 0 && all.length === 100) break
    await sleep(100)
  }
  const bySubject = Map.groupBy(receiver.received, ({ data }) => data.subject?.id)
  t.equal(bySubject.size, 10)
  for (const messages of bySubject.values()) {
    // A failed one is retried at once, before the next.
    const revs = messages.map(({ data }) => data.rev).filter((rev, n, all) => n === 0 || rev !== all[n - 1])
    t.strictSame(revs, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  }
})
