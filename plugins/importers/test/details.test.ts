import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { sql } from 'kysely'
import t from 'tap'
import { importFrom } from '../../../test/import-from.ts'
import { testServer } from '../../../test/runner/harness.ts'
import { temporaryFolder } from '../../../test/runner/temporary-folder.ts'

/* Details that are easily lost or changed in an import. */

const json = (...values: object[]) => values.map(value => JSON.stringify(value)).join('\n')
const jiraIssue = (key: string, fields: object = {}, more: object = {}) => ({
  id: `id-${key}`,
  key,
  fields: { summary: key, project: { key: key.split('-')[0] }, status: { name: 'Open' }, ...fields },
  ...more
})
const done = { name: 'Closed', statusCategory: { key: 'done' } }

t.test('an import', async t => {
  const server = await testServer()
  t.teardown(() => server.close())
  const folderOf = (files: Record<string, string>): string => {
    const folder = temporaryFolder(t)
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), content)
    }
    return folder
  }
  const fileOf = (name: string, content: string) => join(folderOf({ [name]: content }), name)
  interface Context {
    key: string
    descriptionMarkdown: string
    history: Array<{ at: string; change: string; to: string; actor: string }>
    comments: Array<{ bodyMarkdown: string }>
    parent: { key: string } | null
    cycle: { name: string } | null
    linkedIssues: Array<{ url: string }>
  }
  const context = (key: string) => server.ok<Context>(`/v1/issues/${encodeURIComponent(key)}/context`)
  const textOf = async (key: string) => (await context(key)).descriptionMarkdown
  const closings = async (key: string) =>
    (await context(key)).history.filter(({ change }) => change === 'state').map(({ at, to }) => [at, to])

  t.test('keeps when an issue was canceled, from each source', async t => {
    const at = '2024-05-06T07:08:09.000Z'
    const canceled = { status: done, resolution: { name: "Won't Do" }, resolutiondate: at }
    const log = {
      histories: [
        {
          created: '2024-05-06T07:08:10.000+0000',
          author: { name: 'ann' },
          items: [{ field: 'status', fromString: 'Open', toString: 'Closed' }]
        }
      ]
    }
    await importFrom(
      server,
      'jira',
      fileOf('j.jsonl', json(jiraIssue('CXL-1', canceled), jiraIssue('CXL-2', canceled, { changelog: log })))
    )
    t.strictSame(await closings('CXL-1'), [[at, "Closed (Won't Do)"]])
    t.match((await context('CXL-1')).history, [{ actor: 'Unknown (imported)' }])
    t.strictSame(await closings('CXL-2'), [['2024-05-06T07:08:10.000Z', 'Closed']], 'once')
    const pull = { repository_url: 'https://api.github.com/repos/acme/cxlhub', title: 'x', number: 1 }
    const issue = { ...pull, state: 'closed', state_reason: 'not_planned', closed_at: at }
    await importFrom(server, 'github', fileOf('g.jsonl', json(issue)))
    t.strictSame(await closings('CXLHUB-1'), [[at, 'Closed (not planned)']])
    await importFrom(server, 'linear', fileOf('l.csv', `ID,Title,Status,Canceled\nCXLIN-1,x,Canceled,${at}`))
    t.strictSame(await closings('CXLIN-1'), [[at, 'Canceled']])
    const bead = { id: 'cxlbead-1', title: 'x', status: 'rejected', closed_at: at }
    await importFrom(server, 'beads', fileOf('b.jsonl', json(bead)))
    t.strictSame(await closings('CXLBEAD-1'), [[at, 'rejected']])
    const task = `---\nid: CXLMD-1\ntitle: x\nstatus: Won't Do\ncompleted_date: '${at}'\n---\n`
    await importFrom(server, 'backlog-md', folderOf({ 'config.yml': 'task_prefix: cxlmd\n', 'tasks/1.md': task }))
    t.strictSame(await closings('CXLMD-1'), [[at, "Won't Do"]])
  })

  t.test('a long text is cut where it does not fit, and its issue and comment come', async t => {
    const dense = '*a* '.repeat(250_000)
    const rows = json(
      {
        id: 'long-1',
        title: 'Plain',
        description: 'x'.repeat(3_000_000),
        comments: [{ id: 1, text: 'y '.repeat(900_000) }]
      },
      { id: 'long-2', title: 'Dense', description: `Begin\n\n\`\`\`\n${dense}` },
      { id: 'long-3', title: 'Markup', description: dense }
    )
    const { report } = await importFrom(server, 'beads', fileOf('issues.jsonl', rows))
    t.match(report, { added: { issue: 3, comment: 1 }, skipped: [] })
    t.match(report.shortened.map(({ where, kind }) => [where, kind]).sort(), [
      ['line 1', 'comment'],
      ['line 1', 'issue'],
      ['line 3', 'issue']
    ])
    const note = /\n\n\*The import left out the last \d+ characters of this text: it is too long\.\*$/
    for (const key of ['LONG-1', 'LONG-3']) t.match(await textOf(key), note)
    const { rows: comments } = await sql<{ text: string }>`
      select body_markdown as text from comment where body_markdown like 'y y%'`.execute(server.database.db)
    t.match(comments[0]?.text, note)
  })

  t.test('times that are none are reported, from each source', async t => {
    const no = '30/02/2026'
    const hub = { repository_url: 'https://api.github.com/repos/acme/nodays', title: 'x', number: 1, created_at: no }
    const task = `---\nid: NODAY-1\ntitle: x\nstatus: To Do\ncreated_date: ${no}\ndue_date: 2026-13-01\n---\n`
    const places: Record<string, [place: string, ...fields: string[]]> = {
      jira: [
        fileOf('j.jsonl', json(jiraIssue('NODAY-1', { created: no, duedate: '2026-02-30' }))),
        'created',
        'duedate'
      ],
      github: [fileOf('g.jsonl', json(hub)), 'created_at'],
      beads: [fileOf('b.jsonl', json({ id: 'noday-1', title: 'x', updated_at: no })), 'updated_at'],
      'backlog-md': [folderOf({ 'tasks/1.md': task }), 'created_date', 'due_date']
    }
    for (const [source, [place, ...fields]] of Object.entries(places)) {
      const { report, leftOut } = await importFrom(server, source, place, { dryRun: true })
      t.match(report, { added: { issue: 1 }, skipped: [] }, source)
      const reported = leftOut.filter(({ reason }) => reason === 'it is no time')
      t.strictSame(reported.map(({ what }) => what).sort(), fields, source)
    }
  })

  t.test('Jira: backslashes before punctuation go in monospaced text, too', async t => {
    const description = String.raw`Use {{\-\-x}} and {{C:\dir\_a}}, not \{{{}}`
    await importFrom(server, 'jira', fileOf('j.jsonl', json(jiraIssue('ESC-1', { description }))))
    t.match(await textOf('ESC-1'), /^Use `--x` and `C:\\dir_a`/)
  })

  t.test('Jira: sprints, epics and parents by what `schema` says of custom fields', async t => {
    const schema = {
      customfield_1: { type: 'array', custom: 'com.pyxis.greenhopper.jira:gh-sprint' },
      customfield_2: { type: 'any', custom: 'com.pyxis.greenhopper.jira:gh-epic-link' },
      customfield_3: { type: 'any', custom: 'com.atlassian.jpo:jpo-custom-field-parent' },
      customfield_4: { type: 'string', custom: 'com.acme:other' }
    }
    const sprint = (id: number, state: string, dates: object) => ({ id, state, name: `Sprint ${id}`, ...dates })
    const january = { startDate: '2026-01-01T00:00:00Z', endDate: '2026-01-15T00:00:00Z' }
    const text =
      'com.atlassian.greenhopper.service.sprint.Sprint@1f[id=93,rapidViewId=1,state=CLOSED,name=Old, but gold,' +
      'startDate=2025-01-01T00:00:00.000Z,endDate=2025-01-15T00:00:00.000Z,completeDate=<null>,sequence=93]'
    const page = {
      schema,
      issues: [
        jiraIssue('CF-1'),
        jiraIssue('CF-2', {
          customfield_1: [sprint(91, 'active', january), sprint(90, 'closed', january)],
          customfield_2: 'CF-1',
          customfield_4: 'left'
        }),
        jiraIssue('CF-3', { customfield_1: [sprint(92, 'future', {})], customfield_3: { key: 'CF-1', id: 'id-CF-1' } })
      ]
    }
    const file = folderOf({
      'page.json': JSON.stringify(page),
      'server.jsonl': json(jiraIssue('CF-4', { customfield_9: [text] }))
    })
    const { report, leftOut } = await importFrom(server, 'jira', file)
    t.match(report, { added: { issue: 4, cycle: 2, relation: 2 }, skipped: [] })
    t.match(await context('CF-2'), { parent: { key: 'CF-1' }, cycle: { name: 'Sprint 91' } })
    t.match(await context('CF-3'), { parent: { key: 'CF-1' }, cycle: null })
    t.match(await context('CF-4'), { cycle: { name: 'Old, but gold' } })
    t.match(
      leftOut.filter(({ what }) => /field|sprint/.test(what)).map(({ what }) => what),
      ['field customfield_4', 'sprints']
    )
  })

  t.test('Jira: what a change log or a list of comments lacks is counted', async t => {
    const entry = {
      created: '2026-01-02T00:00:00Z',
      author: { name: 'ann' },
      items: [{ field: 'summary', toString: 'x' }]
    }
    const comment = { total: 3, comments: [{ id: 'cut-1', body: 'one' }] }
    const cut = jiraIssue('CUT-1', { comment }, { changelog: { total: 120, histories: [entry] } })
    const { leftOut } = await importFrom(server, 'jira', fileOf('j.jsonl', json(cut)))
    const counts = Object.fromEntries(leftOut.map(({ what, count }) => [what, count]))
    t.match(counts, { 'entries of change logs': 119, comments: 2 })
  })

  t.test('Jira: half a character in the name of an attachment', async t => {
    const issue = {
      id: '1',
      key: 'HALF-1',
      self: 'https://j.example/rest/api/2/issue/1',
      fields: { summary: 'x', project: { key: 'HALF' }, attachment: [{ id: '9', filename: 'a\ud800.png' }] }
    }
    const { report } = await importFrom(server, 'jira', fileOf('half.json', JSON.stringify(issue)))
    t.match(report, { added: { issue: 1 }, skipped: [] })
    t.match(await server.ok('/v1/issues/HALF-1/context'), {
      linkedIssues: [{ url: 'https://j.example/secure/attachment/9/a%EF%BF%BD.png' }]
    })
  })

  t.test('beads: prefixes, parts, references, and two lines of one issue', async t => {
    const rows = json(
      { id: 'my-app-12', title: 'Hyphen', external_ref: 'gh-9' },
      { id: 'my-app-12.1', title: 'Part', external_ref: 'https://a.example/1' },
      { id: 'my-app-wisp-a1b', title: 'Wisp' },
      { id: 'proj-2-15', title: 'Digits' },
      { id: '3d-7', title: 'Leading digit' },
      { id: 'my-app-13', title: 'Newer', updated_at: '2026-02-01T00:00:00Z' },
      { id: 'my-app-13', title: 'Older', updated_at: '2026-01-01T00:00:00Z' },
      { id: 'my-app-14', title: 'Older', updated_at: '2026-01-01T00:00:00Z' },
      { id: 'my-app-14', title: 'Newer', updated_at: '2026-01-01T00:00:00+01:00' },
      { id: 'my-app-14', title: 'Newest', updated_at: '2026-03-01T00:00:00Z' }
    )
    const { report, leftOut } = await importFrom(server, 'beads', fileOf('issues.jsonl', rows))
    t.match(report, { added: { issue: 7, relation: 1 }, skipped: [] })
    t.match(await context('my-app-12'), { key: 'MYAPP-12', title: 'Hyphen', descriptionMarkdown: /gh-9/ })
    t.match(await context('my-app-12.1'), {
      parent: { key: 'MYAPP-12' },
      linkedIssues: [{ url: 'https://a.example/1' }]
    })
    t.match((await context('my-app-wisp-a1b')).key, /^MYAPP-/)
    t.match(await context('proj-2-15'), { key: 'PROJ2-15' })
    t.match(await context('3d-7'), { key: 'BD3D-7' })
    t.match(await context('MYAPP-13'), { title: 'Newer' })
    t.match(await context('MYAPP-14'), { title: 'Newest' })
    t.match(leftOut, [{ what: 'issues', reason: /updated last/, examples: ['line 7', 'line 8', 'line 9'] }])
  })

  t.test('old ids in texts become keys, outside of code, addresses and other words', async t => {
    const text = [
      'After kx-a1, kx-a1.2 and (kx-b2). See kx-b2.',
      'Not `kx-a1`, not xkx-a1, kx-a1-b, kx-zz or https://a.example/kx-a1.',
      '[A link to kx-a1](https://a.example/kx-a1) <!-- kx-a1 -->',
      '',
      '```',
      'kx-a1',
      '```'
    ].join('\n')
    const rows = json(
      { id: 'kx-a1', title: 'One' },
      { id: 'kx-a1.2', title: 'Part' },
      { id: 'kx-b2', title: 'Two', description: text, comments: [{ id: 1, text: 'As KX-A1 says' }] }
    )
    await importFrom(server, 'beads', fileOf('issues.jsonl', rows))
    const [one, part, two] = [await context('kx-a1'), await context('kx-a1.2'), await context('kx-b2')]
    t.equal(
      two.descriptionMarkdown,
      text
        .replace(
          'After kx-a1, kx-a1.2 and (kx-b2). See kx-b2.',
          `After ${one.key}, ${part.key} and (${two.key}). See ${two.key}.`
        )
        .replace('[A link to kx-a1]', `[A link to ${one.key}]`)
    )
    t.match(two.comments, [{ bodyMarkdown: `As ${one.key} says` }])

    // The numbers are taken, so the keys here differ.
    await server.ok('/v1/issues', { body: { title: 'It has a number', teamId: 'ENG' } })
    const first = await server.ok<{ issues: Array<{ key: string }> }>('/v1/issues/filter', { body: { perPage: 1 } })
    const [, taken] = first.issues[0]!.key.split('-')
    const map = fileOf('map.json', JSON.stringify({ teams: { OIT: 'ENG', TASK: 'ENG', OIA: 'ENG' } }))
    for (const source of ['csv', 'linear'] as const) {
      const rows = [
        `${source === 'csv' ? 'Key' : 'ID'},Title,Description`,
        `OIT-${taken},${source} one,`,
        `OIT-9${taken},${source} two,"After OIT-${taken}, not to-do."`
      ]
      const mapFile = fileOf('map.json', JSON.stringify({ name: source, teams: { OIT: 'ENG' } }))
      await importFrom(server, source, fileOf(`${source}.csv`, rows.join('\n')), { mapFile })
    }
    const all = await server.ok<{ issues: Array<{ key: string; title: string; descriptionMarkdown: string }> }>(
      '/v1/issues/filter',
      { body: { perPage: 200, view: 'full' } }
    )
    const named = (title: string) => all.issues.find(issue => issue.title === title)!
    for (const source of ['csv', 'linear']) {
      t.equal(named(`${source} two`).descriptionMarkdown, `After ${named(`${source} one`).key}, not to-do.`, source)
    }
    const task = (n: number, body: string) => `---\nid: TASK-${n}\ntitle: md ${n}\nstatus: To Do\n---\n${body}`
    const backlog = folderOf({ 'tasks/1.md': task(Number(taken), ''), 'tasks/2.md': task(7777, `After task-${taken}`) })
    await importFrom(server, 'backlog-md', backlog, { mapFile: map })
    const tasks = await context('TASK-7777')
    t.equal(tasks.descriptionMarkdown, `After ${(await context(`TASK-${taken}`)).key}`)
    const adf = (...content: object[]) => ({ type: 'doc', content: [{ type: 'paragraph', content }] })
    const inText = adf({ type: 'text', text: 'After OIA-1' })
    await importFrom(
      server,
      'jira',
      fileOf('j.jsonl', json(jiraIssue('OIA-1'), jiraIssue('OIA-2', { description: inText }))),
      {
        mapFile: map
      }
    )
    t.equal(await textOf('OIA-2'), `After ${(await context('OIA-1')).key}`)
  })

  t.test('mentions resolve by the people of the whole file, and as they are called here', async t => {
    const ann = { key: 'JIRAUSER1', name: 'ann.b', displayName: 'Ann Bold', emailAddress: 'ann.b@acme.example' }
    const cleo = { accountId: '557058:cleo', displayName: 'Cleo' }
    await importFrom(
      server,
      'jira',
      fileOf(
        'j.jsonl',
        json(
          jiraIssue('MEN-1', {
            description: 'Ask [~ann.b], [~accountid:557058:cleo], [~JIRAUSER1], [~dora] and [~nobody].'
          }),
          jiraIssue('MEN-2', {
            reporter: ann,
            assignee: cleo,
            description: {
              type: 'doc',
              content: [{ type: 'paragraph', content: [{ type: 'mention', attrs: { id: '557058:cleo' } }] }]
            }
          }),
          jiraIssue('MEN-3', { reporter: { name: 'dora', displayName: 'Dora' } })
        )
      ),
      { mapFile: fileOf('map.json', JSON.stringify({ people: { dora: 'Dora Here' } })) }
    )
    t.equal(await textOf('MEN-1'), 'Ask @Ann Bold, @Cleo, @Ann Bold, @Dora Here and @nobody.')
    t.equal(await textOf('MEN-2'), '@Cleo')
    const issue = (number: number, body: string, login: string) => ({
      repository_url: 'https://api.github.com/repos/acme/mention',
      title: 'x',
      number,
      body,
      user: { login }
    })
    await importFrom(
      server,
      'github',
      fileOf('g.jsonl', json(issue(1, 'cc @eve-1, `@eve-1` and @ghost', 'fay'), issue(2, 'By @Fay.', 'eve-1'))),
      { mapFile: fileOf('map.json', JSON.stringify({ people: { 'eve-1': 'Eve Here' } })) }
    )
    t.equal(await textOf('MENTION-1'), 'cc @Eve Here, `@eve-1` and @ghost')
    t.equal(await textOf('MENTION-2'), 'By @fay.')
  })

  t.test('HTML’s images become markdown’s', async t => {
    const body = [
      '<img width="500" alt="A [shot]" src="https://a.example/1.png?a=1&amp;b=2">',
      "<p align='center'><img src='https://a.example/2.png'/></p>",
      '`<img src="https://a.example/3.png">` <img src="relative.png">'
    ].join('\n\n')
    const issue = { repository_url: 'https://api.github.com/repos/acme/image', title: 'x', number: 1, body }
    await importFrom(server, 'github', fileOf('g.jsonl', json(issue)))
    const text = await textOf('IMAGE-1')
    t.match(text, String.raw`![A \[shot\]](https://a.example/1.png?a=1&b=2)`)
    t.match(text, '![](https://a.example/2.png)')
    t.match(text, '`<img src="https://a.example/3.png">`')
    const html = '{html}<img src="https://a.example/4.png" alt="four">{html}'
    await importFrom(server, 'jira', fileOf('j.jsonl', json(jiraIssue('IMG-1', { description: html }))))
    t.match(await textOf('IMG-1'), '![four](https://a.example/4.png)')
  })

  t.test('Backlog.md: a configuration that cannot be read is named', async t => {
    const folder = folderOf({ 'config.yml': 'project_name: One: two\n', 'tasks/1.md': '---\nid: T-1\ntitle: x\n---\n' })
    await t.rejects(importFrom(server, 'backlog-md', folder), {
      message: /config\.yml cannot be read: .*line 1, column 15/
    })
  })

  t.test('removes the temporary folders of imports that were killed, and no others', async t => {
    const { pid } = spawnSync(process.execPath, ['--version'])
    const host = hostname()
    const name = (id: number, owner = host) => join(tmpdir(), `tracker-import-${id}@${owner}-abc123`)
    const [killed, others, elsewhere] = [name(pid), name(process.ppid), name(pid, 'elsewhere')]
    for (const folder of [killed, others, elsewhere]) mkdirSync(folder)
    const names = [others, elsewhere].map(folder => basename(folder))
    t.teardown(() => {
      for (const folder of [others, elsewhere]) spawnSync('rmdir', [folder])
    })
    await importFrom(server, 'csv', fileOf('x.csv', 'Key,Title\nTMP-1,x'))
    const remaining = readdirSync(tmpdir())
    t.notOk(remaining.includes(basename(killed)))
    for (const folder of names) t.ok(remaining.includes(folder))
    t.notOk(
      remaining.some(folder => folder.startsWith(`tracker-import-${process.pid}@`)),
      'its own goes, too'
    )
  })
})
