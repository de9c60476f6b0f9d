import t from 'tap'
import { allStatements } from '../core/db/statements/statement.ts'
import { mcpTools } from '../plugins/mcp/contract.ts'
import { pathFinder } from './runner/answers.ts'
import { toolResult } from './runner/call-tool.ts'
import { examplesIn } from './guide-text.ts'
import { onPostgres, statementOf, testServer, type Call, type TestServer } from './runner/harness.ts'
import { requestStatements } from './request-statements.ts'
import { fillWith, readSamples, type Ids, type Make } from './samples.ts'
import { withConnection } from './runner/templates.ts'

const samples = await readSamples()
const { onStatement, isRecorded, record } = requestStatements()

/** Every statement with parameters, which a server may have prepared. */
const prepared = new Set<string>()

let server: TestServer
t.before(async () => {
  server = await testServer({
    onStatement: (sql, values) => {
      if (isRecorded() && values.length > 0 && /^\s*(?:with|select|insert|update|delete)\b/i.test(sql)) {
        prepared.add(sql)
      }
      onStatement(statementOf(sql, values))
    },
    settings: { jobs: false, plugins: { mcp: { rateLimit: 0 }, delegation: { runner: { command: ['true'] } } } }
  })
})
t.teardown(() => server.close())

/**
 * Statements of jobs, of the last use of a token, and of events: each change appends one. On Citus, also those that
 * take the position of an event, and that look up a workspace's worker.
 */
const BESIDE =
  /pgboss|last_used_at" = |from event_position|pg_notify|^\s*insert into event |nextval\('event_pos|pg_dist_/i

/** The sizes at which requests are counted. */
const FEW = 2
const MANY = 40

/** Maximum statements of a request. */
const MAX_STATEMENTS = 11
/** Routes of the core that no plugin's samples have. */
const OF_CORE = ['/v1/events', '/v1/plugins', '/health/ready', '/metrics']
/** Routes of the core without a query. */
const WITHOUT_QUERIES_OF_CORE = ['/health/live']

const allOf = <T>(lists: Array<Record<string, T> | undefined>): Record<string, T> => Object.assign({}, ...lists)
const moreStatements = allOf(samples.map(({ moreStatements }) => moreStatements))
const statementsPerItem = allOf(samples.map(({ statementsPerItem }) => statementsPerItem))
const notCounted = allOf(samples.map(({ notCounted }) => notCounted))
const withoutQueries = [...WITHOUT_QUERIES_OF_CORE, ...samples.flatMap(({ withoutQueries }) => withoutQueries ?? [])]

const countOf = (statements: string[]): number => statements.filter(sql => !BESIDE.test(sql)).length

async function count(path: string, call?: Call): Promise<{ statements: number; status: number }> {
  const { answer, statements } = await record(() => server.call(path, call))
  return { statements: countOf(statements), status: answer.statusCode }
}

t.test('a context and a list cost two round trips, whatever their size', async t => {
  const file = (body = {}) =>
    server.ok<{ key: string; id: string }>('/v1/issues', { body: { teamId: 'ENG', title: 'Big', ...body } })
  const { key } = await file({ subIssues: Array.from({ length: 100 }, (_, i) => ({ title: `sub ${i}` })) })
  const { version } = await server.ok<{ version: string }>(`/v1/issues/${key}/context`)
  const small = await count(`/v1/issues/${key}/context`)
  t.match(small, { statements: 2, status: 200 })
  for (let i = 0; i < 60; i++) {
    await server.ok(`/v1/issue_comments?issueId=${key}`, { body: { bodyMarkdown: `comment ${i}` } })
    await server.ok(`/v1/issues/${key}`, { body: { priority: i % 5, estimate: i } })
  }
  t.match(await count(`/v1/issues/${key}/context`), { statements: 2, status: 200 })
  t.match(await count(`/v1/issues/${key}/context?since=${version}`), { statements: 2, status: 200 })
  t.match(await count(`/v1/issues/${key}`), { statements: 2, status: 200 })
  for (const body of [
    { view: 'list' },
    { view: 'full', perPage: 200 },
    { page: 2, perPage: 10 },
    { filters: { isReady: true }, perPage: 5 },
    {}
  ]) {
    t.match(await count('/v1/issues/filter', { body }), { statements: 2, status: 200 }, JSON.stringify(body))
  }
})

t.test('no request asks more the more there is', async t => {
  const { paths } = await server.ok<{ paths: Record<string, object> }>('/openapi.json')
  const findPath = pathFinder(paths)
  let fills = 0
  async function measure(size: number): Promise<Array<[route: string, statements: number]>> {
    let ids: Ids = {}
    const make: Make = (path, body) => server.ok(path, { body })
    for (let n = 0; n < size / 4; n++) {
      fills++
      ids = await fillWith(samples, make, `sample${fills}`, fills, ids)
    }
    const issue = await make('/v1/issues', {
      teamId: 'ENG',
      title: 'x',
      descriptionMarkdown: Array.from({ length: size }, (_, i) => `- [ ] item ${i}`).join('\n')
    })
    const counts: Array<[string, number]> = []
    const add = async (path: string, call: Call) => {
      const { statements, status } = await count(path, call)
      t.ok(status < 300, `${path} ${status}`)
      counts.push([`${call.method ?? (call.body === undefined ? 'GET' : 'POST')} ${findPath(path)}`, statements])
    }
    for (const { requests } of samples) {
      for (const [path, call] of (await requests?.(issue, size, server, ids)) ?? []) await add(path, call)
    }
    for (const path of OF_CORE) await add(path, {})
    return counts
  }
  await measure(FEW)
  const [few, many] = [await measure(FEW), await measure(MANY)]
  const growth = ([route, n]: [string, number]) => [route, n - (statementsPerItem[route] ?? 0) * (MANY - FEW)]
  t.strictSame(many.map(growth), few)
  for (const [route, n] of few) t.ok(n <= MAX_STATEMENTS + (moreStatements[route] ?? 0), `${route}: ${n}`)

  for (const path of withoutQueries) t.match(await count(path), { statements: 0, status: 200 }, path)
  const counted = [
    ...few.map(([route]) => route),
    ...withoutQueries.map(path => `GET ${findPath(path)}`),
    ...Object.keys(notCounted)
  ]
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map(method => `${method.toUpperCase()} ${path}`)
  )
  t.strictSame(
    all.filter(route => !counted.includes(route)),
    [],
    'every route is in the samples of its plugin'
  )
})

t.test('a tool asks the database as much as one request may, however much there is', async t => {
  const calls = await exampleCalls()
  async function measure(size: number): Promise<Array<[tool: string, statements: number]>> {
    const board = await server.board()
    for (const { board: prepare } of samples) await prepare?.(board)
    for (let n = 0; n < size; n++) await addToEach(board, n)
    const counts: Array<[string, number]> = []
    for (const { tool, args } of calls) {
      const { answer, statements } = await record(() => toolResult(board, tool, args))
      t.notOk(answer.isError, `${tool} ${JSON.stringify(args)}`)
      counts.push([tool, countOf(statements)])
    }
    return counts
  }
  await measure(0)
  const [few, many] = [await measure(0), await measure(10)]
  t.strictSame(many, few)
  for (const [tool, n] of few) t.ok(n <= MAX_STATEMENTS + (moreStatements[tool] ?? 0), `${tool}: ${n}`)
})

t.test(
  'a migration that adds columns breaks no statement that a server of the version before has prepared',
  { skip: !onPostgres && 'one server uses an embedded database' },
  async t => {
    const broken = await withConnection(server.databaseUrl!, async client => {
      await client.query('begin')
      const nulls = new Map<string, string>()
      for (const [n, sql] of [...prepared].entries()) {
        await client.query(`prepare statement_${n} as ${sql}`)
        const { rows } = await client.query<{ parameters: number }>(
          'select cardinality(parameter_types) as parameters from pg_prepared_statements where name = $1',
          [`statement_${n}`]
        )
        nulls.set(`statement_${n}`, Array(rows[0]!.parameters).fill('null').join(', '))
        await client.query(`explain execute statement_${n}(${nulls.get(`statement_${n}`)})`)
      }
      const { rows: tables } = await client.query<{ name: string }>(
        `select tablename as name from pg_tables where schemaname = 'public'`
      )
      for (const { name } of tables) await client.query(`alter table "${name}" add column of_the_next_version text`)
      const failed: string[] = []
      for (const [n, sql] of [...prepared].entries()) {
        await client.query('savepoint before')
        const explained = client.query(`explain execute statement_${n}(${nulls.get(`statement_${n}`)})`)
        await explained.catch((error: Error) => failed.push(`${error.message}: ${sql}`))
        await client.query('rollback to before')
      }
      await client.query('rollback')
      return failed
    })
    t.ok(prepared.size > 100)
    t.strictSame(broken, [])
  }
)

/** Calls of all tools: the examples of the guides, in order, then those of hooks, which no guide has. */
async function exampleCalls(): Promise<Array<{ tool: string; args: object }>> {
  const { skills } = await server.ok<{ skills: Array<{ url: string }> }>('/.well-known/agent-skills/')
  const guides = await Promise.all(skills.map(({ url }) => server.call(`/.well-known/agent-skills/${url}`)))
  const examples = guides.flatMap(({ body }) => examplesIn(body))
  const shown = new Set(examples.map(({ tool }) => tool))
  const others = server.contributions(mcpTools).filter(({ item: { name } }) => !shown.has(name))
  return [
    ...examples,
    ...others.map(({ item: { name } }) => ({ tool: name, args: { session_id: 'counted', harness: 'codex' } }))
  ]
}

/** Adds to each issue of a board, and to the lists of names, data that the tools read. */
async function addToEach(board: TestServer, n: number): Promise<void> {
  const { issues } = await board.ok<{ issues: Array<{ key: string }> }>('/v1/issues/filter', { body: { view: 'list' } })
  for (const { key } of issues) {
    await board.ok(`/v1/issue_comments?issueId=${key}`, { body: { bodyMarkdown: `comment ${n}` } })
    await board.ok(`/v1/issues/${key}/links`, { body: { url: `https://example.org/${n}`, title: 'x' } })
    await board.ok('/v1/knowledge', { body: { content: `Fact ${n} of ${key}`, issueId: key, force: true } })
  }
  await board.ok('/v1/labels', { body: { name: `Label ${n}` } })
  await board.ok('/v1/projects', { body: { name: `Project ${n}` } })
}

t.test('a statement that is sent as a short read neither writes nor locks', async t => {
  const server = await testServer()
  t.teardown(() => server.close())
  const all = [...allStatements().values()].flatMap(ofModule => [...ofModule])
  const isWrite = (sql: string) =>
    /\b(insert into|update|delete from|for (no key )?update|for (key )?share)\b/i.test(sql)
  const writes = all.filter(([, text]) => isWrite(text().sql))
  t.ok(writes.length > 3)
  t.strictSame(
    writes.filter(([, text]) => text().isRead).map(([name]) => name),
    []
  )
})
