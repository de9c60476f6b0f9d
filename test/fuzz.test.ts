import fc from 'fast-check'
import { sql } from 'kysely'
import t from 'tap'
import { newToken } from '../core/auth/tokens.ts'
import { accepted, hostile, sabotaged, type JsonSchema, type Sources } from './from-schema.ts'
import { testServer, type TestServer } from './runner/harness.ts'
import { fillWith, readSamples, type Ids } from './samples.ts'
import { unboundedStatements } from './workspace-bounds.ts'
import { SEED } from './runner/seed.ts'

/** Requests per route. */
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 10)
/** Maximum requests with few fields to a route that has refused all others. */
const MAX_PLAIN_RUNS = 40
/** Stands in every text of the other workspace, and nowhere else. */
const SECRET = 'xyzzyforeignsecret'

interface Operation {
  parameters?: { in: 'path' | 'query' | 'header'; name: string; required?: boolean; schema: JsonSchema }[]
  requestBody?: { content: { 'application/json'?: { schema: JsonSchema } } }
  security?: unknown
  description?: string
}
interface Route {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  operation: Operation
}
type Answer = Awaited<ReturnType<TestServer['call']>>
interface Document {
  paths: Record<string, Record<string, Operation>>
  components?: { schemas?: Record<string, JsonSchema> }
}

const samples = await readSamples()

/** The number in the names of the latest records: large, so that random teams rarely have the same identifier. */
let seeded = 1_000_000
/** Fills a workspace with one of everything, each text ending in `mark`. */
async function seed(server: TestServer, token: string, workspace: string, mark: string): Promise<Ids> {
  return fillWith(samples, (path, body) => server.ok(path, { token, body }), mark, ++seeded, { workspace: [workspace] })
}

/** A workspace has at most 200 records of each, which a long run would reach. */
const LIMITED = ['/v1/webhooks', '/v1/git/hooks', '/v1/views']
async function removeLimited(server: TestServer): Promise<void> {
  for (const path of LIMITED) {
    for (const { id } of await server.ok<Array<{ id: string }>>(path)) {
      await server.ok(`${path}/${id}`, { method: 'DELETE' })
    }
  }
}

/** Starts each scheduled job once, so that its statements are seen at any time of the day. */
async function runSchedules({ jobs, database: { db } }: TestServer): Promise<void> {
  const { rows } = await sql<{ name: string }>`select name from pgboss.schedule`.execute(db)
  for (const { name } of rows) await jobs.enqueue(db, name, [{}])
}

async function tablesOfWorkspaces({ database: { db } }: TestServer): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'workspace_id' order by 1`.execute(db)
  return rows.map(({ name }) => name)
}

/** All rows that are not of `workspaceId`, as one text: it stays the same as long as nobody writes across. */
async function rowsOfOthers(server: TestServer, workspaceId: string): Promise<string> {
  const { db } = server.database
  const tables = await tablesOfWorkspaces(server)
  const contents = await Promise.all(
    tables.map(name =>
      sql<{ rows: string }>`
        select coalesce(string_agg(row, chr(10) order by row), '') as rows
        from (
          select (to_jsonb(t) - 'last_used_at')::text as row
          from ${sql.table(name)} t where workspace_id <> ${workspaceId}) rows`.execute(db)
    )
  )
  return contents.flatMap(({ rows }, n) => [tables[n]!, ...rows.map(row => row.rows)]).join('\n')
}

/** The kinds of the fields and path segments that have another name. */
const kinds: Record<string, string> = Object.assign({}, ...samples.map(({ kinds }) => kinds))

/** The kind of record that a field or path parameter names, if it is one that is known. */
function kindOf(name: string, path: string, records: Ids): string | undefined {
  const folder = /([^/{}]+)\/\{id\}/.exec(path)?.[1] ?? path.split('/').findLast(part => !/^$|\{/.test(part)) ?? ''
  const word = name === 'id' || name === 'ids' ? folder : name.replace(/Ids?$/, '')
  const kind = kinds[word] ?? word
  return kind in records ? kind : undefined
}

/** Ids and keys: mostly the right kind of this workspace, else of another kind, another workspace, or unknown. */
function references(path: string, own: Ids, foreign: Ids, document: Document): Sources {
  const all = fc.constantFrom(...Object.values(own).flat())
  const others = fc.constantFrom(...Object.values(foreign).flat())
  return {
    text(name) {
      if (name === 'description' || name === 'body') return documents
      if (!/(^id|Ids?)$/.test(name)) return undefined
      const kind = kindOf(name, path, own)
      return fc.oneof(
        { arbitrary: kind ? fc.constantFrom(...own[kind]!) : all, weight: 12 },
        { arbitrary: kind ? fc.constantFrom(...foreign[kind]!) : others, weight: 2 },
        { arbitrary: all, weight: 1 },
        { arbitrary: others, weight: 1 },
        { arbitrary: fc.constantFrom('me', '01890000-0000-7000-8000-000000000000'), weight: 1 }
      )
    },
    resolve: ref => document.components?.schemas?.[ref.split('/').pop() ?? ''] ?? {}
  }
}

const DOCUMENT = { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'raw' }] }] }
const documents = fc.constantFrom(DOCUMENT, JSON.stringify(DOCUMENT), null)

const texts = hostile
  .filter(value => typeof value !== 'object')
  .map(value => String(value).toWellFormed().slice(0, 300))

/** Requests to one route: a path with a query, and a body that is right, wrong somewhere, or no JSON. */
function requests({ path, operation }: Route, sources: Sources) {
  const { parameters = [], requestBody } = operation
  const named = (place: string) => parameters.filter(parameter => parameter.in === place)
  const value = (name: string, schema: JsonSchema) =>
    fc.oneof({ arbitrary: accepted(schema, sources, name), weight: 9 }, { arbitrary: texts, weight: 1 }).map(String)
  const pathValues = fc.record(Object.fromEntries(named('path').map(({ name, schema }) => [name, value(name, schema)])))
  const queried = named('query').filter(({ required }) => required || !sources.fewFields)
  const query = fc.record(Object.fromEntries(queried.map(({ name, schema }) => [name, value(name, schema)])), {
    requiredKeys: queried.filter(({ required }) => required).map(({ name }) => name)
  })
  const schema = requestBody?.content['application/json']?.schema
  const good = schema && accepted(schema, sources)
  const body =
    good === undefined
      ? fc.constant(undefined)
      : fc.oneof(
          { arbitrary: good.map(value => JSON.stringify(value)), weight: 5 },
          { arbitrary: sabotaged(good).map(value => JSON.stringify(value)), weight: 4 },
          {
            arbitrary: fc.constantFrom(
              undefined,
              '',
              'null',
              '[]',
              '"text"',
              '{',
              '{"a":1,"a":2}',
              '\u0000',
              '{"title":"\ud800"}',
              '['.repeat(100_000)
            ),
            weight: 1
          }
        )
  return fc.record({ pathValues, query, body }).map(({ pathValues, query, body }) => ({
    url:
      path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(pathValues[name]?.toWellFormed() ?? '')) +
      (Object.keys(query).length > 0 ? `?${new URLSearchParams(query)}` : ''),
    body
  }))
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
/** Signs of internals of the server in an answer. */
const INSIDE = /node_modules|\.ts:\d+|\bat \w+ \(|violates|syntax error at|select .* from |insert into /i

const SCOPES: Record<string, string[]> = { reader: ['read'], writer: ['read', 'write'] }

/** The problem with an answer, to any account and any request. */
function problemOf({ statusCode, headers, body }: Answer, { operation }: Route, as: string): string | undefined {
  if (statusCode >= 500) return 'failed'
  if (headers['x-request-id'] === undefined) return 'no request id'
  if (statusCode >= 400) {
    const { jsonrpc, error, ...rest } = JSON.parse(body) as {
      jsonrpc?: string
      error?: { message?: string }
      statusCode?: number
      code?: string
      message?: string
    }
    const message = jsonrpc === undefined ? rest.message : error?.message // MCP has an error shape of its own
    if (!message || (jsonrpc === undefined && (rest.statusCode !== statusCode || !rest.code))) {
      return 'not the shape of an error'
    }
    if (INSIDE.test(message)) return 'shows the inside'
  }
  if (operation.security === undefined) return undefined
  if ((as === 'nobody' || as === 'stranger') && statusCode !== 401) return 'let in without a token'
  const needed = /scope `(\w+)`/.exec(operation.description ?? '')?.[1] ?? 'none'
  return SCOPES[as] && !SCOPES[as].includes(needed) && statusCode !== 403
    ? `let in without the scope ${needed}`
    : undefined
}

/** Moves what a route restores to the trash. */
async function removeFor({ path }: Route, server: TestServer, own: Ids): Promise<void> {
  const [, record, parameter] = /^(.*\{(\w+)\})\/restore$/.exec(path) ?? []
  if (record === undefined || parameter === undefined) return
  for (const id of own[kindOf(parameter, path, own) ?? ''] ?? []) {
    await server.call(record.replace(`{${parameter}}`, id), { method: 'DELETE' })
  }
}

/** The statements of the server, and the tables with a `workspace_id`. */
const statements = new Set<string>()
let workspaceTables: ReadonlySet<string>

t.test('every route, any input, anybody: no 5xx, nothing of another workspace, nothing of the inside', async t => {
  // Every refill registers a client.
  const settings = { plugins: { oauth: { registrationsPerHour: 100_000 } } }
  const server = await testServer({ onStatement: text => statements.add(text), settings })
  t.teardown(() => server.close())
  const { workspace } = await server.ok<{ workspace: { id: string } }>('/v1/users/me')
  const other = await server.otherWorkspace()
  const foreign = await seed(server, other.token, other.id, SECRET)
  const foreignIds = new Set(
    Object.values(foreign)
      .flat()
      .filter(id => id.length === 36)
  )

  const tokens = {
    admin: server.token,
    member: (
      await server.ok<{ token: string }>('/v1/users', {
        body: { email: 'member@example.com', fullname: 'Member', role: 'MEMBER' }
      })
    ).token,
    reader: (await server.agent('Reader', ['read'])).token,
    writer: (await server.agent('Writer', ['read', 'write'])).token,
    deleter: (await server.agent('Deleter', ['read', 'write', 'delete'])).token,
    stranger: newToken(),
    nobody: null
  }
  const leak = (text: string, request: string) =>
    text.includes(SECRET)
      ? 'a text of the other workspace'
      : text.match(UUID)?.find(id => foreignIds.has(id) && !request.includes(id))
  workspaceTables = new Set(await tablesOfWorkspaces(server))
  await server.idle()
  const before = await rowsOfOthers(server, workspace.id)
  t.match(before, SECRET)

  const document = (await server.app.inject('/openapi.json')).json<Document>()
  const isReading = ({ method }: Route) => method === 'GET'
  const routes = Object.entries(document.paths)
    .flatMap(([path, operations]) =>
      Object.entries(operations).map(
        ([method, operation]) => ({ path, method: method.toUpperCase(), operation }) as Route
      )
    )
    // Routes that read come last: they also find what the others have written.
    .toSorted((a, b) => Number(isReading(a)) - Number(isReading(b)))
  t.ok(routes.length > 40, 'the routes are there')

  const answered = new Set<Route>()
  const refusals = new Map<Route, string[]>()
  let lastSeed: Ids | undefined
  for (const route of routes) {
    if (lastSeed === undefined) await removeLimited(server)
    const own = lastSeed ?? (await seed(server, server.token, workspace.id, 'own'))
    // A route that writes may have removed some of them.
    lastSeed = isReading(route) ? own : undefined
    await removeFor(route, server, own)
    const role = fc.constantFrom<keyof typeof tokens>(
      'admin',
      'admin',
      'admin',
      'member',
      'member',
      'reader',
      'writer',
      'deleter',
      'deleter',
      'stranger',
      'nobody'
    )
    const problems: object[] = []
    const sources = references(route.path, own, foreign, document)
    const sampleOf = (from: Sources, as: typeof role, numRuns: number) =>
      fc.sample(fc.tuple(requests(route, from), as), { numRuns, seed: SEED })
    const any = sampleOf(sources, role, RUNS)
    const plain = sampleOf({ ...sources, fewFields: true }, fc.constant('admin'), MAX_PLAIN_RUNS)
    for (const [n, [{ url, body }, as]] of [...any, ...plain].entries()) {
      if (n >= any.length && answered.has(route)) break
      const answer = await server.call(url, { method: route.method, token: tokens[as], body })
      if (answer.statusCode < 300) answered.add(route)
      else refusals.set(route, [...(refusals.get(route) ?? []), answer.body.slice(0, 200)])
      const problem = problemOf(answer, route, as) ?? leak(answer.body, url + body)
      if (problem !== undefined) {
        problems.push({
          problem,
          as,
          url: url.slice(0, 200),
          body: body?.slice(0, 400),
          answer: `${answer.statusCode} ${answer.body.slice(0, 400)}`
        })
      }
    }
    t.strictSame(problems.slice(0, 2), [], `${route.method} ${route.path}`)
  }

  t.comment(`FUZZ_SEED=${SEED} FUZZ_RUNS=${RUNS}`)
  t.ok(
    answered.size > routes.length * 0.8,
    `the input gets through: ${answered.size} of ${routes.length} routes gave a 2xx answer`,
    {
      refused: routes
        .filter(route => !answered.has(route))
        .map(route => [`${route.method} ${route.path}`, ...(refusals.get(route) ?? [])])
    }
  )
  await runSchedules(server)
  await server.idle()
  t.equal(await rowsOfOthers(server, workspace.id), before, 'the other workspace is untouched')
  t.equal((await server.app.inject('/health/ready')).statusCode, 200)
})

t.test('every query of a statement says which workspace it reads', async t => {
  t.ok(statements.size > 300)
  const ofServer = [...statements].filter(text => !text.includes('to_jsonb(t)')) // of `rowsOfOthers`
  t.strictSame(await unboundedStatements(ofServer, workspaceTables), [])
})
