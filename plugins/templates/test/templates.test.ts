import { sql } from 'kysely'
import t from 'tap'
import { insertToken } from '../../../core/auth/accounts.ts'
import { mcpAgent } from '../../../test/mcp-client.ts'
import { onPostgres, testServer, type TestServer } from '../../../test/runner/harness.ts'
import { carryOver, transferOf } from '../../../test/transfer.ts'

const PLUGINS = ['workspace', 'agents', 'events', 'issues', 'files', 'templates', 'trash', 'transfer', 'mcp']
let server: TestServer
t.before(async () => {
  server = await testServer({ plugins: PLUGINS })
})
t.teardown(() => server.close())

interface Thing {
  id: string
  key: string
}
const add = (name: string, more: object = {}) =>
  server.ok<Thing>('/v1/issue_templates', { body: { teamId: 'ENG', name, ...more } })
const label = (name: string) => server.ok<Thing>('/v1/labels', { body: { name } })
const file = (body: object) => server.ok<Thing>('/v1/issues', { body })
const refusal = async (path: string, call: object) => (await server.call(path, call)).json()

t.test('a template has a team, a name of its own there, and what issues begin with', async t => {
  const { id: labelId } = await label('defect')
  const values = {
    title: 'Bug: ',
    descriptionMarkdown: '## Steps\n\n## Expected',
    labelIds: [labelId],
    criteria: ['A test shows it'],
    priority: 2
  }
  const { id } = await add('Bug report', values)
  t.match(await server.ok(`/v1/issue_templates/${id}`), { name: 'Bug report', ...values, title: 'Bug:' })
  t.match(await server.ok('/v1/issue_templates?teamId=eng'), [{ id }])
  const taken = { statusCode: 409, message: /has a template called 'BUG report'/ }
  t.match(await refusal('/v1/issue_templates', { body: { teamId: 'ENG', name: 'BUG report' } }), taken)
  const nobodys = { teamId: 'ENG', name: 'x', labelIds: ['00000000-0000-4000-8000-000000000000'] }
  t.match(await refusal('/v1/issue_templates', { body: nobodys }), { statusCode: 404, message: /label/ })

  const path = `/v1/issue_templates/${id}`
  const changes = { name: 'Bug', criteria: ['A test shows it', 'The changelog has it'], title: null }
  t.match(await server.ok(path, { body: { ...changes, previous: { name: 'Bug report' } } }), changes)
  t.match(await refusal(path, { body: { name: 'y', previous: { name: 'Bug report' } } }), { statusCode: 412 })
  const { events } = await server.ok<{ events: Array<{ data: object }> }>('/v1/events?types=issue_template.updated')
  const named = { field: 'name', from: 'Bug report', to: 'Bug' }
  const untitled = { field: 'title', from: 'Bug:', to: null }
  t.strictSame(events.at(-1)?.data, { changes: [named, untitled, { field: 'criteria' }] }, 'lists by their names only')

  await server.ok(`/v1/labels/${labelId}`, { method: 'DELETE' })
  t.match(await server.ok(path), { labelIds: [] }, 'without labels that were removed')
})

t.test('what is removed is in the trash, and can be restored', async t => {
  const { id } = await add('Chore')
  const path = `/v1/issue_templates/${id}`
  await server.ok(path, { method: 'DELETE' })
  t.equal((await server.call(path)).statusCode, 404)
  t.match(await server.ok('/v1/trash?kind=issue_templates'), {
    items: [{ id, kindTitle: 'Template for issues', title: 'Chore' }]
  })
  const { id: other } = await add('Chore')
  t.match(await refusal(`${path}/restore`, { method: 'POST' }), { statusCode: 409 })
  await server.ok(`/v1/issue_templates/${other}?permanently=true`, { method: 'DELETE' })
  t.match(await server.ok(`${path}/restore`, { method: 'POST' }), { id, name: 'Chore' })
  t.match(await server.ok('/v1/trash?kind=issue_templates'), { items: [] })
})

t.test('a new issue has of its template what its body leaves out, with its labels and criteria added', async t => {
  const [{ id: one }, { id: other }] = [await label('one'), await label('other')]
  const text = { title: 'Release', descriptionMarkdown: 'Cut the branch and announce it.', priority: 3 }
  const { id } = await add('Release', { ...text, labelIds: [one], criteria: ['Announced'] })

  const whole = await file({ template: 'release' })
  t.match(whole, { ...text, descriptionMarkdown: /^Cut the branch.*- \[ \] Announced/s, labelIds: [one] })
  const own = { title: 'Release 2', descriptionMarkdown: 'Only a fix.', priority: 'urgent' }
  t.match(await file({ template: id, ...own, labels: ['other'], acceptanceCriteria: ['Tagged'] }), {
    title: 'Release 2',
    descriptionMarkdown: /^Only a fix\..*- \[ \] Tagged\n- \[ \] Announced/s,
    priority: 1,
    labelIds: [one, other].toSorted()
  })
  const bulk = { issues: [{ template: 'Release' }, { title: 'plain' }] }
  t.match(await server.ok('/v1/issues/bulk', { body: bulk }), { issues: [{ title: 'Release' }, { title: 'plain' }] })

  t.match(await refusal('/v1/issues', { body: { template: 'Relaese' } }), {
    statusCode: 400,
    field: 'template',
    message: /no template 'Relaese'; did you mean 'Release'\?/
  })
  t.match(await refusal('/v1/issues', { body: { template: 'Chore' } }), { field: 'title', message: /title is missing/ })
  t.match(await refusal('/v1/issues', { body: {} }), { field: 'title', message: /title is missing/ })
})

t.test('a template decides the team, unless the issue has one', async t => {
  await server.ok('/v1/teams', { body: { identifier: 'OPS', name: 'Operations' } })
  await server.ok('/v1/issue_templates', { body: { teamId: 'OPS', name: 'Incident', title: 'Down' } })
  t.match(await file({ template: 'Incident' }), { key: /^OPS-/ })
  t.match(await refusal('/v1/issues', { body: { template: 'Incident', team: 'ENG' } }), { field: 'template' })
  await add('Incident', { title: 'Late' })
  t.match(await refusal('/v1/issues', { body: { template: 'Incident' } }), {
    message: /name the team, one of ENG, OPS/
  })
  const parent = await file({ title: 'Parent', teamId: 'OPS' })
  t.match(await file({ template: 'Incident', parentId: parent.key }), { title: 'Down' })
  t.match(await file({ template: 'Incident', team: 'engineering' }), { title: 'Late' })
  const orphan = { template: 'Incident', parentId: 'OPS-999' }
  t.match(await refusal('/v1/issues', { body: orphan }), { statusCode: 404, message: /OPS-999/ })
})

t.test('a name is looked up in the team that is meant, and one that is ambiguous is refused', async t => {
  await server.ok('/v1/teams', { body: { identifier: 'WEB', name: 'ENG' } })
  const names = { ENG: ['Spike', 'Ｆix', 'Fix'], WEB: ['spike'] }
  for (const [teamId, name] of Object.entries(names).flatMap(([team, all]) => all.map(name => [team, name]))) {
    await server.ok('/v1/issue_templates', { body: { teamId, name, title: name } })
  }
  const refused = (body: object) => refusal('/v1/issues', { body })
  t.match(await refused({ template: 'spike' }), { message: /name the team, one of ENG, WEB/ })
  t.match(await file({ template: 'spike', team: 'ENG' }), { title: 'Spike' }, 'an identifier before a name')
  t.match(await file({ template: 'Fix', team: 'ENG' }), { title: 'Fix' })
  t.match(await refused({ template: 'fix', team: 'ENG' }), { message: /^More than one template is called '/ })
  const nowhere = { statusCode: 400, field: 'team', message: /no team 'Nope'/ }
  t.match(await refused({ template: 'spike', team: 'Nope' }), nowhere)
  t.match(await refused({ template: 'spike', teamId: 'NOPE' }), { statusCode: 404, message: /team/ })
})

/** A new team with so many templates. */
async function fillTeam(identifier: string, count: number): Promise<void> {
  await server.ok('/v1/teams', { body: { identifier, name: identifier } })
  const { id: last } = await server.ok<Thing>('/v1/issue_templates', { body: { teamId: identifier, name: 'Last' } })
  await sql`
    insert into issue_template (workspace_id, id, team_id, name, description_markdown, label_ids, criteria, priority,
      created_by_id, created_at, updated_at)
    select workspace_id, gen_random_uuid(), team_id, 'Copy ' || n, '', '{}', '{}', 0, created_by_id, created_at,
      updated_at
    from issue_template, generate_series(1, ${count - 1}::int) n where id = ${last}`.execute(server.database.db)
}

t.test('texts and lists of templates are bounded', async t => {
  const long = 'Word.\n\n'.repeat(200_000)
  const tooLong = { teamId: 'ENG', name: 'Long', descriptionMarkdown: long }
  t.match(await refusal('/v1/issue_templates', { body: tooLong }), { statusCode: 413 })
  const { id } = await add('Short', { title: 'Short', criteria: ['Of the template'] })
  t.match(await refusal(`/v1/issue_templates/${id}`, { body: { descriptionMarkdown: long } }), { statusCode: 413 })
  const { read } = await transferOf(server)
  const imported = { kind: 'issue_template', externalId: 'long', team: 'ENG', name: 'L', descriptionMarkdown: long }
  t.match((await read([imported])).skipped, { length: 1 })

  const acceptanceCriteria = Array.from({ length: 100 }, (_, n) => `Own ${n}`)
  t.match(await refusal('/v1/issues', { body: { template: 'Short', team: 'ENG', acceptanceCriteria } }), {
    statusCode: 400,
    field: 'acceptanceCriteria',
    message: /has 101 with those of the template/
  })

  await fillTeam('FULL', 100)
  const full = { statusCode: 409, message: /has 100 templates/ }
  t.match(await refusal('/v1/issue_templates', { body: { teamId: 'FULL', name: 'More' } }), full)
  t.equal((await server.ok<object[]>('/v1/issue_templates?teamId=FULL')).length, 100)
})

// The embedded database has one connection, so nothing races there.
t.test('a team has no more templates when several are added at once', { skip: !onPostgres }, async t => {
  await fillTeam('RACE', 98)
  const { id } = await server.ok<Thing>('/v1/issue_templates', { body: { teamId: 'RACE', name: 'Restored' } })
  await server.ok(`/v1/issue_templates/${id}`, { method: 'DELETE' })
  const adding = Array.from({ length: 8 }, (_, n) =>
    server.call('/v1/issue_templates', { body: { teamId: 'RACE', name: `Added ${n % 6}` } })
  )
  const restoring = server.call(`/v1/issue_templates/${id}/restore`, { method: 'POST' })
  const statuses = (await Promise.all([...adding, restoring])).map(({ statusCode }) => statusCode)
  t.equal(statuses.filter(status => status === 409).length, 7, String(statuses))
  t.equal((await server.ok<object[]>('/v1/issue_templates?teamId=RACE')).length, 100)
})

/** A GIF of one pixel. */
const IMAGE = Buffer.from('R0lGODlhAQABAIAAAP///wAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64')
const uploadImage = (name: string) =>
  server.ok<{ url: string }>('/v1/files', {
    method: 'POST',
    body: IMAGE,
    headers: { 'content-type': 'application/octet-stream', 'content-disposition': `attachment; filename="${name}"` }
  })

t.test('images of issues from a template stay while it is in the trash, and when its team is removed', async t => {
  await server.ok('/v1/teams', { body: { identifier: 'TMP', name: 'Temporary' } })
  const image = await uploadImage('step.png')
  const body = { teamId: 'TMP', name: 'Pictured', title: 'P', descriptionMarkdown: `![](${image.url})` }
  const { id } = await server.ok<Thing>('/v1/issue_templates', { body })
  const issue = await file({ template: 'Pictured', team: 'TMP' })
  const path = `/v1/issue_templates/${id}`
  await server.ok(path, { method: 'DELETE' })
  t.equal((await server.call(image.url)).statusCode, 200)
  await server.ok(`${path}/restore`, { method: 'POST' })

  const { db } = server.database
  const { workspaceId, accountId } = await db
    .withTables<{ token: { workspaceId: string; accountId: string } }>()
    .selectFrom('token')
    .select(['workspaceId', 'accountId'])
    .limit(1)
    .executeTakeFirstOrThrow()
  const confinedTo = { plugin: 'other', subjectId: issue.id, issueId: issue.id }
  const { token } = await db
    .transaction()
    .execute(trx => insertToken(trx, workspaceId, { accountId, name: 'Run', confinedTo }))
  t.equal((await server.call(image.url, { token })).statusCode, 200, 'a run reads it')
  const own = await uploadImage('own.png')
  t.not((await server.call(own.url, { token })).statusCode, 200, 'but no other')

  await server.ok(`/v1/issues/${issue.key}/move`, { body: { teamId: 'ENG' } })
  await server.ok('/v1/teams/TMP', { method: 'DELETE' })
  t.equal((await server.call(image.url)).statusCode, 200)
  t.match(await refusal(path, { body: { name: 'Changed' } }), { statusCode: 404 })
  const { rows } = await sql<{ name: string }>`select name from issue_template where id = ${id}`.execute(db)
  t.strictSame(rows, [{ name: 'Pictured' }], 'a refused change changes nothing')
})

t.test('agents file tasks from a template, and read a sentence when there is none', async t => {
  await add('Task', { descriptionMarkdown: 'The old page is still there, and confuses people.', criteria: ['Gone'] })
  const agent = await mcpAgent(server, (await server.agent('Runner')).token)
  const task = await agent.ok<Thing>('create_task', { title: 'Remove the page', template: 'task', team: 'ENG' })
  t.match(await server.ok(`/v1/issues/${task.key}`), { descriptionMarkdown: /still there.*- \[ \] Gone/s })
  const refused = (template: string) => agent.refused('create_task', { title: 'x', template, team: 'ENG' })
  t.match(await refused('nothing'), /no template 'nothing'; there are: /)
  t.match(await refused('Chore'), /^arguments\.description is no real description/)
})

t.test('an export carries templates', async t => {
  const other = await testServer({ plugins: PLUGINS })
  t.teardown(() => other.close())
  await carryOver(server, other, 'templates')
  const names = async ({ ok }: TestServer) =>
    (await ok<Array<Record<string, unknown>>>('/v1/issue_templates')).map(
      ({ name, title, descriptionMarkdown, criteria, priority }) => ({
        ...{ name, title, descriptionMarkdown, criteria, priority }
      })
    )
  t.strictSame(await names(other), await names(server))
  const [{ labelIds } = { labelIds: [] }] = (
    await other.ok<Array<{ name: string; labelIds: string[] }>>('/v1/issue_templates')
  ).filter(({ name }) => name === 'Release')
  t.equal(labelIds.length, 1)
})
