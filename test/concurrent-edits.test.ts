import t from 'tap'
import { onPostgres, testServer, type TestServer } from './runner/harness.ts'

/*
 * `previous` prevents lost updates of every resource but issues, which have revisions
 * (plugins/issues/test/lost-updates.test.ts).
 */

interface Resource {
  path: string
  /** The field that two writers change. */
  field: string
  /** The two new values; both writers read the value before. */
  values: [unknown, unknown]
  /** Its name in answers, if different. */
  shown?: string
  /** Further fields of `previous`. */
  others: string[]
}

async function resources(server: TestServer): Promise<Resource[]> {
  const make = async (path: string, body: object) => {
    const record = await server.ok<{ id: string; userId?: string }>(path, { body })
    return `${path}/${record.id}`
  }
  const team = { identifier: 'OPS', name: 'Operations' }
  const { id: teamId } = await server.ok<{ id: string }>('/v1/teams', { body: team })
  const issue = await server.ok<{ id: string }>('/v1/issues', { body: { teamId, title: 'An issue' } })
  const cycle = { name: 'Week', teamId, startsAt: '2026-01-05T00:00:00.000Z', endsAt: '2026-01-12T00:00:00.000Z' }
  const comment = await make(`/v1/issue_comments?issueId=${issue.id}`, { bodyMarkdown: 'Text' })
  const entry = { content: 'The door is blue', issueId: issue.id }
  const [first, second] = ['One', 'Two']
  return [
    { path: `/v1/teams/${teamId}`, field: 'name', values: [first, second], others: ['closing'] },
    {
      path: await make(`/v1/${teamId}/workflows`, { name: 'Paused', category: 'STARTED' }),
      field: 'name',
      values: [first, second],
      others: ['category', 'position', 'color']
    },
    {
      path: await make('/v1/labels', { name: 'Sticker' }),
      field: 'color',
      values: ['#111111', '#222222'],
      others: ['name']
    },
    {
      path: await make('/v1/users', { fullname: 'Ada', email: 'ada@example.org' }),
      field: 'fullname',
      values: ['Ada One', 'Ada Two'],
      others: ['email', 'role']
    },
    {
      path: await make('/v1/users/agents', { name: 'Robot' }),
      field: 'name',
      shown: 'fullname',
      values: ['Robot One', 'Robot Two'],
      others: ['scopes']
    },
    {
      path: await make('/v1/projects', { name: 'Launch' }),
      field: 'descriptionMarkdown',
      values: [first, second],
      others: ['name', 'teamId']
    },
    { path: await make('/v1/cycles', cycle), field: 'name', values: [first, second], others: ['startsAt', 'endsAt'] },
    { path: comment.replace(/\?[^/]*/, ''), field: 'bodyMarkdown', values: [first, second], others: [] },
    {
      path: await make('/v1/knowledge', entry),
      field: 'content',
      values: ['The door is red', 'The door is green'],
      others: ['kind', 'tags', 'teamId', 'projectId', 'issueId', 'expiresAt', 'status']
    },
    {
      path: await make('/v1/webhooks', { url: 'https://example.org/' }),
      field: 'types',
      values: [['issue.*'], ['comment.*']],
      others: ['url', 'active', 'includeImports']
    }
  ]
}

/** Reads a resource; people and states are read in their lists. */
async function read(server: TestServer, { path, field, shown = field, others }: Resource): Promise<object> {
  const [, list = '', id] = /^(\/v1\/(?:users(?:\/agents)?|.*\/workflows))\/(.*)$/.exec(path) ?? []
  const resource = id
    ? (await server.ok<Array<{ id: string }>>(list)).find(one => one.id === id)
    : await server.ok<object>(path)
  return Object.fromEntries(Object.entries(resource ?? {}).filter(([name]) => [shown, ...others].includes(name)))
}

let server: TestServer
t.before(async () => {
  server = await testServer()
})
t.teardown(() => server.close())

t.test('a change with `previous` overwrites nothing that its writer has not read', async t => {
  for (const resource of await resources(server)) {
    const { path, field, shown = field, values, others } = resource
    const previous = await read(server, resource)
    t.strictSame(Object.keys(previous).sort(), [shown, ...others].sort(), `${path} answers what previous takes`)
    const [first, second] = values.map(value => ({ body: { [field]: value, previous } }))
    await server.ok(path, first)
    const refused = await server.call(path, second)
    t.equal(refused.statusCode, 412, path)
    t.match(refused.json(), {
      code: 'PRECONDITION_FAILED',
      message: `This was changed since you read it: ${shown} is ${JSON.stringify(values[0])} now.`.slice(0, -1),
      current: { [shown]: values[0] }
    })
    const current = await read(server, resource)
    t.strictSame(current, { ...previous, [shown]: values[0] }, 'nothing was changed')
    await server.ok(path, { body: { [field]: values[1], previous: current } })
    t.strictSame(await read(server, resource), { ...previous, [shown]: values[1] })
    const unknown = await server.call(path, { body: { previous: { id: 'x' } } })
    t.equal(unknown.statusCode, 400, 'only what can be changed')
  }
})

t.test('of many who have read the same, one changes it', { skip: !onPostgres && 'needs PostgreSQL' }, async t => {
  const other = await testServer()
  t.teardown(() => other.close())
  for (const resource of await resources(other)) {
    const { path, field, values } = resource
    const previous = await read(other, resource)
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => other.call(path, { body: { [field]: values[0], previous } }))
    )
    const changed = answers.filter(({ statusCode }) => statusCode === 200)
    t.equal(changed.length, 1, `${path}: ${answers.map(({ statusCode }) => statusCode).join(' ')}`)
  }
})

interface Operation {
  requestBody?: { content: Record<string, { schema: { properties?: Record<string, unknown> } }> }
}
t.test('every resource that can be changed takes `previous`, or a revision', async t => {
  const { paths } = (await server.call('/openapi.json')).json<{ paths: Record<string, Record<string, Operation>> }>()
  const changes = Object.entries(paths).filter(
    ([path, { post, delete: removal }]) => /\{\w+\}$/.test(path) && removal !== undefined && post !== undefined
  )
  t.ok(changes.length >= 11)
  for (const [path, { post }] of changes) {
    const fields = Object.keys(post?.requestBody?.content['application/json']?.schema.properties ?? {})
    t.ok(fields.includes('previous') || fields.includes('rev'), `POST ${path}`)
  }
})
