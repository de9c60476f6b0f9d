import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sql } from 'kysely'
import t from 'tap'
import { importFrom } from '../../../test/import-from.ts'
import { testServer } from '../../../test/runner/harness.ts'
import { temporaryFolder } from '../../../test/runner/temporary-folder.ts'

/* The result of each source for one small board: docs/importers.md has the tables. */
const folderOf = (files: Record<string, string | object[]>): string => {
  const folder = temporaryFolder(t)
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
  }
  return folder
}

t.test('a source', async t => {
  const server = await testServer()
  t.teardown(() => server.close())
  const context = (key: string) => server.ok<object>(`/v1/issues/${encodeURIComponent(key)}/context`)

  /** Stored fields of an issue that routes do not show. */
  const stored = async (title: string) => {
    const { rows } = await sql<{ author: string; completedAt: Date | null }>`
      select a.fullname as author, i.completed_at as "completedAt"
      from issue i join account a on a.workspace_id = i.workspace_id and a.id = i.created_by_id
      where i.title = ${title}`.execute(server.database.db)
    return { ...rows[0] }
  }

  t.test('Jira: versions, components, attachments, sprints, history and links', async t => {
    const user = (name: string) => ({ accountId: `id-${name}`, displayName: name })
    const status = { name: 'Closed', statusCategory: { key: 'done' } }
    const history = (created: string, field: string, fromString: string, toString: string) => ({
      created,
      author: user('Ben'),
      items: [{ field, fromString, toString }]
    })
    const issue = (id: string, key: string, fields: object, more: object = {}) => ({
      id,
      key,
      self: `https://j.example/rest/api/2/issue/${id}`,
      fields: { summary: key, project: { key: 'ALL', name: 'All of it' }, status: { name: 'Open' }, ...fields },
      ...more
    })
    const whole = issue(
      '1',
      'ALL-1',
      {
        description: 'See !shot.png! and [~id-Ben].',
        environment: 'Linux',
        issuetype: { name: 'Bug' },
        status,
        resolution: { name: 'Duplicate' },
        priority: { name: 'Blocker' },
        labels: ['slow'],
        components: [{ name: 'Parser' }],
        fixVersions: [{ name: '2.0' }],
        versions: [{ name: '1.0' }],
        reporter: user('Ann'),
        assignee: user('Ben'),
        parent: { id: '2' },
        duedate: '2026-03-04',
        created: '2026-01-01T10:00:00.000+0100',
        sprint: { id: 7, name: 'S7', startDate: '2026-01-01T00:00:00Z', endDate: '2026-01-15T00:00:00Z' },
        attachment: [{ id: '9', filename: 'shot.png', created: '2026-01-01T09:00:00Z' }],
        issuelinks: [{ type: { outward: 'blocks' }, outwardIssue: { id: '2' } }],
        worklog: { total: 1 }
      },
      {
        changelog: {
          histories: [
            history('2026-01-02T00:00:00Z', 'status', 'Open', 'Closed'),
            history('2026-01-02T00:00:00Z', 'Rank', '1', '2')
          ]
        }
      }
    )
    const file = join(folderOf({ 'board.jsonl': [whole, issue('2', 'ALL-2', {})] }), 'board.jsonl')
    const { report, leftOut } = await importFrom(server, 'jira', file)
    t.match(report, { added: { issue: 2, relation: 2, cycle: 1, account: 2 }, skipped: [] })
    t.match(await context('ALL-1'), {
      descriptionMarkdown:
        'See ![shot.png](https://j.example/secure/attachment/9/shot.png) and @Ben.\n\n**Environment**\n\nLinux',
      state: { name: 'Closed (Duplicate)', category: 'CANCELED' },
      priority: 1,
      dueDate: '2026-03-04',
      createdAt: '2026-01-01T09:00:00.000Z',
      assignee: { fullname: 'Ben' },
      parent: { key: 'ALL-2' },
      cycle: { name: 'S7' },
      linkedIssues: [{ title: 'shot.png', url: 'https://j.example/secure/attachment/9/shot.png' }],
      relations: [{ type: 'BLOCKS', issue: { key: 'ALL-2' } }],
      history: [{ at: '2026-01-02T00:00:00.000Z', actor: 'Ben', change: 'state', from: 'Open', to: 'Closed' }]
    })
    t.strictSame(await stored('ALL-1'), { author: 'Ann', completedAt: null })
    const { labels } = (await context('ALL-1')) as { labels: Array<{ name: string }> }
    t.strictSame(labels.map(({ name }) => name).sort(), ['Affects: 1.0', 'Bug', 'Fix: 2.0', 'Parser', 'slow'])
    t.strictSame(leftOut.map(({ what }) => what).sort(), ['field worklog', 'history of Rank'])
  })

  t.test('beads: sections, dependencies, comments and the reason for closing', async t => {
    const bead = (id: string, more: object) => JSON.stringify({ id, title: id, status: 'open', ...more })
    const file = [
      bead('bx-1', {
        description: 'What.',
        design: 'How.',
        acceptance_criteria: '- one\n**two** parts\n1.5 seconds',
        notes: 'Then.',
        status: 'closed',
        priority: 0,
        issue_type: 'bug',
        labels: ['cli'],
        created_by: 'ann',
        assignee: 'ben',
        created_at: '2026-01-01T00:00:00Z',
        closed_at: '2026-01-03T00:00:00Z',
        close_reason: 'It is fixed.',
        external_ref: 'https://a.example/1',
        comments: [{ id: 1, author: 'ann', text: 'Look at bx-2.', created_at: '2026-01-02T00:00:00Z' }],
        dependencies: [
          { depends_on_id: 'bx-2', type: 'parent-child' },
          { depends_on_id: 'bx-3', type: 'blocks' },
          { depends_on_id: 'bx-3', type: 'discovered-from' }
        ]
      }),
      bead('bx-2', { status: 'in_progress' }),
      bead('bx-3', { status: 'deferred' })
    ]
    const { report } = await importFrom(server, 'beads', folderOf({ 'issues.jsonl': file.join('\n') }))
    t.match(report, { added: { issue: 3, comment: 2, account: 2, relation: 3 }, skipped: [] })
    t.match(await context('BX-1'), {
      descriptionMarkdown: /What\.[^]*How\.[^]*- \[ \] one\n- \[ \] \*\*two\*\* parts\n- \[ \] 1\.5 seconds[^]*Then\./,
      state: { category: 'COMPLETED' },
      priority: 1,
      assignee: { fullname: 'ben' },
      parent: { key: 'BX-2' },
      linkedIssues: [{ url: 'https://a.example/1' }],
      comments: [{ author: { fullname: 'ann (2)' } }, { bodyMarkdown: /It is fixed/ }]
    })
    t.strictSame(await stored('bx-1'), { author: 'ann (2)', completedAt: new Date('2026-01-03T00:00:00Z') })
    t.match(await context('BX-2'), { state: { category: 'STARTED' } })
    t.match(await context('BX-3'), { state: { category: 'BACKLOG' } })
  })

  t.test('Backlog.md: tasks with criteria, milestones, parts, comments, drafts and the archive', async t => {
    const task = (id: string, front: string, body = '') => `---\nid: ${id}\ntitle: ${id}\n${front}---\n${body}`
    const folder = folderOf({
      'config.yml': 'project_name: Small\ntask_prefix: bm\n',
      'milestones/m-1.md': '---\nid: m-1\ntitle: First\n---\nThe goal.',
      'tasks/bm-1.md': task(
        'BM-1',
        "status: In Progress\nassignee: ['@ann', '@ben']\nreporter: '@ben'\nlabels: [cli]\npriority: high\n" +
          "milestone: m-1\ncreated_date: '2026-01-01'\nreferences:\n  - https://a.example/2\n  - src/main.ts\n",
        '## Description\n\n<!-- SECTION:DESCRIPTION:BEGIN -->\nWhat.\n<!-- SECTION:DESCRIPTION:END -->\n\n' +
          '## Acceptance Criteria\n<!-- AC:BEGIN -->\n- [x] #1 one\n- [ ] #2 two\n<!-- AC:END -->\n\n' +
          '## Comments\n\n<!-- COMMENTS:BEGIN -->\nauthor: @ben\ncreated: 2026-01-02 10:00\n---\nNoted.\n---\n' +
          '<!-- COMMENTS:END -->\n'
      ),
      'completed/bm-1.1.md': task('BM-1.1', 'status: Done\nparent_task_id: BM-1\ndependencies: [bm-2]\n'),
      'drafts/bm-2.md': task('BM-2', 'status: To Do\n'),
      'archive/tasks/bm-3.md': task('BM-3', 'status: To Do\n'),
      'docs/readme.md': 'No task.'
    })
    const { report, leftOut } = await importFrom(server, 'backlog-md', folder, { include: 'archived' })
    t.match(report, { added: { issue: 4, comment: 1, project: 1, account: 2, relation: 2 }, skipped: [] })
    t.match(await context('BM-1'), {
      descriptionMarkdown: /What\.[\s\S]*- \[x\] #1 one\n- \[ \] #2 two[\s\S]*- src\/main\.ts/,
      state: { category: 'STARTED' },
      priority: 2,
      assignee: { fullname: 'ann' },
      project: { name: 'First' },
      createdAt: '2026-01-01T00:00:00.000Z',
      labels: [{ name: 'cli' }],
      linkedIssues: [{ url: 'https://a.example/2' }],
      comments: [{ bodyMarkdown: 'Noted.', author: { fullname: 'ben (3)' }, createdAt: '2026-01-02T10:00:00.000Z' }]
    })
    t.strictSame(await stored('BM-1'), { author: 'ben (3)', completedAt: null })
    t.match(await context('BM-1.1'), {
      parent: { key: 'BM-1' },
      relations: [{ type: 'BLOCKED', issue: { key: 'BM-2' } }]
    })
    t.match(await context('BM-2'), { state: { category: 'TRIAGE' } })
    t.match(await context('BM-3'), { state: { category: 'CANCELED' } })
    t.strictSame(leftOut.map(({ what }) => what).sort(), ['assignees', 'docs'])
  })

  t.test('GitHub: saved pages of issues, pull requests and comments', async t => {
    const repository = 'https://api.github.com/repos/acme/saved'
    const issue = (number: number, more: object = {}) => ({
      number,
      title: `Issue ${number}`,
      state: 'open',
      user: { login: 'ann' },
      html_url: `https://github.com/acme/saved/issues/${number}`,
      repository_url: repository,
      ...more
    })
    const folder = folderOf({
      'issues-1.json': [
        issue(1, {
          body: 'After #2, not `#2`.',
          labels: [{ name: 'bug' }],
          type: { name: 'Defect' },
          milestone: { number: 4, title: 'Second', description: 'The goal.' },
          assignee: { login: 'ben' },
          assignees: [{ login: 'ben' }, { login: 'ann' }],
          sub_issues: [issue(2)]
        }),
        issue(3, { title: 'Fix it', body: 'Closes #1', pull_request: {} })
      ],
      'issues-2.json': [issue(2, { state: 'closed', state_reason: 'not_planned' })],
      'comments.json': [
        { id: 7, issue_url: `${repository}/issues/1`, body: 'See acme/saved#2', user: { login: 'ben' } },
        { id: 8, issue_url: `${repository}/issues/3`, body: 'Nice', user: { login: 'ben' } }
      ]
    })
    const { report, leftOut } = await importFrom(server, 'github', folder)
    t.match(report, { added: { issue: 2, comment: 1, project: 1, account: 2, relation: 1 }, skipped: [] })
    t.match(await context('SAVED-1'), {
      descriptionMarkdown: 'After SAVED-2, not `#2`.',
      project: { name: 'Second' },
      assignee: { fullname: 'ben' },
      subIssues: [{ key: 'SAVED-2' }],
      linkedIssues: [{ title: 'Fix it' }],
      comments: [{ bodyMarkdown: 'See SAVED-2', author: { fullname: 'ben' } }]
    })
    t.match(await context('acme/saved#2'), { state: { category: 'CANCELED' } })
    t.strictSame(leftOut.map(({ what }) => what).sort(), ['assignees', 'comments'])
  })

  t.test('CSV: days as they are written, what is none reported, and rows without ids of each file', async t => {
    const folder = folderOf({
      'dates.csv': [
        'Key,Title,Due,Created,Estimate,Priority',
        'CSV-1,Plain,12/31/2025,"Jan 5, 2026 10:00 AM",2,High',
        'CSV-2,Zoned,2026-03-01T00:00:00+02:00,2026-03-01T00:00:00+02:00,0,No priority',
        'CSV-3,Odd,soon,never,few,P9'
      ].join('\n'),
      'bugs.csv': 'Title\nOne\n',
      'wishes.csv': 'Title\nTwo\n'
    })
    const { TZ } = process.env
    process.env['TZ'] = 'Europe/Berlin'
    t.teardown(() => {
      if (TZ === undefined) delete process.env['TZ']
      else process.env['TZ'] = TZ
    })
    const { report, leftOut } = await importFrom(server, 'csv', join(folder, 'dates.csv'))
    t.match(report, { added: { issue: 3 }, skipped: [] })
    t.match(await context('CSV-1'), { dueDate: '2025-12-31', createdAt: '2026-01-05T10:00:00.000Z', priority: 2 })
    t.match(await context('CSV-2'), { dueDate: '2026-03-01', createdAt: '2026-02-28T22:00:00.000Z', priority: 0 })
    t.match(await context('CSV-3'), { dueDate: null, estimate: null, priority: 0 })
    t.strictSame(leftOut.map(({ what }) => what).sort(), ['createdAt', 'dueDate', 'estimate', "priority 'P9'"])
    for (const file of ['bugs.csv', 'wishes.csv', 'bugs.csv']) {
      const { report } = await importFrom(server, 'csv', join(folder, file), { board: file })
      t.match(report, { updated: {}, skipped: [] }, file)
    }
    t.match(await context('CSV-4'), { title: 'One' })
    t.match(await context('CSV-5'), { title: 'Two' })
  })

  t.test('CSV: an issue of a row with an id and a key is named by either', async t => {
    const folder = folderOf({
      'both.csv': [
        'Id,Key,Title,Parent,Blocks',
        '10,BOTH-2,By key,BOTH-1,both-3',
        '11,BOTH-1,Parent,,10',
        '12,BOTH-3,By id,11,',
        '13,10,Named as an id is,,'
      ].join('\n')
    })
    const map = join(folder, 'map.json')
    writeFileSync(map, JSON.stringify({ columns: { Blocks: 'blockedBy' } }))
    for (const added of [4, 0]) {
      const { report } = await importFrom(server, 'csv', join(folder, 'both.csv'), { mapFile: map })
      t.match(report, { added: { relation: added }, skipped: [] })
    }
    t.match(await context('BOTH-1'), {
      subIssues: [{ key: 'BOTH-2' }, { key: 'BOTH-3' }],
      relations: [{ issue: { key: 'BOTH-2' } }]
    })
  })

  t.test('CSV: an id that two rows have is the first one’s, in each import', async t => {
    const folder = folderOf({
      'twice.csv': 'Key,Title,Due\nTWICE-1,First,2026-02-30\nTWICE-1,Second,\nTWICE-2,Other,2026-02-28\n'
    })
    for (const added of [2, 0]) {
      const { report, leftOut } = await importFrom(server, 'csv', join(folder, 'twice.csv'))
      t.match(report, { added: { issue: added }, updated: {}, skipped: [] })
      t.same(Object.keys(report.updated), [])
      t.match(leftOut, [
        { what: 'dueDate', examples: ['line 2'] },
        { what: 'issues', reason: /twice/, examples: ['line 3'] }
      ])
    }
    t.match(await context('TWICE-1'), { title: 'First', dueDate: null })
    t.match(await context('TWICE-2'), { dueDate: '2026-02-28' })
  })

  t.test('names that every object inherits are names like any other', async t => {
    const folder = folderOf({
      'names.csv':
        'Key,Title,State,Labels,Assignee,Priority,constructor\n' +
        'NAMES-1,x,valueOf,"constructor,noise",toString,constructor,y\n',
      'map.json': JSON.stringify({
        labels: { noise: null },
        people: {},
        states: {},
        teams: {},
        priorities: {},
        columns: {}
      })
    })
    const options = { mapFile: join(folder, 'map.json') }
    const { leftOut } = await importFrom(server, 'csv', join(folder, 'names.csv'), options)
    t.match(await context('NAMES-1'), {
      state: { name: 'valueOf' },
      labels: [{ name: 'constructor' }],
      assignee: { fullname: 'toString' },
      priority: 0
    })
    t.strictSame(leftOut.map(({ what }) => what).sort(), [
      "category of the state 'valueOf'",
      'column constructor',
      "priority 'constructor'"
    ])
  })

  t.test('its events say that they come from an import: webhooks leave them out', async t => {
    const { db } = server.database
    const rows = await db
      .selectFrom('event')
      .select('type')
      .distinct()
      .where('origin', '=', 'import')
      .where('type', 'in', ['issue.created', 'comment.created'])
      .execute()
    t.equal(rows.length, 2)
    const others = await db
      .selectFrom('event')
      .select('type')
      .where('origin', '!=', 'import')
      .where('type', 'in', ['issue.created', 'issue.updated', 'comment.created'])
      .execute()
    t.strictSame(others, [])
  })
})
