import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import t from 'tap'
import { testServer } from '../../../test/runner/harness.ts'
import { contract } from '../../api/contract.ts'
import { streamJson } from '../http-answers.ts'
import { definePlugin, dependsOn } from '../../api/plugin.ts'

/** One more than the concurrent reads of a token. */
const TOO_MANY = 5

t.test('a client that disconnects before a long answer begins takes no slot', async t => {
  let arrived = () => {}
  let release = () => {}
  let ended = 0
  const long = definePlugin(dependsOn(contract()('long')), {
    summary: 'Has a route whose answer is streamed.',
    routes(app) {
      app.get('/v1/long', { schema: { hide: true } }, async (request, reply) => {
        const isLeft = request.headers['x-leaves'] === 'yes'
        async function* pieces() {
          try {
            arrived()
            if (isLeft) await once(reply.raw, 'close')
            yield '["'
            yield 'x'.repeat(2 * 1024 * 1024)
            yield '"]'
          } finally {
            ended++
          }
        }
        try {
          return await streamJson(request, reply, pieces())
        } finally {
          release()
        }
      })
    }
  })
  const server = await testServer({ plugins: ['workspace'], also: { long: async () => ({ default: long }) } })
  t.teardown(() => server.close())
  await server.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.app.server.address() as AddressInfo

  for (let n = 0; n < TOO_MANY; n++) {
    const hasArrived = new Promise<void>(resolve => (arrived = resolve))
    const isGiven = new Promise<void>(resolve => (release = resolve))
    const socket = connect(port, '127.0.0.1')
    socket.write(`GET /v1/long HTTP/1.1\r\nhost: x\r\nx-leaves: yes\r\nauthorization: Bearer ${server.token}\r\n\r\n`)
    await hasArrived
    socket.destroy()
    await isGiven
  }
  t.equal(ended, TOO_MANY, 'and nothing is held for them')
  const answer = await fetch(`http://127.0.0.1:${port}/v1/long`, {
    headers: { authorization: `Bearer ${server.token}` }
  })
  t.equal(answer.status, 200)
  await answer.text()
})
