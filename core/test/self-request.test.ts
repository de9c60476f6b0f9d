import { Readable } from 'node:stream'
import Fastify from 'fastify'
import t from 'tap'
import { injectRequest, type SelfRequest } from '../self-request.ts'

const app = Fastify()
t.after(() => app.close())
const finished: string[] = []
app.addHook('onRequest', async (request, reply) => {
  if (request.headers['x-refuse']) return reply.code(403).send({ refused: request.headers['x-refuse'] })
})
app.addHook('onResponse', async request => {
  finished.push(request.url)
})
app.get('/echo/:name', async ({ params, query, headers }) => ({ params, query, authorization: headers.authorization }))
app.post('/echo', { schema: { body: { type: 'object', required: ['text'] } } }, async ({ body, headers }) => ({
  body,
  length: headers['content-length']
}))
app.post('/none', async (_request, reply) => reply.code(204).send())
app.delete('/echo', async () => ({ deleted: true }))
app.get('/late', async () => {
  await new Promise(resolve => {
    setTimeout(resolve, 5)
  })
  return 'late'
})
app.get('/bytes', async (_request, reply) => reply.send(Buffer.from('ü')))
app.get('/stream', async (_request, reply) =>
  reply.send(Readable.from(['[1,', Buffer.from('"🦊').subarray(0, 3), Buffer.from('"🦊').subarray(3), '"]']))
)
app.get('/broken', async (_request, reply) =>
  reply.send(
    Readable.from(
      (async function* () {
        yield 'begun'
        throw new Error('no more')
      })()
    )
  )
)
app.get('/fails', async () => {
  throw new Error('inside')
})
await app.ready()

const requests: SelfRequest[] = [
  { method: 'GET', path: '/echo/J%C3%BCrgen?a=1&a=2', headers: { authorization: 'Bearer x' } },
  { method: 'GET', path: '/echo/x', headers: { 'x-refuse': 'so' } },
  { method: 'POST', path: '/echo', headers: {}, body: { text: 'ü🦊', long: 'x'.repeat(1_000_000) } },
  { method: 'POST', path: '/echo', headers: {}, body: { other: 1 } },
  { method: 'POST', path: '/echo', headers: {} },
  { method: 'POST', path: '/none', headers: {} },
  { method: 'DELETE', path: '/echo', headers: {} },
  { method: 'GET', path: '/late', headers: {} },
  { method: 'GET', path: '/bytes', headers: {} },
  { method: 'GET', path: '/stream', headers: {} },
  { method: 'GET', path: '/fails', headers: {} },
  { method: 'GET', path: '/nowhere', headers: {} },
  { method: 'GET', path: '/%', headers: {} }
]

t.test('the server answers itself as it answers anybody', async t => {
  for (const request of requests) {
    const { method, path, headers, body } = request
    const outside = await app.inject({ method, url: path, headers, ...(body && { payload: body }) })
    const inside = await injectRequest(app, request)
    t.same([inside.statusCode, inside.body], [outside.statusCode, outside.body], `${method} ${path}`)
  }
  t.same((await injectRequest(app, requests[9]!)).json(), [1, '🦊'])
})

t.test('what follows an answer follows this one, too', async t => {
  finished.length = 0
  await injectRequest(app, { method: 'GET', path: '/late', headers: {} })
  await injectRequest(app, { method: 'GET', path: '/stream', headers: {} })
  await new Promise(resolve => {
    setImmediate(resolve)
  })
  t.same(finished, ['/late', '/stream'], 'the hooks that count and log')
})

t.test('an answer that breaks off is an error', async t => {
  await t.rejects(injectRequest(app, { method: 'GET', path: '/broken', headers: {} }))
})

t.test('many at once', async t => {
  const answers = await Promise.all(
    Array.from({ length: 500 }, (_, n) => injectRequest(app, { method: 'GET', path: `/echo/${n}`, headers: {} }))
  )
  t.same(
    answers.map(answer => answer.json<{ params: { name: string } }>().params.name),
    Array.from({ length: 500 }, (_, n) => String(n))
  )
})
