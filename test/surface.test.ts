import t from 'tap'
import { testServer } from './runner/harness.ts'

interface Route {
  summary?: string
  tags?: string[]
  description?: string
  requestBody?: object
  security?: unknown[]
  responses: Record<string, { content?: Record<string, { schema: object }> }>
}
const described = ({ responses }: Route, status: RegExp) =>
  Object.entries(responses).some(
    ([code, { content }]) =>
      status.test(code) && Object.values(content ?? {}).some(({ schema }) => Object.keys(schema).length > 0)
  )

/** Public routes for operators, whose answers are not JSON or depend on the enabled plugins. */
const FREE_FORM = ['/health/ready', '/metrics']
/** The MCP protocol describes its answers. */
const PROTOCOL = ['/v1/mcp']

t.test(
  'every route says in the document what it is for, what it answers and what it needs; and asks for a token',
  async t => {
    const server = await testServer()
    t.teardown(() => server.close())
    const { paths } = (await server.call('/openapi.json')).json<{ paths: Record<string, Record<string, Route>> }>()
    const routes = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, route]) => ({ path, method, route }))
    )
    t.ok(routes.length > 60)
    for (const { path, method, route } of routes) {
      const name = `${method} ${path}`
      t.ok(route.summary && route.tags?.length, `${name} has a summary and a tag`)
      if (!FREE_FORM.includes(path) && !PROTOCOL.includes(path)) {
        t.ok(described(route, /^2/), `${name} describes its answer`)
      }
      if (route.security === undefined) {
        t.match(route.description, /No token is needed\.$/, name)
        continue
      }
      t.match(
        route.description,
        /Needs the scope `(read|write|delete)`( and an administrator)?\.$/,
        `${name} says its scope`
      )
      if (!PROTOCOL.includes(path)) t.ok(described(route, /^4/), `${name} describes its errors`)
      const answer = await server.call(path.replace(/\{\w+\}/g, 'x'), {
        token: null,
        method: method.toUpperCase() as 'GET'
      })
      t.equal(answer.statusCode, 401, `${name} asks for a token`)
    }
  }
)

t.test('a route that takes no body refuses one, so that no field is dropped silently', async t => {
  const server = await testServer()
  t.teardown(() => server.close())
  const { paths } = (await server.call('/openapi.json')).json<{ paths: Record<string, Record<string, Route>> }>()
  // They parse bodies themselves: JSON-RPC, and the signed bytes of a delivery.
  const ownBodies = [...PROTOCOL, '/v1/git/github/{hookId}']
  const without = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody }]) =>
      method === 'get' || requestBody !== undefined || ownBodies.includes(path) ? [] : [{ path, method }]
    )
  )
  t.ok(without.length > 30)
  for (const { path, method } of without) {
    const url = path.replace(/\{\w+\}/g, 'x')
    const send = (body: unknown) => server.call(url, { method: method.toUpperCase() as 'POST', body: body as object })
    t.match(
      (await send({ zzz: 1 })).json(),
      { statusCode: 400, message: /^body\.zzz is not a field/ },
      `${method} ${path}`
    )
    t.match((await send([1])).json(), { statusCode: 400 }, `${method} ${path}`)
    t.not((await send({})).json<{ message?: string }>().message?.includes('takes no body'), true)
  }
})
