import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client'
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import t from 'tap'
import { probedServer } from './probe.ts'

const probed = await probedServer({ rateLimit: 0 })
const { url, token } = probed

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {}
}
interface Answer {
  status: number
  headers: Headers
  text: string
  json: any // eslint-disable-line @typescript-eslint/no-explicit-any -- asserted field by field
}

async function post(body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers
    },
    body: typeof body === 'string' || body instanceof Uint8Array ? (body as string) : JSON.stringify(body)
  })
  const text = await response.text()
  let json
  try {
    json = JSON.parse(text)
  } catch {}
  return { status: response.status, headers: response.headers, text, json }
}
/** A request of the 2026-07-28 era. */
const modern = (method: string, params: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
  post(
    { jsonrpc: '2.0', id: 7, method, params: { ...params, _meta: META } },
    {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof params['name'] === 'string' && { 'mcp-name': params['name'] }),
      ...headers
    }
  )
const call = (name: string, args: object = {}, headers: Record<string, string> = {}) =>
  modern('tools/call', { name, arguments: args }, headers)
const as = (other: string) => ({ authorization: `Bearer ${other}` })

t.test('the SDK clients of both eras list and call the tools', async t => {
  const transport = { requestInit: { headers: as(token) } }
  const clients = {
    modern: new ModernClient({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } }),
    legacy: new LegacyClient({ name: 'test', version: '1' })
  }
  await clients.modern.connect(new ModernTransport(new URL(url), transport))
  await clients.legacy.connect(new LegacyTransport(new URL(url), transport) as Parameters<LegacyClient['connect']>[0])
  for (const client of [clients.modern, clients.legacy]) {
    t.equal(client.getInstructions(), 'Look first. Close it.', 'the rules, in the order of a working day')
    t.same(
      (await client.listTools()).tools.map(({ name }) => name),
      ['echo', 'who_am_i', 'open_team', 'fail']
    )
    const { structuredContent, content } = await client.callTool({ name: 'echo', arguments: { text: 'hello' } })
    t.same(structuredContent, { text: 'hello', kept: [{ zero: 0, no: false }] }, 'without nulls and empty lists')
    t.same(content, [{ type: 'text', text: JSON.stringify(structuredContent) }], 'and the same as text')
    await client.close()
  }
})

t.test('2026-07-28: plain JSON, no session, with its era’s fields', async t => {
  const discovered = await modern('server/discover')
  t.equal(discovered.status, 200)
  t.match(discovered.headers.get('content-type'), /^application\/json/)
  t.match(discovered.json.result, {
    resultType: 'complete',
    instructions: 'Look first. Close it.',
    ttlMs: Number,
    cacheScope: 'private'
  })
  t.match((await modern('tools/list')).json, {
    id: 7,
    result: {
      resultType: 'complete',
      ttlMs: Number,
      tools: [{ name: 'echo', annotations: { readOnlyHint: true } }]
    }
  })
})

t.test('2025: plain JSON, no session', async t => {
  const answer = await post({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
  })
  t.equal(answer.status, 200)
  t.match(answer.headers.get('content-type'), /^application\/json/)
  t.notOk(answer.headers.has('mcp-session-id'))
  t.match(answer.json.result, {
    protocolVersion: '2025-06-18',
    instructions: 'Look first. Close it.',
    capabilities: { tools: { listChanged: false } }
  })
  t.equal((await post({ jsonrpc: '2.0', method: 'notifications/initialized' })).status, 202)
  t.match(
    (await post({ jsonrpc: '2.0', id: 2, method: 'resources/list' })).json,
    { error: { code: -32601 } },
    'what is not offered may be asked for'
  )
  t.match((await post({ jsonrpc: '2.0', id: 3, method: 'ping' })).json, { id: 3, result: {} })
})

t.test('tools reach REST as the caller', async t => {
  const agent = (await probed.agent('agent read,write', ['read', 'write'])).token
  const { structuredContent } = (await call('who_am_i', {}, as(agent))).json.result
  t.match(structuredContent, { rest: { fullname: 'agent read,write', kind: 'AGENT' } })
  t.equal(structuredContent.me, structuredContent.rest.id)
  const answer = await call('open_team', { identifier: 'OPS' })
  t.match(answer.json.result, { structuredContent: { identifier: 'OPS' } })
  const again = (await call('open_team', { identifier: 'OPS' })).json.result
  t.equal(again.isError, true)
  t.match(again.content[0].text, /already/, 'an error of REST comes back with its message')
})

t.test('a token sees what it may call', async t => {
  const reader = as((await probed.agent('agent read', ['read'])).token)
  t.same(
    (await modern('tools/list', {}, reader)).json.result.tools.map((tool: { name: string }) => tool.name),
    ['echo', 'who_am_i', 'fail']
  )
  t.equal((await modern('server/discover', {}, reader)).json.result.instructions, 'Look first.')
  const refused = (await call('open_team', { identifier: 'X' }, reader)).json.result
  t.equal(refused.isError, true)
  t.match(refused.content[0].text, /'write'/, 'and learns which scope it lacks')
  t.equal(
    (await call('echo', { text: 'x' }, as((await probed.agent('agent write', ['write'])).token))).status,
    403,
    'without `read` there is nothing to see'
  )
})

t.test('a session is named by argument or header, and ignored unless valid', async t => {
  const session = async (args: object, header?: string) =>
    (await call('who_am_i', args, header === undefined ? {} : { 'x-tracker-session': header })).json.result
      .structuredContent.session
  t.equal(await session({}, 'from-header'), 'from-header')
  t.equal(await session({ session: 'from-argument' }, 'from-header'), 'from-argument')
  t.equal(await session({ session: 'with space' }, 'from-header'), 'from-header')
  t.equal(await session({ session: 'x'.repeat(200) }), 'x'.repeat(200))
  t.equal(await session({ session: 'x'.repeat(201) }), undefined)
  t.equal(await session({ session: 'é' }), undefined)
  t.equal(await session({}), undefined)
})

t.test('invalid arguments are answered with a sentence', async t => {
  const mistake = async (name: string, args: object) => {
    const { isError, content } = (await call(name, args)).json.result
    t.equal(isError, true)
    return content[0].text
  }
  t.equal(await mistake('echo', {}), 'arguments.text is missing.')
  t.equal(
    await mistake('echo', { text: 'x', txet: 1 }),
    'arguments.txet is not an argument of this tool. Its arguments are: text, nothing.'
  )
  t.equal(await mistake('echo', { text: { is: 3 } }), 'arguments.text must be string.')
  t.equal(await mistake('fail', { x: 1 }), 'arguments.x is not an argument of this tool: it takes none.')
  t.match(await mistake('echo', { text: '\0' }), /arguments\.text has a NUL character/)
  t.equal(
    await mistake('fail', {}),
    'Something went wrong inside the server; its log says what.',
    'nothing of the inside leaves'
  )
})

t.test('a call is answered as the protocol’s library answers it', async t => {
  const legacy = (params: object, headers: Record<string, string> = {}) =>
    post({ jsonrpc: '2.0', id: 'a', method: 'tools/call', params }, headers)
  // The key is for the library to judge, so the library handles the message.
  const odd = { 'io.modelcontextprotocol/unheard-of': true }
  const reader = as((await probed.agent('agent of two ways', ['read'])).token)
  for (const [name, args, headers] of [
    ['echo', { text: '</script> \u2028 "ü" 🦊' }, {}],
    ['echo', {}, {}],
    ['echo', { text: 'x', __proto__: null, constructor: 1 }, {}],
    ['who_am_i', { session: 's' }, {}],
    ['open_team', { identifier: 'X' }, reader],
    ['fail', {}, {}],
    ['nothing', {}, {}]
  ] as const) {
    const modernHeaders = {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': name,
      ...headers
    }
    const pairs = await Promise.all([
      Promise.all(
        [{}, odd].map(meta =>
          post(
            {
              jsonrpc: '2.0',
              id: 7,
              method: 'tools/call',
              params: { name, arguments: args, _meta: { ...META, progressToken: 1, ...meta } }
            },
            modernHeaders
          )
        )
      ),
      Promise.all(
        [{}, odd].map(meta =>
          legacy(
            { name, arguments: args, _meta: { progressToken: 'p', 'claudecode/toolUseId': 'x', ...meta } },
            headers
          )
        )
      )
    ])
    for (const [direct, library] of pairs) {
      t.same(direct?.json, library?.json, name)
      if (name !== 'nothing') t.not(direct?.text, library?.text, 'each wrote it, in its own order')
      t.equal(direct?.status, library?.status)
      t.equal(direct?.headers.get('content-type'), library?.headers.get('content-type'))
    }
  }
  t.equal(
    (await legacy({ name: 'echo', arguments: { text: 'x' } }, { accept: 'application/json' })).status,
    406,
    'who does not take both kinds of answers is told so'
  )
  t.equal(
    (await legacy({ name: 'echo', arguments: { text: 'x' } }, { 'mcp-protocol-version': '1999-01-01' })).status,
    400
  )
  t.equal((await legacy({ name: 'echo', arguments: [] })).json.error.code, -32602)
  t.equal((await legacy({ name: 'echo', _meta: { progressToken: [] } })).json.error.code, -32600)
})

t.test('what is wrong with a message has its own answer', async t => {
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: META } }
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' }
  const expect = (answer: Answer, status: number, code: number, what: string) => {
    t.equal(answer.status, status, what)
    t.equal(answer.json?.error?.code, code, what)
  }
  expect(await post('{"jsonrpc":'), 400, -32700, 'not JSON')
  expect(await post(Buffer.from([0x22, 0xff, 0x22])), 400, -32700, 'not UTF-8')
  expect(await post(''), 400, -32700, 'empty')
  expect(await post({ hello: 1 }, headers), 400, -32600, 'not JSON-RPC')
  expect(await post([list], headers), 400, -32600, 'a batch in the modern era')
  expect(await post(list, { 'mcp-protocol-version': '2026-07-28' }), 400, -32020, 'no Mcp-Method')
  expect(await post(list, { ...headers, 'mcp-method': 'tools/call' }), 400, -32020, 'another Mcp-Method')
  expect(await call('echo', { text: 'x' }, { 'mcp-name': 'who_am_i' }), 400, -32020, 'another Mcp-Name')
  expect(
    await post(
      { ...list, params: { _meta: { ...META, 'io.modelcontextprotocol/protocolVersion': '2031-01-01' } } },
      { ...headers, 'mcp-protocol-version': '2031-01-01' }
    ),
    400,
    -32022,
    'an unsupported version'
  )
  expect(await modern('tools/dance'), 404, -32601, 'an unknown method')
  const unknown = await call('drop_tables')
  expect(unknown, 200, -32602, 'an unknown tool')
  t.match(unknown.json.error.message, /the tools are: echo, who_am_i/)
  expect(await post(list, { ...headers, 'content-type': 'text/plain' }), 415, 415, 'another content type')
  expect(await post(list, { ...headers, 'content-type': 'nonsense' }), 415, 415, 'no content type at all')
  expect(
    await post(JSON.stringify({ ...list, pad: 'x'.repeat(4 * 1024 * 1024) }), headers),
    413,
    413,
    'more than 4 MiB'
  )
  expect(await post(list, { ...headers, origin: 'https://evil.example' }), 403, 403, 'a foreign Origin')
  t.equal((await post(list, { ...headers, origin: 'http://localhost:5173' })).status, 200, 'a page of this machine')
  t.equal(
    (
      await post(
        { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1, _meta: META } },
        { ...headers, 'mcp-method': 'notifications/cancelled' }
      )
    ).status,
    202,
    'a notification'
  )
  expect(
    await post(Array.from({ length: 17 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' }))),
    400,
    400,
    'a batch to get around the rate limit'
  )
})

t.test('nothing waits for an answer that never comes', async t => {
  const listen = await modern('subscriptions/listen', { notifications: { toolsListChanged: true } })
  t.equal(listen.status, 404, 'nothing changes that could be listened for')
  t.match(listen.json, { id: 7, error: { code: -32601 } })
  const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' })
  const cancelled = await post([
    ping(1),
    ping(2),
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }
  ])
  t.same(
    cancelled.json.map(({ id }: { id: number }) => id),
    [1, 2],
    'a batch that cancels one of its own requests'
  )
  const twins = await post([ping(1), ping(1)])
  t.equal(twins.status, 400)
  t.match(twins.json.error, { code: -32600, message: /same id/ }, 'requests whose answers could not be told apart')
  t.equal((await post([{ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }])).status, 202)
  t.equal((await post({ jsonrpc: '2.0', id: 1, result: {} })).status, 202, 'an answer to what nobody asked')
})

t.test('only POST, and only with a token', async t => {
  for (const method of ['GET', 'DELETE']) {
    const response = await fetch(url, { method, headers: as(token) })
    t.equal(response.status, 405)
    t.equal(response.headers.get('allow'), 'POST')
  }
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' })
  t.equal(response.status, 401)
  t.equal(response.headers.get('www-authenticate'), 'Bearer')
})

await t.test('the answer carries the caller’s request id', async t => {
  t.equal((await modern('tools/list', {}, { 'x-request-id': 'my-request' })).headers.get('x-request-id'), 'my-request')
})
await probed.close()
