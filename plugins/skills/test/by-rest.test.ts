import t from 'tap'
import { callTool } from '../../../test/runner/call-tool.ts'
import { testServer } from '../../../test/runner/harness.ts'

/* Agents can do all that people do with an issue in the browser: by a tool, or by one request that the guide shows. */

interface Named {
  id: string
  key: string
}
const server = await testServer({ settings: { plugins: { mcp: { rateLimit: 0 } } } })
t.teardown(() => server.close())
const { token } = await server.agent('Agent', ['read', 'write', 'delete'])
const guide = (await server.call('/.well-known/agent-skills/working-tracker-issues/SKILL.md')).body

await server.ok('/v1/teams', { body: { identifier: 'OPS', name: 'Operations' } })
const project = await server.ok<Named>('/v1/projects', { body: { name: 'Website' } })
await server.ok('/v1/cycles', {
  body: { teamId: 'ENG', name: 'Week 1', startsAt: '2030-01-07T00:00:00Z', endsAt: '2030-01-14T00:00:00Z' }
})
await server.ok('/v1/milestones', { body: { projectId: project.id, name: 'Beta', date: '2030-02-01' } })
await server.ok('/v1/views', { body: { name: 'Bugs', filters: {}, isShared: true } })
const file = (title: string, more: object = {}) =>
  server.ok<Named>('/v1/issues', {
    token,
    body: { teamId: 'ENG', title, descriptionMarkdown: 'It is empty in each export.\n\n- [ ] it has dates', ...more }
  })
const [first, second, third] = [await file('First'), await file('Second'), await file('Third')]
const { key } = first

/** Calls of tools that do it: [what people do, tool, arguments]. */
const BY_TOOL: ReadonlyArray<[string, string, object]> = [
  ['title', 'update_task', { title: 'The first' }],
  ['description', 'update_task', { description: 'It is empty.\n\n- [ ] it has dates' }],
  ['state', 'update_task', { state: 'In Progress' }],
  ['assignee', 'update_task', { assignee: 'me' }],
  ['priority', 'update_task', { priority: 'high' }],
  ['labels', 'update_task', { addLabels: ['Bug'] }],
  ['estimate', 'update_task', { estimate: 3 }],
  ['due', 'update_task', { due: '2030-01-01' }],
  ['parent', 'update_task', { parent: second.key }],
  ['project', 'update_task', { project: 'Website' }],
  ['cycle', 'update_task', { cycle: 'Week 1' }],
  ['relation', 'update_task', { relations: [`BLOCKED ${third.key}`] }],
  ['relation removed', 'update_task', { relations: [`none ${third.key}`] }],
  ['criterion', 'update_task', { met: [{ criterion: '1', evidence: 'Run 7.' }] }],
  ['comment', 'add_note', { note: 'I saw it.' }],
  ['question', 'add_note', { note: 'Which zone?', question: true, options: ['UTC', 'local'] }],
  ['attachment', 'attach_file', { name: 'a.txt', text: 'x' }],
  ['claim', 'pick_up_task', {}]
]

t.test('by tools', async t => {
  for (const [what, tool, args] of BY_TOOL) {
    await t.resolves(callTool(server, tool, { task: key, ...args }, token), what)
  }
  await callTool(server, 'list_tasks', { view: 'Bugs' }, token)
  await callTool(server, 'close_task', { task: third.key, resolution: 'The same.', duplicateOf: second.key }, token)
})

t.test('by the requests that the guide shows', async t => {
  type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** @param pattern the path in the guide @returns the answer's JSON */
  async function send<T>(method: Method, pattern: string, path: string, body?: object): Promise<T> {
    const inGuide = pattern.replaceAll(/:(key|id|emoji)/g, '[^/ `?]+')
    t.match(guide, new RegExp(`\`${method} ${inGuide.replace('?', '\\?')}[ \`]`), `${method} ${pattern}`)
    const answer = await server.call(path, { token, method, ...(body && { body }) })
    t.ok(answer.statusCode < 300, `${method} ${path}: ${answer.statusCode} ${answer.body.slice(0, 200)}`)
    return (answer.body === '' ? {} : answer.json()) as T
  }
  const issue = `/v1/issues/${key}`
  await send('POST', '/v1/issues/:key', issue, { milestone: 'Beta' })
  await send('POST', '/v1/issues/:key', issue, { sortOrder: 2.5 })
  await send('POST', '/v1/issues/:key/links', `${issue}/links`, { url: 'https://example.com/7', title: 'Build' })
  const { linkedIssues } = await send<{ linkedIssues: Named[] }>('GET', '/v1/issues/:key/context', `${issue}/context`)
  await send('DELETE', '/v1/issues/:key/links/:id', `${issue}/links/${linkedIssues[0]!.id}`)
  await send('POST', '/v1/issues/:key/release', `${issue}/release`, { note: 'No fonts.' })
  await send('POST', '/v1/issues/:key/watch', `${issue}/watch`)
  await send('GET', '/v1/inbox', '/v1/inbox')

  const notes = `/v1/issue_comments?issueId=${key}`
  const comments = await send<Named[]>('GET', '/v1/issue_comments?issueId=:key', notes)
  const [note, question] = comments
  const reply = await send<Named>('POST', '/v1/issue_comments?issueId=:key', notes, {
    bodyMarkdown: 'I do, too.',
    parentId: note!.id
  })
  const ofReply = `/v1/issue_comments/${reply.id}`
  await send('POST', '/v1/issue_comments/:id/withdraw', `/v1/issue_comments/${question!.id}/withdraw`)
  await send('POST', '/v1/issue_comments/:id', ofReply, { bodyMarkdown: 'Me, too.' })
  await send('POST', '/v1/issue_comments/:id/reactions', `${ofReply}/reactions`, { emoji: 'THUMBS_UP' })
  await send('DELETE', '/v1/issue_comments/:id', ofReply)
  await send('POST', '/v1/issue_comments/:id/restore', `${ofReply}/restore`)

  const [attached] = await send<Named[]>('GET', '/v1/issues/:key/files', `${issue}/files`)
  await send('DELETE', '/v1/files/:id', `/v1/files/${attached!.id}`)
  await send('PUT', '/v1/favourites', '/v1/favourites', { favourites: [{ type: 'issue', id: first.id }] })
  await send('DELETE', '/v1/issues/:key', issue)
  await send('POST', '/v1/issues/:key/restore', `${issue}/restore`)
  await send('POST', '/v1/issues/:key/move', `${issue}/move`, { teamId: 'OPS' })
})
