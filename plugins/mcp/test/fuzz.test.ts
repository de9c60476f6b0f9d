import { setImmediate, setTimeout } from 'node:timers/promises'
import fc from 'fast-check'
import t from 'tap'
import { accepted, hostile, sabotaged, type JsonSchema, type Sources } from '../../../test/from-schema.ts'
import { testServer } from '../../../test/runner/harness.ts'
import { SEED } from '../../../test/runner/seed.ts'

/** Number of messages. */
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 500)
/** Milliseconds after which an answer counts as missing. */
const NEVER = 30_000

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {}
}
const METHODS = [
  'tools/list',
  'ping',
  'initialize',
  'server/discover',
  'subscriptions/listen',
  'resources/list',
  'prompts/get',
  'completion/complete',
  'logging/setLevel',
  'tasks/get',
  'tasks/cancel',
  'sampling/createMessage',
  'roots/list',
  'notifications/initialized',
  'toString',
  '__proto__',
  ''
]

interface Listed {
  name: string
  inputSchema: JsonSchema
}
interface Answer {
  jsonrpc?: unknown
  id?: unknown
  result?: { content?: Array<{ text: string }> }
  error?: { code?: unknown; message?: unknown }
}
interface Post {
  body: string
  headers: Record<string, string>
}

/** Names for arguments, existing or not. */
const names: Sources = {
  text: name =>
    /^(task|parent|blockedBy)$/.test(name)
      ? fc.constantFrom('ENG-1', 'eng-2', 'ENG-99', 'nothing')
      : /^(team|state|labels|addLabels|removeLabels|assignee|project|cursor)$/.test(name)
        ? fc.constantFrom('ENG', 'todo', 'Done', 'bug', 'Featur', 'me', 'none', 'Stability', '')
        : undefined,
  resolve: () => ({})
}

/** Valid requests, notifications and answers. */
function messages(tools: readonly Listed[]): fc.Arbitrary<object> {
  const id = fc.constantFrom(1, 2, '1', 'a', 0, -1)
  const jsonrpc = fc.constant('2.0')
  const call = fc.constantFrom(...tools).chain(({ name, inputSchema }) => {
    const good = accepted(inputSchema, names)
    return fc.record({
      name: fc.constant(name),
      arguments: fc.oneof({ arbitrary: good, weight: 3 }, { arbitrary: sabotaged(good), weight: 2 })
    })
  })
  const anything = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'x', version: '1' },
    notifications: { toolsListChanged: true },
    level: 'info'
  }
  return fc.oneof(
    { arbitrary: fc.record({ jsonrpc, id, method: fc.constant('tools/call'), params: call }), weight: 6 },
    {
      arbitrary: fc.record({ jsonrpc, id, method: fc.constantFrom(...METHODS), params: fc.constantFrom({}, anything) }),
      weight: 4
    },
    {
      arbitrary: fc.record({
        jsonrpc,
        method: fc.constantFrom('notifications/cancelled', 'notifications/progress', ...METHODS),
        params: id.map(requestId => ({ requestId, progressToken: requestId }))
      }),
      weight: 2
    },
    { arbitrary: fc.record({ jsonrpc, id, result: fc.constant({}) }), weight: 1 },
    { arbitrary: fc.record({ jsonrpc, id, error: fc.constant({ code: 1, message: 'x' }) }), weight: 1 }
  )
}

/** A POST as a client of either era sends it, often with something wrong in its body or its headers. */
function posts(tools: readonly Listed[]): fc.Arbitrary<Post> {
  const message = messages(tools)
  const body = fc.oneof(
    { arbitrary: message, weight: 8 },
    { arbitrary: sabotaged(message), weight: 3 },
    { arbitrary: fc.array(message, { maxLength: 17 }), weight: 3 },
    { arbitrary: sabotaged(fc.array(message, { maxLength: 5 })), weight: 1 },
    {
      arbitrary: fc.oneof(
        hostile,
        fc.constantFrom(
          '',
          '{',
          '"\ud800"',
          '[1,2',
          '['.repeat(100_000),
          '{"jsonrpc":"2.0","id":1,"method":"ping"}{}',
          '{"jsonrpc":"2.0","id":1e400,"method":"ping"}'
        )
      ),
      weight: 1
    }
  )
  const lies = fc.constantFrom(
    { 'mcp-protocol-version': '2031-01-01' },
    { 'mcp-protocol-version': '2026-07-28' },
    { 'mcp-method': 'ping' },
    { 'mcp-name': '\u00e9' },
    { accept: '*/*' },
    { 'content-type': 'nonsense' },
    { 'content-type': 'text/plain' }
  )
  return fc
    .record({
      body,
      era: fc.constantFrom('2026-07-28', '2025-06-18', undefined),
      lies: fc.oneof({ arbitrary: fc.constant({}), weight: 5 }, { arbitrary: lies, weight: 1 })
    })
    .map(({ body, era, lies }) => ({
      headers: { ...headersOf(body, era), ...lies },
      body: typeof body === 'string' ? body : JSON.stringify(era === '2026-07-28' ? enveloped(body) : body)
    }))
}
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const enveloped = (body: unknown) =>
  isObject(body) && isObject(body['params']) ? { ...body, params: { ...body['params'], _meta: META } } : body
function headersOf(body: unknown, era: string | undefined): Record<string, string> {
  const printable = (value: unknown): value is string => typeof value === 'string' && /^[\x21-\x7e]{1,99}$/.test(value)
  const { method, params } = isObject(body) ? body : {}
  const name = isObject(params) ? params['name'] : undefined
  return {
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    ...(era && { 'mcp-protocol-version': era }),
    ...(era === '2026-07-28' && printable(method) && { 'mcp-method': method }),
    ...(era === '2026-07-28' && printable(name) && { 'mcp-name': name })
  }
}

/** Signs of leaked internals. */
const INSIDE =
  /node_modules|\.ts:\d+|\bat \w+ \(|violates|syntax error at|select .* from |insert into |inside the server/i
const STATUSES = [200, 202, 400, 404, 406, 413, 415]

function problemOf(sent: string, { statusCode, body }: { statusCode: number; body: string }): string | undefined {
  if (!STATUSES.includes(statusCode)) return 'an odd status'
  if (statusCode === 202) return body === '' ? undefined : 'text after "accepted"'
  if (INSIDE.test(body) && !INSIDE.test(sent)) return 'shows the inside'
  const answers = [JSON.parse(body) as Answer | Answer[]].flat()
  for (const { jsonrpc, id, result, error } of answers) {
    if (jsonrpc !== '2.0' || id === undefined) return 'no JSON-RPC'
    if ((result === undefined) === (error === undefined)) return 'neither a result nor an error, or both'
    if (error && (!Number.isSafeInteger(error.code) || typeof error.message !== 'string')) {
      return 'an error without code or message'
    }
  }
  if (statusCode !== 200) return undefined
  const ids = [JSON.parse(sent) as unknown]
    .flat()
    .flatMap(message => (isObject(message) && 'method' in message && 'id' in message ? [message['id']] : []))
  const inOrder = (ids: unknown[]) => JSON.stringify(ids.map(id => JSON.stringify(id)).sort())
  return inOrder(ids) === inOrder(answers.map(({ id }) => id)) ? undefined : 'not one answer for each request'
}

t.test(
  'whatever is sent, each message gets its answer: the right shape, nothing of the inside, and always one',
  async t => {
    const server = await testServer({ settings: { plugins: { mcp: { rateLimit: 0 } } } })
    t.after(() => server.close())
    await server.ok('/v1/projects', { body: { name: 'Stability' } })
    for (const title of ['One', 'Two']) {
      await server.ok('/v1/issues', {
        body: { teamId: 'ENG', title, descriptionMarkdown: 'It is long enough to be one.\n\n- [ ] done' }
      })
    }
    const post = ({ body, headers }: Post) => server.call('/v1/mcp', { body, headers })
    const {
      result: { tools }
    } = (
      await post({ body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}', headers: headersOf(undefined, undefined) })
    ).json<{ result: { tools: Listed[] } }>()

    const statuses = new Map<number, number>()
    await fc.assert(
      fc.asyncProperty(posts(tools), async sent => {
        await setImmediate() // the server's own timers want their turn
        const answer = await Promise.race([post(sent), setTimeout(NEVER, undefined, { ref: false })])
        if (answer === undefined) throw new Error('no answer')
        statuses.set(answer.statusCode, (statuses.get(answer.statusCode) ?? 0) + 1)
        const problem = problemOf(sent.body, answer)
        if (problem !== undefined) throw new Error(`${problem}: ${answer.statusCode} ${answer.body.slice(0, 1000)}`)
      }),
      { numRuns: RUNS, seed: SEED, endOnFailure: true }
    )
    t.comment(`FUZZ_SEED=${SEED} FUZZ_RUNS=${RUNS}`, Object.fromEntries(statuses))
    t.ok((statuses.get(200) ?? 0) > RUNS / 3, 'and much of it is right')
    t.equal((await server.call('/health/ready')).statusCode, 200)
  }
)
