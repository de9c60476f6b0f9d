import t from 'tap'
import { testServer, type TestServer } from '../../../test/runner/harness.ts'
import { mcpAgent, type McpAgent } from '../../../test/mcp-client.ts'

interface Issue {
  key: string
  descriptionMarkdown: string
}

let server: TestServer
let agent: McpAgent
t.before(async () => {
  server = await testServer({ settings: { plugins: { mcp: { rateLimit: 0 } } } })
  agent = await mcpAgent(server)
})
t.teardown(async () => {
  server.app.server.closeAllConnections()
  await server.close()
})

const TITLE = 'The export loses dates'
const DESCRIPTION = 'Due dates are missing in the CSV since the new writer.'
const create = (body: object) => server.call('/v1/issues', { body: { teamId: 'ENG', title: TITLE, ...body } })
const described = async (descriptionMarkdown: string | undefined, acceptanceCriteria: string[]) =>
  (
    await server.ok<Issue>('/v1/issues', {
      body: {
        teamId: 'ENG',
        title: TITLE,
        requireCriteria: true,
        ...(descriptionMarkdown !== undefined && { descriptionMarkdown }),
        acceptanceCriteria
      }
    })
  ).descriptionMarkdown
const isReady = async ({ key }: { key: string }) =>
  (
    await server.ok<{ issues: Issue[] }>('/v1/issues/filter', {
      body: { view: 'list', perPage: 200, filters: { isReady: { filterType: 'IS', value: [true] } } }
    })
  ).issues.some(issue => issue.key === key)

const NOT_DESCRIBED: Array<[what: string, description: string]> = [
  ['nothing', ''],
  ['white space', ' \n '],
  ['a placeholder', 'TODO'],
  ['a placeholder with punctuation', '**TBD** …'],
  ['several placeholders', 'n/a — see title'],
  ['one letter', 'x'],
  ['one word', 'Broken!'],
  ['dots', '........................................'],
  ['the title again', TITLE],
  ['the title again in another case', `${TITLE.toUpperCase()}!`],
  ['the title as its heading', `# ${TITLE}`],
  ['headings only', '# What is wrong with the export\n\n## What is wanted of it\n'],
  ['a checklist only', '- [ ] dates are exported in every row\n- [ ] a test says so'],
  ['a checklist under a heading', '## Acceptance criteria\n\n- [ ] dates are exported in every row'],
  ['an invisible comment', '<!-- say here what is wrong -->']
]
for (const [what, description] of NOT_DESCRIBED) {
  t.test(`requireCriteria refuses ${what} as a description`, async t => {
    const answer = await create({
      descriptionMarkdown: description,
      acceptanceCriteria: ['dates are exported'],
      requireCriteria: true
    })
    t.match(answer.json(), { statusCode: 400, code: 'VALIDATION', field: 'descriptionMarkdown' })
    t.match(answer.json().message, /no real description/)
  })
  t.test(`create_task refuses ${what} as a description`, async t => {
    const args = { title: TITLE, description, acceptanceCriteria: ['dates are exported'] }
    t.match(await agent.refused('create_task', args), /arguments\.description is no real description/)
  })
}

t.test('without the flag REST takes an issue as it is', async t => {
  t.equal((await create({ descriptionMarkdown: 'TODO' })).statusCode, 201)
  t.equal((await create({})).statusCode, 201)
})

t.test('a description in a script without spaces is a real one', async t => {
  const answer = await create({
    descriptionMarkdown: '导出缺少日期',
    acceptanceCriteria: ['日期已导出'],
    requireCriteria: true
  })
  t.equal(answer.statusCode, 201)
})

t.test('requireCriteria refuses an issue without criteria unless it has a parent', async t => {
  const body = { descriptionMarkdown: DESCRIPTION, requireCriteria: true }
  const answer = await create(body)
  t.match(answer.json(), { statusCode: 400, field: 'acceptanceCriteria' })
  t.match(answer.json().message, /needs acceptance criteria/)
  const { key } = await server.ok<Issue>('/v1/issues', { body: { teamId: 'ENG', title: 'Parent' } })
  t.equal((await create({ ...body, parentId: key })).statusCode, 201)
  t.match(
    await agent.refused('create_task', { title: TITLE, description: DESCRIPTION }),
    /arguments\.acceptanceCriteria/
  )
  t.match(await agent.ok('create_task', { title: TITLE, description: DESCRIPTION, parent: key }), { key: String })
})

t.test('requireCriteria holds for sub-issues and for each issue of a bulk, and names the field', async t => {
  const issue = {
    teamId: 'ENG',
    title: TITLE,
    descriptionMarkdown: DESCRIPTION,
    acceptanceCriteria: ['dates are exported'],
    requireCriteria: true
  }
  const withPart = await create({ ...issue, subIssues: [{ title: 'Part', descriptionMarkdown: 'TODO' }] })
  t.match(withPart.json(), { statusCode: 400, field: 'subIssues.0.descriptionMarkdown' })
  const bulk = await server.call('/v1/issues/bulk', { body: { issues: [issue, { ...issue, acceptanceCriteria: [] }] } })
  t.match(bulk.json(), { statusCode: 400, field: 'issues.1.acceptanceCriteria' })
})

t.test('criteria are appended under a heading of their own', async t => {
  t.equal(
    await described(DESCRIPTION, ['dates are exported', 'a `test` says so']),
    `${DESCRIPTION}\n\n## Acceptance criteria\n\n- [ ] dates are exported\n- [ ] a \`test\` says so`
  )
})

const MARKED: Array<[criterion: string, stored: string[]]> = [
  ['- [ ] it holds', ['- [ ] it holds']],
  ['[ ] it holds', ['- [ ] it holds']],
  ['[] it holds', ['- [ ] it holds']],
  ['[x] it holds', ['- [x] it holds']],
  ['- [X] it holds', ['- [x] it holds']],
  ['* it holds', ['- [ ] it holds']],
  ['+ it holds', ['- [ ] it holds']],
  ['- it holds', ['- [ ] it holds']],
  ['1. it holds', ['- [ ] it holds']],
  ['12) [ ] it holds', ['- [ ] it holds']],
  ['  it\n  holds ', ['- [ ] it holds']],
  ['- [ ] it holds\n- [x] a test says so', ['- [ ] it holds', '- [x] a test says so']],
  ['[x](https://example.com/x) answers', ['- [ ] [x](https://example.com/x) answers']],
  ['3.5 seconds suffice', ['- [ ] 3.5 seconds suffice']],
  ['-5 degrees are shown', ['- [ ] -5 degrees are shown']]
]
for (const [criterion, stored] of MARKED) {
  t.test(`the criterion ${JSON.stringify(criterion)} is stored as ${stored.join(', ')}`, async t => {
    t.equal(
      await described(DESCRIPTION, [criterion]),
      `${DESCRIPTION}\n\n## Acceptance criteria\n\n${stored.join('\n')}`
    )
  })
}

t.test('a description that has the heading gets its criteria under it', async t => {
  t.equal(
    await described(`${DESCRIPTION}\n\n## Acceptance Criteria\n\nAll of these:\n\n## Links\n\nNone yet.\n`, [
      'it holds'
    ]),
    `${DESCRIPTION}\n\n## Acceptance Criteria\n\nAll of these:\n\n- [ ] it holds\n\n## Links\n\nNone yet.\n`
  )
})

t.test('criteria are added to the checklist under the heading, each once', async t => {
  t.equal(
    await described(`${DESCRIPTION}\n\n### Acceptance criteria:\n\n* [x] it holds\n* [ ] a test says so\n`, [
      '- [ ] It holds',
      'the guide is right',
      'the guide is right'
    ]),
    `${DESCRIPTION}\n\n### Acceptance criteria:\n\n* [x] it holds\n* [ ] a test says so\n* [ ] the guide is right\n`
  )
})

t.test('criteria stay criteria after a code block that does not end', async t => {
  const { key } = await server.ok<Issue>('/v1/issues', {
    body: {
      teamId: 'ENG',
      title: TITLE,
      descriptionMarkdown: `${DESCRIPTION}\n\n\`\`\`sh\nrun`,
      acceptanceCriteria: ['it holds']
    }
  })
  t.match(await server.ok(`/v1/issues/${key}/context`), { definitionOfDone: { met: 0, total: 1 } })
})

t.test('an empty criterion is refused', async t => {
  for (const empty of [' ', '- [ ] ', '[x]']) {
    const answer = await create({ descriptionMarkdown: DESCRIPTION, acceptanceCriteria: [empty] })
    t.match(answer.json(), { statusCode: 400, message: /criterion is empty/ }, JSON.stringify(empty))
  }
})

t.test('criteria are added to a description in JSON, too', async t => {
  const description = {
    type: 'doc',
    content: [{ type: 'paragraph', content: [{ type: 'text', text: DESCRIPTION }] }]
  }
  const answer = await create({ description, acceptanceCriteria: ['it holds'], requireCriteria: true })
  t.equal(
    answer.json<Issue>().descriptionMarkdown.trimEnd(),
    `${DESCRIPTION}\n\n## Acceptance criteria\n\n- [ ] it holds`
  )
})

t.test('headings and checklists alone make no issue ready', async t => {
  const heading = await server.ok<Issue>('/v1/issues', {
    body: {
      teamId: 'ENG',
      title: 'Dates',
      descriptionMarkdown: '## Acceptance criteria of this issue\n\n- [ ] dates are exported'
    }
  })
  t.notOk(await isReady(heading))
  const prose = await server.ok<Issue>('/v1/issues', {
    body: { teamId: 'ENG', title: 'Dates', descriptionMarkdown: DESCRIPTION, acceptanceCriteria: ['it holds'] }
  })
  t.ok(await isReady(prose))
  await server.ok(`/v1/issues/${prose.key}`, {
    body: { descriptionMarkdown: '# The dates are lost on export\n\n- [ ] it holds' }
  })
  t.notOk(await isReady(prose), 'nor does a change to such a text leave it ready')
})
