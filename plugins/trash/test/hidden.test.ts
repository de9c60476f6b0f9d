import t from 'tap'
import { mcpAgent } from '../../../test/mcp-client.ts'
import { testServer } from '../../../test/runner/harness.ts'
import { transferOf } from '../../../test/transfer.ts'

const WORD = 'quixotry'
/** Paths that show deleted texts on purpose. */
const SHOWN = ['/v1/trash', '/v1/events', '/v1/events/stream']

t.test('nothing that was deleted is shown anywhere else', async t => {
  const server = await testServer()
  t.teardown(() => server.close())
  const agent = await mcpAgent(server, (await server.agent('Reader')).token)
  const { id: me } = await server.ok<{ id: string }>('/v1/users/me')
  const add = (path: string, body: object) => server.ok<{ id: string; key: string }>(path, { body })
  const kept = await add('/v1/issues', { teamId: 'ENG', title: 'Kept' })
  const issue = await add('/v1/issues', {
    teamId: 'ENG',
    title: `The ${WORD} exporter fails`,
    descriptionMarkdown: `Its ${WORD} is wrong.\n\n- [ ] ${WORD} works`,
    assigneeId: me,
    parentId: kept.id
  })
  await add('/v1/issue_relations', { issueId: issue.id, relatedIssueId: kept.id, type: 'BLOCKS' })
  await add(`/v1/issue_comments?issueId=${issue.key}`, { bodyMarkdown: `A ${WORD} in it, @Administrator` })
  const comment = await add(`/v1/issue_comments?issueId=${kept.key}`, { bodyMarkdown: `Another ${WORD}` })
  const label = await add('/v1/labels', { name: `Label ${WORD}` })
  const project = await add('/v1/projects', { name: `Project ${WORD}`, descriptionMarkdown: `For ${WORD}.` })
  const entry = await add('/v1/knowledge', { content: `A ${WORD} needs a lance.`, issueId: kept.id })
  await server.ok('/v1/issues', {
    body: { teamId: 'ENG', title: 'Planned', projectId: project.id, labelIds: [label.id] }
  })
  await server.idle()

  const { paths } = await server.ok<{ paths: Record<string, Record<string, object>> }>('/openapi.json')
  const lists = Object.keys(paths).filter(path => 'get' in paths[path]! && !path.includes('{') && !SHOWN.includes(path))
  const reads = [
    ...lists,
    `/v1/search?query=${WORD}`,
    `/v1/search/similar_issues?title=${WORD}%20exporter`,
    `/v1/knowledge/context?query=${WORD}`,
    `/v1/issue_comments?issueId=${kept.key}`,
    ...['', '/context', '/history', '/servings', '/reminders'].map(part => `/v1/issues/${kept.key}${part}`)
  ]
  /** Everything that is read now, in one text. */
  async function everything(): Promise<string> {
    const texts: string[] = []
    for (const path of reads) texts.push((await server.call(path)).body)
    for (const body of [{}, { view: 'list' }, { view: 'board' }]) {
      texts.push((await server.call('/v1/issues/filter', { body })).body)
    }
    texts.push((await server.call('/v1/issues/ready')).body)
    texts.push(JSON.stringify(await add('/v1/issues', { teamId: 'ENG', title: 'The exporter fails' })))
    for (const [tool, args] of [
      ['list_tasks', {}],
      ['search_tasks', { query: WORD }],
      ['get_task', { task: kept.key }],
      ['find_similar_tasks', { text: `${WORD} exporter` }],
      ['load_context', { query: WORD }]
    ] as const) {
      texts.push(JSON.stringify(await agent.ok(tool, args)))
    }
    texts.push(...(await (await transferOf(server)).written()))
    return texts.join('\n')
  }
  t.match(await everything(), WORD, 'it is shown while it is there')
  await server.ok(`/v1/issues/${issue.key}`, { method: 'DELETE' })
  await server.ok(`/v1/issue_comments/${comment.id}`, { method: 'DELETE' })
  for (const path of [`labels/${label.id}`, `projects/${project.id}`, `knowledge/${entry.id}`]) {
    await server.ok(`/v1/${path}`, { method: 'DELETE' })
  }
  await server.idle()
  const after = await everything()
  t.notMatch(after, new RegExp(`.{0,200}${WORD}.{0,80}`))
  t.match(await server.ok(`/v1/issues/${kept.key}/context`), {
    commentsOmitted: undefined,
    comments: [],
    relations: []
  })
  t.match((await server.call('/v1/trash')).body, WORD)
})

t.test('an import finds what is in the trash, and what was removed for good', async t => {
  const server = await testServer()
  t.teardown(() => server.close())
  const { readAs } = await transferOf(server)
  const records = [
    { kind: 'team', identifier: 'WEB', name: 'Web', states: [{ name: 'Open', category: 'UNSTARTED' }] },
    { kind: 'issue', externalId: 'X-1', team: 'WEB', title: 'Imported', state: 'Open' },
    { kind: 'issue', externalId: 'X-2', team: 'WEB', title: 'Another', state: 'Open' }
  ]
  await readAs('jira', records)
  const list = () => server.ok<Array<{ id: string; title: string }>>('/v1/issues/filter', { body: {} })
  const [first, second] = (await list()).toSorted((a, b) => b.title.localeCompare(a.title))
  await server.ok(`/v1/issues/${first!.id}`, { method: 'DELETE' })
  await server.ok(`/v1/issues/${second!.id}?permanently=true`, { method: 'DELETE' })
  await readAs('jira', records)
  t.strictSame(await list(), [])
  await server.ok(`/v1/issues/${first!.id}/restore`, { method: 'POST' })
  await readAs('jira', records)
  t.match(await list(), [{ id: first!.id, title: 'Imported' }])
  t.equal((await list()).length, 1)
})
