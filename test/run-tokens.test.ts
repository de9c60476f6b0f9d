import { randomUUID } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import t from 'tap'
import { insertToken } from '../core/auth/accounts.ts'
import type { CoreTables } from '../core/api/database/types.ts'
import { confinementOf } from '../plugins/delegation/confinement.ts'
import type { DelegationTables } from '../plugins/delegation/contract.ts'
import { mcpAgent } from './mcp-client.ts'
import { testServer, type TestServer } from './runner/harness.ts'
import { readSamples, type BoundRequests } from './samples.ts'

/*
 * The rights of a run's token. Every route that requires a token is open to such tokens for a reason (`openToRuns` in
 * test/samples.ts of its plugin), serves them within their confinement (`boundToRuns`), or refuses them.
 */

const samples = await readSamples()
const open: Record<string, string> = Object.assign({}, ...samples.map(({ openToRuns }) => openToRuns))
const boundRoutes: Record<string, BoundRequests> = Object.assign({}, ...samples.map(({ boundToRuns }) => boundToRuns))

const withRuns = (db: Kysely<any>): Kysely<CoreTables & DelegationTables> => db // eslint-disable-line -- of any tables

const draft = (parentId?: string) => ({ teamId: 'ENG', title: 'A part', ...(parentId && { parentId }) })

let server: TestServer
let board: Awaited<ReturnType<typeof makeBoard>>
const runnerSettings = { runner: { command: ['true'] } }
t.before(async () => {
  // Without jobs the runs stay as they are.
  server = await testServer({
    settings: { jobs: false, plugins: { mcp: { rateLimit: 0 }, delegation: runnerSettings } }
  })
  board = await makeBoard(server)
})
t.teardown(async () => {
  server.app.server.closeAllConnections()
  await server.close()
})

let boards = 0
/**
 * A run on ENG-2, a child of ENG-1 and parent of ENG-5 and ENG-6, its token, ENG-3, which is related to ENG-6, and the
 * unrelated ENG-4.
 */
async function makeBoard(server: TestServer) {
  const { id: agentId, token: agentToken } = await server.agent(`Runner ${++boards}`, ['read', 'write', 'delete'])
  const issue = async (title: string, parentId?: string) =>
    (
      await server.ok<{ key: string }>('/v1/issues', {
        body: {
          teamId: 'ENG',
          title,
          descriptionMarkdown: 'What is wanted here is described well enough.\n\n- [ ] it holds',
          ...(parentId && { parentId })
        }
      })
    ).key
  const parent = await issue('Parent')
  const own = await issue('Own', parent)
  const related = await issue('Related')
  const foreign = await issue('Foreign')
  const create = async (path: string, body: object) =>
    (await server.ok<{ id: string }>(path, { token: agentToken, body })).id
  const [ownRun, foreignRun] = [
    await create('/v1/agent_runs', { issueId: own }),
    await create('/v1/agent_runs', { issueId: foreign })
  ]
  // After the run: an issue with open sub-issues is not ready for one.
  const sub = await issue('Sub', own)
  const deep = await issue('Deep', sub)
  await server.ok('/v1/issue_relations', { body: { issueId: deep, relatedIssueId: related, type: 'RELATED' } })
  const db = withRuns(server.database.db)
  const { workspaceId, issueId } = await db
    .selectFrom('agentRun')
    .select(['workspaceId', 'issueId'])
    .where('id', '=', ownRun)
    .executeTakeFirstOrThrow()
  const { token } = await db.transaction().execute(trx =>
    insertToken(trx, workspaceId, {
      accountId: agentId,
      name: 'Run',
      confinedTo: confinementOf({ id: ownRun, issueId })
    })
  )
  const issues = { parent, own, sub, deep, related, foreign }
  const names = { agent: agentId, ...issues }
  for (const { runRecords } of samples) Object.assign(names, await runRecords?.(server, agentToken, names))
  return { token, ...issues, names: { ...names, ownRun, foreignRun } }
}

t.test('every route is open to the token of a run for a reason, bound to its issue, or closed to it', async t => {
  const { paths } = (await server.call('/openapi.json')).json<{
    paths: Record<string, Record<string, { security?: unknown[]; description: string }>>
  }>()
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { security, description }]) =>
      security === undefined ? [] : [{ name: `${method.toUpperCase()} ${path}`, method, path, description }]
    )
  )
  t.ok(routes.length > 60)
  const known = [...Object.keys(open), ...Object.keys(boundRoutes)]
  t.strictSame(
    known.filter(name => !routes.some(route => route.name === name)),
    [],
    'the lists name routes that there are'
  )
  for (const { name, method, path, description } of routes) {
    const allowed = /With the token of a run: (.*)\.$/m.exec(description)?.[1] ?? ''
    if (open[name] !== undefined) {
      t.ok(allowed !== '' && allowed !== 'refused', `${name} says what it allows`)
      continue
    }
    if (boundRoutes[name] !== undefined) {
      t.not(allowed, 'refused', `${name} says what it allows`)
      continue
    }
    t.equal(allowed, 'refused', `${name} says that it refuses the tokens of runs`)
    const answer = await server.call(path.replace(/\{\w+\}/g, board.own), {
      token: board.token,
      method: method.toUpperCase() as 'GET'
    })
    t.equal(answer.statusCode, 403, name)
    const { code, message } = answer.json<{ code: string; message: string }>()
    t.match(code, /^(TOKEN_CONFINED|ADMIN_REQUIRED)$/, name)
    if (code === 'TOKEN_CONFINED') t.match(message, /^This token belongs to a run .* is outside of these\./, name)
  }
})

for (const [name, { outside, inside }] of Object.entries(boundRoutes)) {
  const method = name.split(' ')[0] as 'GET' | 'POST' | 'DELETE'
  t.test(`${name} serves the token of a run within its issue, and says why not beyond`, async t => {
    for (const { path, body } of outside(board.names)) {
      const answer = await server.call(path, { token: board.token, method, ...(body && { body }) })
      const what = `${path} ${JSON.stringify(body)}`
      t.match(answer.json(), { statusCode: 403, code: 'TOKEN_CONFINED', message: /This token belongs to a run/ }, what)
    }
    for (const { path, body } of inside(board.names)) {
      const answer = await server.call(path, { token: board.token, method, ...(body && { body }) })
      t.ok(answer.statusCode < 300, `${path} ${JSON.stringify(body)}: ${answer.body}`)
    }
  })
}

interface BodySchema {
  properties?: Record<string, object>
}
/** Each field of a body alone, with values outside of the run's issue. */
function escapes(
  { properties = {} }: BodySchema,
  { foreign, related }: { foreign: string; related: string }
): Array<{ field: string; value: unknown }> {
  const refs = [foreign, related]
  const values = [
    null,
    ...refs,
    ...refs.map(ref => [ref]),
    ...refs.flatMap(relatedIssueId => ['BLOCKS', 'BLOCKED'].map(type => ({ type, relatedIssueId }))),
    ...refs.flatMap(relatedIssueId => ['BLOCKS', 'BLOCKED'].map(type => [{ type, relatedIssueId }])),
    ...refs.map(ref => [{ title: 'A part', blockedByIds: [ref] }])
  ]
  return Object.keys(properties).flatMap(field => values.map(value => ({ field, value })))
}

interface Outside {
  relations: object[]
  subIssues: Array<{ key: string }>
  rev: number
  updatedAt: string
  version: string
}

t.test('no field of any route leads out of the issue of a run', { timeout: 120_000 }, async t => {
  const apart = await makeBoard(server)
  const { paths } = (await server.call('/openapi.json')).json<{
    paths: Record<
      string,
      Record<string, { requestBody?: { content: { 'application/json'?: { schema: BodySchema } } } }>
    >
  }>()
  /** The data that must not change: everything outside, the parents of the run's issues, and reads of its token. */
  const outside = async () => {
    const contexts = [apart.parent, apart.related, apart.foreign].map(key =>
      server.ok<Outside>(`/v1/issues/${key}/context`)
    )
    const tree = [apart.own, apart.sub, apart.deep].map(key =>
      server.ok<{ parent: { key: string } | null }>(`/v1/issues/${key}/context`)
    )
    return {
      contexts: (await Promise.all(contexts)).map(
        ({ relations, subIssues, rev: _, updatedAt: __, version: ___, ...rest }) => ({
          ...rest,
          subIssues: subIssues.map(({ key }) => key),
          blocked: relations.filter(one => 'type' in one && one.type === 'BLOCKED').length
        })
      ),
      parents: (await Promise.all(tree)).map(({ parent }) => parent?.key),
      foreign: (await server.call(`/v1/issues/${apart.foreign}`, { token: apart.token })).statusCode
    }
  }
  const before = await outside()
  let tried = 0
  for (const [name, { inside }] of Object.entries(boundRoutes)) {
    const [method, route] = name.split(' ') as [string, string]
    const schema = paths[route]?.[method.toLowerCase()]?.requestBody?.content['application/json']?.schema
    const [sent] = inside(apart.names)
    if (schema === undefined || sent === undefined) continue
    for (const { field, value } of escapes(schema, apart)) {
      await server.call(sent.path, { token: apart.token, body: { ...sent.body, [field]: value } })
      tried++
    }
    t.strictSame(await outside(), before, name)
  }
  t.ok(tried > 500, `${tried} requests`)
})

t.test('what the token of a run was refused has not happened', async t => {
  const { comments, priority } = await server.ok<{ comments: object[]; priority: number }>(
    `/v1/issues/${board.foreign}/context`
  )
  t.equal(priority, 0)
  t.match(comments, [{ bodyMarkdown: `On ${board.foreign}.` }])
})

t.test('a tool of a run is bound like the route that it uses', async t => {
  const agent = await mcpAgent(server, board.token)
  t.match(await agent.ok('get_task', { task: board.own }), { key: board.own })
  t.match(await agent.refused('get_task', { task: board.foreign }), /This token belongs to a run on ENG-2/)
  t.match(await agent.refused('add_note', { task: board.foreign, note: 'x' }), /changes ENG-2 and its sub-issues/)
  t.match(await agent.refused('update_task', { task: board.related, priority: 'high' }), /not ENG-3/)
  t.match(await agent.refused('delegate_task', { task: board.sub }), /plugins\.delegation\.maxDepth/)
  const part = { title: 'A part of it', description: 'What is left to do.', parent: board.own }
  t.match(await agent.ok('create_task', part), { key: String })
})

t.test('runs delegate sub-issues as deep as the deployer lets them', async t => {
  const server = await testServer({
    settings: { jobs: false, plugins: { delegation: { ...runnerSettings, maxDepth: 1 } } }
  })
  t.teardown(() => server.close())
  const board = await makeBoard(server)
  const delegate = (issueId: string, token: string) => server.call('/v1/agent_runs', { token, body: { issueId } })
  t.equal((await delegate(board.foreign, board.token)).json().code, 'TOKEN_CONFINED', 'not what is not its own')
  const { statusCode, body } = await delegate(board.deep, board.token)
  t.equal(statusCode, 201, body)
  const db = withRuns(server.database.db)
  const run = await db
    .selectFrom('agentRun')
    .selectAll()
    .where('id', '=', (JSON.parse(body) as { id: string }).id)
    .executeTakeFirstOrThrow()
  const tokenOfRun = async () =>
    (
      await db.transaction().execute(trx =>
        insertToken(trx, run.workspaceId, {
          accountId: run.agentId,
          name: 'Run below',
          confinedTo: confinementOf(run)
        })
      )
    ).token
  const { key } = await server.ok<{ key: string }>('/v1/issues', { body: draft(board.deep) })
  t.match((await delegate(key, await tokenOfRun())).json(), { statusCode: 403, message: /no deeper than 1/ })

  // Stored like by a server of the previous version, which may run beside this one.
  const token = await tokenOfRun()
  const { numAffectedRows } = await sql`update token set confined_to = confined_to - '{plugin,subjectId}'::text[]
    where confined_to ->> 'subjectId' = ${run.id}`.execute(db)
  t.ok(numAffectedRows)
  t.match((await delegate(key, token)).json(), { statusCode: 403, message: /no deeper than 1/ })
  t.match((await server.call(`/v1/issues/${board.foreign}`, { token })).json(), { message: /belongs to a run on ENG/ })
  t.match((await server.call('/v1/events', { token })).json(), { code: 'TOKEN_CONFINED', message: /is closed to it/ })
  t.equal((await server.call(`/v1/issues/${key}`, { token })).statusCode, 200)
})

t.test('a confined token without an issue has no access to issues', async t => {
  const { workspaceId, accountId } = await withRuns(server.database.db)
    .selectFrom('token')
    .select(['workspaceId', 'accountId'])
    .limit(1)
    .executeTakeFirstOrThrow()
  const { token } = await server.database.db.transaction().execute(trx =>
    insertToken(trx, workspaceId, {
      accountId,
      name: 'Other',
      confinedTo: { plugin: 'other', subjectId: randomUUID() }
    })
  )
  const answer = await server.call(`/v1/issues/${board.own}`, { token })
  t.match(answer.json(), { statusCode: 403, code: 'TOKEN_CONFINED', message: /not an issue/ })
})
