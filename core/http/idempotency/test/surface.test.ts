import t from 'tap'
import { testServer } from '../../../../test/runner/harness.ts'

interface Schema {
  properties?: Record<string, Schema & { 'x-shown-once'?: string }>
  items?: Schema
}
interface Route {
  description?: string
  parameters?: Array<{ in: string; name: string }>
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

/** Names of fields that hold a secret. */
const SECRET = /token$|secret|password/i

t.test('the document has the header on the routes that write by POST or DELETE, and on no others', async t => {
  const server = await testServer()
  t.teardown(() => server.close())
  const { paths } = (await server.call('/openapi.json')).json<{ paths: Record<string, Record<string, Route>> }>()
  let heeding = 0
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { description, parameters = [], responses }] of Object.entries(methods)) {
      const writes = method !== 'get' && /Needs the scope `(?!read`)/.test(description ?? '')
      const heeds = parameters.some(parameter => parameter.in === 'header' && parameter.name === 'idempotency-key')
      t.equal(heeds, writes, `${method} ${path}`)
      if (!heeds) continue
      heeding++
      for (const [status, { content = {} }] of Object.entries(responses)) {
        if (!status.startsWith('2')) continue
        const fields = Object.values(content).flatMap(({ schema }) => fieldsOf(schema))
        for (const [name, field] of fields) {
          if (SECRET.test(name)) t.ok(field['x-shown-once'], `${method} ${path} does not keep ${name}`)
        }
      }
    }
  }
  t.ok(heeding > 30)
})

const fieldsOf = ({ properties = {}, items }: Schema): Array<[string, Schema & { 'x-shown-once'?: string }]> => [
  ...Object.entries(properties),
  ...Object.values(properties).flatMap(fieldsOf),
  ...(items ? fieldsOf(items) : [])
]
