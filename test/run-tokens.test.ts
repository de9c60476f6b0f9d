import { randomUUID } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import t from 'tap'
import { insertToken } from '../core/auth/accounts.ts'
import type { CoreTables } from '../core/api/database/types.ts'
import { confinementOf } from '../plugins/delegation/confinement.ts'
import type { DelegationTables } from '../plugins/delegation/contract.ts'
import { mcpAgent } from './mcp-client.ts'
import { testServer, type TestServer } from './runner/harness.ts'

/*
 * The rights of a run's token. Every route that requires a token is open to such tokens for a reason (OPEN), serves
 * them within their confinement (BOUND, with a request that leaves it and one that does not), or refuses them.
 */

const NAMES = 'issues and tools name them'
const OPEN: Record<string, string> = {
  'get /v1/users/me': NAMES,
  'get /v1/users': NAMES,
  'get /v1/workspace': NAMES,
  'get /v1/teams': NAMES,
  'get /v1/teams/{teamId}': NAMES,
  'get /v1/{teamId}/workflows': NAMES,
  'get /v1/labels': NAMES,
  'get /v1/labels/{id}': NAMES,
  'get /v1/projects': NAMES,
  'get /v1/projects/{id}': NAMES,
  'get /v1/cycles': NAMES,
  'get /v1/cycles/{id}': NAMES,
  'get /v1/search': 'how others were solved is needed for the work',
  'get /v1/search/similar_issues': 'how others were solved is needed for the work',
  'get /v1/knowledge': 'what was learnt elsewhere is needed for the work',
  'get /v1/knowledge/{id}': 'what was learnt elsewhere is needed for the work',
  'post /v1/mcp': 'each tool uses routes that check it'
}

const withRuns = (db: Kysely<any>): Kysely<CoreTables & DelegationTables> => db // eslint-disable-line -- of any tables

interface Sent {
  path: string
  body?: object
}
type Board = Awaited<ReturnType<typeof makeBoard>>
interface Bound {
  outside: (board: Board) => Sent[]
  inside: (board: Board) => Sent[]
}
const paths = (
  make: (ref: string) => string,
  refs: (board: Board) => Record<'outside' | 'inside', string[]>
): Bound => ({
  outside: board => refs(board).outside.map(ref => ({ path: make(ref) })),
  inside: board => refs(board).inside.map(ref => ({ path: make(ref) }))
})
const issues = (access: 'read' | 'write') => (board: Board) => ({
  outside: access === 'read' ? [board.foreign] : [board.foreign, board.parent, board.related],
  inside: access === 'read' ? [board.own, board.sub, board.deep, board.parent, board.related] : [board.own, board.deep]
})
const changes = (make: (ref: string) => string, body: (board: Board) => object): Bound => {
  const bound = paths(make, issues('write'))
  return {
    outside: board => bound.outside(board).map(sent => ({ ...sent, body: body(board) })),
    inside: board => bound.inside(board).map(sent => ({ ...sent, body: body(board) }))
  }
}
const draft = (parentId?: string) => ({ teamId: 'ENG', title: 'A part', ...(parentId && { parentId }) })
const relation = (issueId: string, relatedIssueId: string, type = 'RELATED') => ({ issueId, relatedIssueId, type })
const fact = (n: number, more: object = {}) => ({ content: `Fact number ${n} of the run.`, ...more })

const BOUND: Record<string, Bound> = {
  'get /v1/issues/{issueId}': paths(ref => `/v1/issues/${ref}`, issues('read')),
  'get /v1/issues/{issueId}/context': paths(ref => `/v1/issues/${ref}/context`, issues('read')),
  'post /v1/issues': {
    outside: ({ own, foreign, parent }) =>
      [
        draft(),
        draft(foreign),
        draft(parent),
        { ...draft(), parent: foreign },
        { ...draft(foreign), parent: own },
        { ...draft(), parentId: null, parent: own },
        { ...draft(own), blockedByIds: [foreign] },
        { ...draft(own), issueRelation: { type: 'BLOCKED', relatedIssueId: foreign } },
        { ...draft(own), subIssues: [{ title: 'A part of it', blockedByIds: [foreign] }] }
      ].map(body => ({ path: '/v1/issues', body })),
    inside: ({ own, deep }) =>
      [draft(own), draft(deep), { ...draft(), parent: own }].map(body => ({ path: '/v1/issues', body }))
  },
  'post /v1/issues/bulk': {
    outside: ({ own, foreign }) => [{ path: '/v1/issues/bulk', body: { issues: [draft(own), draft(foreign)] } }],
    inside: ({ own, deep }) => [{ path: '/v1/issues/bulk', body: { issues: [draft(own), draft(deep)] } }]
  },
  'post /v1/issues/{issueId}': {
    outside: board => [
      ...changes(
        ref => `/v1/issues/${ref}`,
        () => ({ priority: 1 })
      ).outside(board),
      { path: `/v1/issues/${board.sub}`, body: { parentId: board.foreign } },
      { path: `/v1/issues/${board.sub}`, body: { parent: board.foreign } },
      { path: `/v1/issues/${board.sub}`, body: { parentId: null } },
      { path: `/v1/issues/${board.sub}`, body: { parent: null } },
      { path: `/v1/issues/${board.own}`, body: { parentId: null } }
    ],
    inside: changes(
      ref => `/v1/issues/${ref}`,
      () => ({ priority: 1 })
    ).inside
  },
  'post /v1/issues/{issueId}/pick_up': changes(
    ref => `/v1/issues/${ref}/pick_up`,
    () => ({})
  ),
  'post /v1/issues/{issueId}/claim/renew': changes(
    ref => `/v1/issues/${ref}/claim/renew`,
    () => ({})
  ),
  'post /v1/issues/{issueId}/release': changes(
    ref => `/v1/issues/${ref}/release`,
    () => ({})
  ),
  'post /v1/issues/{issueId}/criteria': changes(
    ref => `/v1/issues/${ref}/criteria`,
    () => ({ met: [1] })
  ),
  'post /v1/issues/{issueId}/links': changes(
    ref => `/v1/issues/${ref}/links`,
    () => ({ url: 'https://example.com/', title: 'x' })
  ),
  'post /v1/issue_relations': {
    outside: ({ own, foreign, related }) =>
      [
        relation(foreign, own),
        relation(own, foreign),
        relation(own, foreign, 'BLOCKED'),
        relation(own, related, 'BLOCKS'),
        relation(own, related, 'DUPLICATE')
      ].map(body => ({ path: '/v1/issue_relations', body })),
    inside: ({ own, related, deep }) =>
      [relation(own, related), relation(deep, related, 'BLOCKED'), relation(own, deep, 'BLOCKS')].map(body => ({
        path: '/v1/issue_relations',
        body
      }))
  },
  'get /v1/issue_comments': paths(ref => `/v1/issue_comments?issueId=${ref}`, issues('read')),
  'post /v1/issue_comments': changes(
    ref => `/v1/issue_comments?issueId=${ref}`,
    () => ({ bodyMarkdown: 'A note.' })
  ),
  'get /v1/issue_comments/{id}': paths(
    id => `/v1/issue_comments/${id}`,
    ({ foreignComment, ownComment }) => ({ outside: [foreignComment], inside: [ownComment] })
  ),
  'post /v1/issue_comments/{id}': {
    outside: ({ foreignComment }) => [
      { path: `/v1/issue_comments/${foreignComment}`, body: { bodyMarkdown: 'Changed.' } }
    ],
    inside: ({ ownComment }) => [{ path: `/v1/issue_comments/${ownComment}`, body: { bodyMarkdown: 'Changed.' } }]
  },
  'post /v1/issue_comments/{id}/answer': {
    outside: ({ foreignComment }) => [
      { path: `/v1/issue_comments/${foreignComment}/answer`, body: { bodyMarkdown: 'This.' } }
    ],
    inside: ({ ownQuestion }) => [{ path: `/v1/issue_comments/${ownQuestion}/answer`, body: { bodyMarkdown: 'This.' } }]
  },
  'post /v1/issue_comments/{id}/withdraw': {
    outside: ({ foreignComment }) => [{ path: `/v1/issue_comments/${foreignComment}/withdraw`, body: {} }],
    inside: ({ askedByRun }) => [{ path: `/v1/issue_comments/${askedByRun}/withdraw`, body: {} }]
  },
  'get /v1/knowledge/context': paths(ref => `/v1/knowledge/context?issueId=${ref}`, issues('read')),
  'post /v1/knowledge': {
    outside: ({ foreign, foreignFact, commonFact }) => [
      { path: '/v1/knowledge', body: fact(1, { issueId: foreign }) },
      { path: '/v1/knowledge', body: fact(2, { supersedesId: foreignFact }) },
      { path: '/v1/knowledge', body: fact(3, { supersedesId: commonFact }) }
    ],
    inside: ({ own }) => [
      { path: '/v1/knowledge', body: fact(4) },
      { path: '/v1/knowledge', body: fact(5, { issueId: own }) }
    ]
  },
  'post /v1/knowledge/{id}': {
    outside: ({ ownFact, foreign, foreignFact, commonFact }) => [
      { path: `/v1/knowledge/${foreignFact}`, body: { status: 'DISPUTED' } },
      { path: `/v1/knowledge/${commonFact}`, body: { status: 'DISPUTED' } },
      { path: `/v1/knowledge/${ownFact}`, body: { issueId: foreign } }
    ],
    inside: ({ ownFact }) => [{ path: `/v1/knowledge/${ownFact}`, body: { status: 'DISPUTED' } }]
  },
  'post /v1/agent_runs': {
    outside: ({ foreign, sub }) => [foreign, sub].map(issueId => ({ path: '/v1/agent_runs', body: { issueId } })),
    inside: () => []
  },
  'get /v1/agent_runs': {
    outside: ({ foreign }) => [{ path: '/v1/agent_runs' }, { path: `/v1/agent_runs?issueId=${foreign}` }],
    inside: ({ own }) => [{ path: `/v1/agent_runs?issueId=${own}` }]
  },
  'get /v1/agent_runs/{id}': paths(
    id => `/v1/agent_runs/${id}`,
    ({ foreignRun, ownRun }) => ({ outside: [foreignRun], inside: [ownRun] })
  ),
  'get /v1/agent_runs/{id}/events': paths(
    id => `/v1/agent_runs/${id}/events`,
    ({ foreignRun, ownRun }) => ({ outside: [foreignRun], inside: [ownRun] })
  )
}

let server: TestServer
let board: Board
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
  const comment = (ref: string) => create(`/v1/issue_comments?issueId=${ref}`, { bodyMarkdown: `On ${ref}.` })
  const [ownRun, foreignRun] = [
    await create('/v1/agent_runs', { issueId: own }),
    await create('/v1/agent_runs', { issueId: foreign })
  ]
  // After the run: an issue with open sub-issues is not ready for one.
  const sub = await issue('Sub', own)
  const deep = await issue('Deep', sub)
  await server.ok('/v1/issue_relations', { body: relation(deep, related) })
  const db = withRuns(server.database.db)
  const { workspaceId, issueId } = await db
    .selectFrom('agentRun')
    .select(['workspaceId', 'issueId'])
    .where('id', '=', ownRun)
    .executeTakeFirstOrThrow()
  const ask = async (question: object, token = server.token) => {
    const body = { bodyMarkdown: 'Which one?', question }
    return (await server.ok<{ id: string }>(`/v1/issue_comments?issueId=${own}`, { token, body })).id
  }
  const { token } = await db.transaction().execute(trx =>
    insertToken(trx, workspaceId, {
      accountId: agentId,
      name: 'Run',
      confinedTo: confinementOf({ id: ownRun, issueId })
    })
  )
  return {
    token,
    parent,
    own,
    sub,
    deep,
    related,
    foreign,
    ownRun,
    foreignRun,
    ownComment: await comment(own),
    foreignComment: await comment(foreign),
    ownQuestion: await ask({ to: [agentId] }),
    askedByRun: await ask({}, agentToken),
    ownFact: await create('/v1/knowledge', { content: 'Own doors open inwards.', issueId: own, force: true }),
    foreignFact: await create('/v1/knowledge', {
      content: 'Foreign windows are round.',
      issueId: foreign,
      force: true
    }),
    commonFact: await create('/v1/knowledge', { content: 'Common walls carry paintings.', force: true })
  }
}

t.test('every route is open to the token of a run for a reason, bound to its issue, or closed to it', async t => {
  const { paths } = (await server.call('/openapi.json')).json<{
    paths: Record<string, Record<string, { security?: unknown[]; description: string }>>
  }>()
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { security, description }]) =>
      security === undefined ? [] : [{ name: `${method} ${path}`, method, path, description }]
    )
  )
  t.ok(routes.length > 60)
  const known = [...Object.keys(OPEN), ...Object.keys(BOUND)]
  t.strictSame(
    known.filter(name => !routes.some(route => route.name === name)),
    [],
    'the lists name routes that there are'
  )
  for (const { name, method, path, description } of routes) {
    const allowed = /With the token of a run: (.*)\.$/m.exec(description)?.[1] ?? ''
    if (OPEN[name] !== undefined) {
      t.ok(allowed !== '' && allowed !== 'refused', `${name} says what it allows`)
      continue
    }
    if (BOUND[name] !== undefined) {
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

for (const [name, { outside, inside }] of Object.entries(BOUND)) {
  const method = name.startsWith('get') ? 'GET' : 'POST'
  t.test(`${name} serves the token of a run within its issue, and says why not beyond`, async t => {
    for (const { path, body } of outside(board)) {
      const answer = await server.call(path, { token: board.token, method, ...(body && { body }) })
      const what = `${path} ${JSON.stringify(body)}`
      t.match(answer.json(), { statusCode: 403, code: 'TOKEN_CONFINED', message: /This token belongs to a run/ }, what)
    }
    for (const { path, body } of inside(board)) {
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
  { foreign, related }: Board
): Array<{ field: string; value: unknown }> {
  const refs = [foreign, related]
  const values = [
    null,
    ...refs,
    ...refs.map(ref => [ref]),
    ...refs.flatMap(relatedIssueId => ['BLOCKS', 'BLOCKED'].map(type => ({ type, relatedIssueId }))),
    ...refs.map(ref => [{ title: 'A part', blockedByIds: [ref] }])
  ]
  return Object.keys(properties).flatMap(field => values.map(value => ({ field, value })))
}

t.test('no field of any route leads out of the issue of a run', { timeout: 120_000 }, async t => {
  const apart = await makeBoard(server)
  const { paths } = (await server.call('/openapi.json')).json<{
    paths: Record<string, Record<string, { requestBody?: { content: { 'application/json': { schema: BodySchema } } } }>>
  }>()
  /** The data that must not change: everything outside, the parents of the run's issues, and reads of its token. */
  const outside = async () => {
    const contexts = [apart.parent, apart.related, apart.foreign].map(key =>
      server.ok<{ relations: object[]; subIssues: Array<{ key: string }>; rev: number; updatedAt: string }>(
        `/v1/issues/${key}/context`
      )
    )
    const tree = [apart.own, apart.sub, apart.deep].map(key =>
      server.ok<{ parent: { key: string } | null }>(`/v1/issues/${key}/context`)
    )
    return {
      contexts: (await Promise.all(contexts)).map(({ relations, subIssues, rev: _, updatedAt: __, ...rest }) => ({
        ...rest,
        subIssues: subIssues.map(({ key }) => key),
        blocked: relations.filter(one => 'type' in one && one.type === 'BLOCKED').length
      })),
      parents: (await Promise.all(tree)).map(({ parent }) => parent?.key),
      foreign: (await server.call(`/v1/issues/${apart.foreign}`, { token: apart.token })).statusCode
    }
  }
  const before = await outside()
  let tried = 0
  for (const [name, { inside }] of Object.entries(BOUND)) {
    const [method, route] = name.split(' ') as [string, string]
    const schema = paths[route]?.[method]?.requestBody?.content['application/json'].schema
    const [sent] = inside(apart)
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
