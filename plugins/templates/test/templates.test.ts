import t from 'tap'
import { mcpAgent } from '../../../test/mcp-client.ts'
import { testServer, type TestServer } from '../../../test/runner/harness.ts'
import { carryOver } from '../../../test/transfer.ts'

const PLUGINS = ['workspace', 'agents', 'issues', 'templates', 'trash', 'transfer', 'mcp']
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
  const { events } = await server.ok<{ events: object[] }>('/v1/events?types=issue_template.updated')
  t.match(events.at(-1), { data: { changes: [{ field: 'name', from: 'Bug report', to: 'Bug' }, {}, {}] } })

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
