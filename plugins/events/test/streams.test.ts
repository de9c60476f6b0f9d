import { createConnection } from 'node:net'
import t from 'tap'
import { listen, openStream } from '../../../test/event-stream.ts'
import { probeOf, probeServer } from '../../../test/event-probe.ts'

const numbersOf = ({ received }: Awaited<ReturnType<typeof openStream>>) =>
  received.map(({ event: { data } }) => (data as { n: number }).n)

t.test('a stream begins now, or after the last event that the client has', async t => {
  const server = await probeServer()
  t.teardown(() => server.close())
  const probe = probeOf(server)
  const origin = await listen(server)
  await probe.emit([1, 2])
  const stream = await openStream(origin, server.token)
  await probe.emit([3, 4])
  await stream.reached(2)
  t.strictSame(numbersOf(stream), [3, 4])
  stream.close()
  await stream.ended

  await probe.emit([5])
  const headers = { 'last-event-id': stream.received[0]!.id }
  const resumed = await openStream(origin, server.token, { headers })
  await probe.emit([6])
  await resumed.reached(3)
  t.strictSame(numbersOf(resumed), [4, 5, 6])
  const after = await openStream(origin, server.token, { query: `?after=${resumed.received[1]!.id}` })
  await after.reached(1)
  t.strictSame(numbersOf(after), [6])
  resumed.close()
  after.close()
})

t.test('a client that was cut off before its first event misses nothing', async t => {
  const server = await probeServer()
  t.teardown(() => server.close())
  const probe = probeOf(server)
  const origin = await listen(server)
  await probe.emit([1])
  const stream = await openStream(origin, server.token)
  await stream.begun
  stream.close()
  await stream.ended
  await probe.emit([2])
  const resumed = await openStream(origin, server.token, { headers: { 'last-event-id': stream.lastId! } })
  await resumed.reached(1)
  t.strictSame(numbersOf(resumed), [2])
  resumed.close()
})

t.test('a stream has the types that were asked for, of its workspace', async t => {
  const server = await probeServer({ plugins: ['workspace', 'events', 'issues'] })
  t.teardown(() => server.close())
  const origin = await listen(server)
  const other = await server.otherWorkspace()
  const [issues, foreign] = await Promise.all([
    openStream(origin, server.token, { query: '?types=issue.*' }),
    openStream(origin, other.token)
  ])
  await probeOf(server).emit([1])
  const { id, key } = await server.ok<{ id: string; key: string }>('/v1/issues', {
    body: { teamId: 'ENG', title: 'Seen' }
  })
  await issues.reached(1)
  t.match(issues.received, [
    {
      event: {
        type: 'issue.created',
        subject: { type: 'issue', id, key },
        issueId: id,
        rev: 1,
        origin: 'rest',
        actor: { fullname: 'Administrator', kind: 'PERSON' },
        data: { title: 'Seen' }
      }
    }
  ])
  t.strictSame(foreign.received, [])
  issues.close()
  foreign.close()
})

t.test('the streams of a token that was revoked end, and those of others go on', async t => {
  const server = await probeServer({ plugins: ['workspace', 'agents', 'events'] })
  t.teardown(() => server.close())
  const origin = await listen(server)
  const agent = await server.agent('Reader')
  const [own, others] = [await openStream(origin, agent.token), await openStream(origin, server.token)]
  await server.ok(`/v1/users/agents/${agent.id}/token`, { method: 'POST', body: {} })
  await own.ended
  await probeOf(server).emit([1])
  await others.reached(1)
  t.strictSame(own.received, [])
  others.close()
})

t.test('a client that does not read is dropped, and others get everything', async t => {
  const server = await probeServer()
  t.teardown(() => server.close())
  const origin = await listen(server)
  const silent = createConnection(Number(new URL(origin).port), '127.0.0.1')
  const isDropped = new Promise(resolve => silent.once('close', resolve))
  silent.on('error', () => {}) // it is cut off
  silent.pause()
  silent.write(
    `GET /v1/events HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\nAuthorization: Bearer ${server.token}\r\n\r\n`
  )
  const reading = await openStream(origin, server.token)
  const count = 30_000
  for (let n = 0; n < count; n += 1_000) {
    await probeOf(server).emit(Array.from({ length: 1_000 }, (_, i) => n + i))
  }
  await reading.reached(count)
  t.strictSame(
    numbersOf(reading),
    Array.from({ length: count }, (_, n) => n)
  )
  silent.resume()
  await isDropped
  reading.close()
})

t.test('half of the connections are left for requests, and a stream that ends makes room for another', async t => {
  const server = await probeServer({ settings: { maxConnections: 4 } })
  t.teardown(() => server.close())
  const origin = await listen(server)
  const [first, second] = [await openStream(origin, server.token), await openStream(origin, server.token)]
  t.match(await server.call('/v1/events', { headers: { accept: 'text/event-stream' } }), {
    statusCode: 503,
    headers: { 'retry-after': String }
  })
  t.equal((await server.call('/v1/events')).statusCode, 200)
  first.close()
  let third = await openStream(origin, server.token).catch(() => undefined)
  while (third === undefined) third = await openStream(origin, server.token).catch(() => undefined)
  third.close()
  second.close()
})

t.test('the server stops though streams are open', async t => {
  const server = await probeServer()
  const stream = await openStream(await listen(server), server.token)
  await server.close()
  await stream.ended
  t.pass()
})

t.test('one token, and one workspace, have their share of the streams', async t => {
  const server = await probeServer({ plugins: ['workspace', 'agents', 'events'], settings: { maxConnections: 60 } })
  t.teardown(() => server.close())
  const origin = await listen(server)
  const open: Array<Awaited<ReturnType<typeof openStream>>> = []
  const openSome = async (count: number, token: string) => {
    for (let n = 0; n < count; n++) open.push(await openStream(origin, token))
  }
  const refusal = async (token: string) => {
    const { statusCode, headers, json } = await server.call('/v1/events', {
      token,
      headers: { accept: 'text/event-stream' }
    })
    return { statusCode, retryAfter: headers['retry-after'], ...json<{ code: string; message: string }>() }
  }
  await openSome(10, server.token)
  t.match(await refusal(server.token), {
    statusCode: 429,
    code: 'RATE_LIMITED',
    retryAfter: String,
    message: /This token already has 10 event streams: close one first, or read pages of GET/
  })
  const agent = await server.agent('Reader')
  await openSome(5, agent.token)
  t.match(await refusal(agent.token), { statusCode: 429, message: /This workspace already has 15 event streams/ })
  const other = await server.otherWorkspace()
  await openSome(1, other.token)
  t.equal((await server.call('/v1/events')).statusCode, 200, 'pages are read all the same')

  open.shift()!.close()
  let again = await openStream(origin, agent.token).catch(() => undefined)
  while (again === undefined) again = await openStream(origin, agent.token).catch(() => undefined)
  for (const stream of [...open, again]) stream.close()
})
