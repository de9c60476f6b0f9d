import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { fastifySSE } from '@fastify/sse'
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import { Gauge } from 'prom-client'
import t, { type Test } from 'tap'
import type { Principal } from '../../../core/api/contract.ts'
import type { EventLogService } from '../context.ts'
import { EventStreams } from '../streams.ts'
import { lastPosition } from '../../../core/events/read.ts'
import { probeOf, probeServer } from '../../../test/event-probe.ts'

/** Streams of a server's log, and the output for a client. */
async function streamsOf(
  t: Test,
  open: (streams: EventStreams, request: FastifyRequest, reply: FastifyReply) => unknown,
  log?: Pick<EventLogService, 'horizon' | 'onMoved'>
) {
  const server = await probeServer()
  t.teardown(() => server.close())
  const { database, app: main } = server
  const events = log ?? server.events
  const { db } = database
  const { id: workspaceId } = await db.selectFrom('workspace').select('id').executeTakeFirstOrThrow()
  const principal: Principal = {
    workspaceId,
    accountId: workspaceId,
    tokenId: workspaceId,
    kind: 'PERSON',
    role: 'ADMIN',
    fullname: 'Reader',
    scopes: []
  }
  const gauge = new Gauge({ name: 'open', help: 'Open streams', registers: [] })
  const authenticate = async () => principal
  const streams = new EventStreams({ events, db, log: main.log, gauge, maxStreams: 2, authenticate })
  const app = Fastify()
  t.teardown(async () => {
    streams.close()
    await app.close()
  })
  await app.register(fastifySSE, { heartbeatInterval: 0, serializer: (data: string) => data })
  app.get('/', { sse: 'dual' }, async (request, reply) => {
    request.principal = principal
    await open(streams, request, reply)
    return reply
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const ask = () => {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    socket.write('GET / HTTP/1.1\r\nhost: x\r\naccept: text/event-stream\r\n\r\n')
    return socket
  }
  return { streams, ask, db, probe: probeOf(server) }
}

t.test('a client that disconnects before its stream begins gets no stream', async t => {
  let arrived = () => {}
  let ended = () => {}
  const { streams, ask } = await streamsOf(t, async (streams, request, reply) => {
    arrived()
    await once(reply.raw, 'close')
    await streams.open(request, reply, {}, undefined)
    ended()
  })
  const hasArrived = new Promise<void>(resolve => (arrived = resolve))
  const hasEnded = new Promise<void>(resolve => (ended = resolve))
  const socket = ask()
  await hasArrived
  socket.destroy()
  await hasEnded
  t.equal(streams.size, 0)
})

t.test('the stream of a client that disconnects without reading ends', async t => {
  let ended = () => {}
  const { streams, ask, probe } = await streamsOf(t, async (streams, request, reply) => {
    await streams.open(request, reply, {}, 0)
    ended()
  })
  const hasEnded = new Promise<void>(resolve => (ended = resolve))
  for (let n = 0; n < 30; n++) await probe.emit(Array.from({ length: 1_000 }, (_, i) => i))
  const socket = ask()
  await once(socket, 'readable')
  socket.destroy()
  await hasEnded
  t.equal(streams.size, 0)
})

t.test('a stream that is asked for while the server closes does not begin', async t => {
  const answered = Promise.withResolvers<unknown>()
  const { ask } = await streamsOf(t, async (streams, request, reply) => {
    const opening = streams.open(request, reply, {}, undefined)
    streams.close()
    await opening.catch(answered.resolve)
    reply.raw.end()
  })
  const socket = ask()
  t.match(await answered.promise, { statusCode: 503 })
  socket.destroy()
})

t.test('an event is sent although the horizon reached it while positions without events were read', async t => {
  let moved = () => {}
  const horizon = { decided: 0, assigned: 0, refresh: async () => {} }
  const follow = (listen: () => void) => {
    moved = listen
    return () => {}
  }
  const openFromHere = async (streams: EventStreams, request: FastifyRequest, reply: FastifyReply) =>
    streams.open(request, reply, { types: ['thing.happened'] }, undefined)
  const { ask, probe, db } = await streamsOf(t, openFromHere, { horizon, onMoved: follow })
  const newest = async () => lastPosition(db, Number.MAX_SAFE_INTEGER)
  horizon.decided = await newest()
  const socket = ask()
  const received = { text: '' }
  socket.on('data', data => (received.text += String(data)))
  await once(socket, 'data')
  await probe.emit([1], { roll: true }).catch(() => {})
  await probe.emit([2])
  const position = await newest()
  horizon.decided = position - 1
  moved()
  horizon.decided = position
  moved()
  while (!received.text.includes('"n":2')) await once(socket, 'data')
  t.notMatch(received.text, '"n":1')
  socket.destroy()
})
