import { Type } from 'typebox'
import t from 'tap'
import { contract } from '../core/api/contract.ts'
import { sendJson } from '../core/http/http-answers.ts'
import { definePlugin, dependsOn } from '../core/api/plugin.ts'
import { answers, Closed } from '../core/api/schemas.ts'
import { testServer, type TestServer } from './runner/harness.ts'

/** A route that sends its query's JSON, unchecked. */
const untrue = definePlugin(dependsOn(contract()('untrue')), {
  summary: 'Answers what its schema does not promise',
  routes: app => {
    app.get<{ Querystring: { json: string; status: number } }>(
      '/v1/untrue',
      {
        config: { public: true },
        schema: {
          summary: 'Sends JSON',
          querystring: Closed({ json: Type.String(), status: Type.Integer({ default: 200 }) }),
          response: answers(200, Closed({ name: Type.String() }))
        }
      },
      (request, reply) => sendJson(reply.code(request.query.status), request.query.json)
    )
  }
})

let server: TestServer
t.before(async () => {
  server = await testServer({ plugins: [], also: { untrue: async () => ({ default: untrue }) } })
})
t.teardown(() => server.close())

const send = (json: object, status = 200) =>
  server.call(`/v1/untrue?${new URLSearchParams({ json: JSON.stringify(json), status: String(status) })}`)

t.test('an answer that is as the OpenAPI document says passes', async t => {
  t.strictSame((await send({ name: 'Ada' })).json(), { name: 'Ada' })
})

for (const [what, json, status] of [
  ['without a field that is promised', {}, 200],
  ['with a field that is not promised', { name: 'Ada', age: 36 }, 200],
  ['with a value of another type', { name: 36 }, 200],
  ['of a status that is not described', { name: 'Ada' }, 201],
  ['of an error in another shape', { problem: 'none' }, 400]
] as const) {
  t.test(`an answer ${what} fails the test that asked`, async t => {
    await t.rejects(send(json, status), /OpenAPI has otherwise/)
  })
}
