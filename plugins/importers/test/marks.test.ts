import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { testServer } from '../../../test/runner/harness.ts'
import { importFrom } from '../../../test/import-from.ts'
import { temporaryFolder } from '../../../test/runner/temporary-folder.ts'

/* Records with marks are left out and counted, and imported on request. */

const fileOf = (name: string, content: string | object[]): string => {
  const file = join(temporaryFolder(t), name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, typeof content === 'string' ? content : content.map(record => JSON.stringify(record)).join('\n'))
  return file
}

t.test('what is not for all', async t => {
  const server = await testServer()
  t.teardown(() => server.close())
  const context = (key: string) =>
    server.ok<{ comments: Array<{ bodyMarkdown: string }> }>(`/v1/issues/${encodeURIComponent(key)}/context`)
  const bodiesOf = async (key: string) => (await context(key)).comments.map(({ bodyMarkdown }) => bodyMarkdown)
  const isThere = async (key: string) =>
    (await server.call(`/v1/issues/${encodeURIComponent(key)}/context`)).statusCode === 200
  const names = async () => (await server.ok<Array<{ fullname: string }>>('/v1/users')).map(user => user.fullname)

  t.test('Jira: comments for a role, a group or agents, and issues with a security level', async t => {
    const status = { name: 'Open', statusCategory: { key: 'new' } }
    const issue = (id: string, fields: object) => ({
      id,
      key: `SEC-${id}`,
      fields: { summary: `Issue ${id}`, project: { key: 'SEC', name: 'Secrets' }, status, ...fields }
    })
    const author = (name: string) => ({ key: name, displayName: name })
    const comments = [
      { id: '11', body: 'For all', author: author('Olga'), jsdPublic: true },
      { id: '12', body: 'For admins', author: author('Rolf'), visibility: { type: 'role', value: 'Administrators' } },
      { id: '13', body: 'For a group', author: author('Gerd'), visibility: { type: 'group', value: 'staff' } },
      { id: '14', body: 'For agents', author: author('Jana'), jsdPublic: false },
      {
        id: '15',
        body: 'For agents, as a property',
        author: author('Jana'),
        properties: [{ key: 'sd.public.comment', value: { internal: true } }]
      }
    ]
    const file = fileOf('board.jsonl', [
      issue('1', {
        comment: { total: 5, comments },
        issuelinks: [{ type: { outward: 'blocks' }, outwardIssue: { id: '2' } }]
      }),
      issue('2', { security: { name: 'Staff' }, comment: { total: 1, comments: [{ id: '21', body: 'Hidden' }] } }),
      issue('3', { issuerestriction: { issuerestrictions: { projectrole: [{ id: '1' }] } } }),
      issue('4', { archiveddate: '2025-01-01T00:00:00.000+0000', parent: { id: '1' } }),
      issue('5', { issuerestriction: { issuerestrictions: {}, shouldDisplay: false }, description: 'After SEC-2.' })
    ])
    const { report, leftOut } = await importFrom(server, 'jira', file)
    t.match(report, { added: { issue: 2, comment: 1, relation: 0 }, skipped: [] })
    t.strictSame(await bodiesOf('SEC-1'), ['For all'])
    t.notOk((await isThere('SEC-2')) || (await isThere('SEC-3')) || (await isThere('SEC-4')))
    t.match(await context('SEC-5'), { descriptionMarkdown: 'After SEC-2.' })
    t.notOk((await names()).includes('Rolf'), 'nor do the people come who said only that')
    const omitted = leftOut.filter(({ what }) => !what.startsWith('field '))
    const counts = omitted.map(({ what, reason, count }) => `${count} ${what}: ${reason.split(';')[0]}`)
    t.strictSame(counts.sort(), [
      '1 issues: they are archived there',
      '1 relations: they are of issues that are left out',
      '2 issues: only some people may read them there',
      '4 comments: only some people may read them there'
    ])

    const all = await importFrom(server, 'jira', file, { include: 'restricted,archived' })
    t.match(all.report, { added: { issue: 3, comment: 5, relation: 2 }, skipped: [] })
    t.equal((await bodiesOf('SEC-1')).length, 5)
    await t.rejects(importFrom(server, 'jira', file, { include: 'all' }), /--include takes restricted, archived/)
  })

  t.test('beads: tombstones are deletions', async t => {
    const bead = (id: string, more: object = {}) => ({ id, title: id, status: 'open', ...more })
    const { report, leftOut } = await importFrom(
      server,
      'beads',
      fileOf('issues.jsonl', [
        bead('tb-1', { dependencies: [{ depends_on_id: 'tb-2', type: 'blocks' }] }),
        bead('tb-2', { status: 'tombstone', comments: [{ id: 1, text: 'Gone' }] }),
        { id: 'tb-3', status: 'tombstone', deleted_at: '2026-01-01T00:00:00Z' },
        bead('tb-4', { deleted_at: '2026-01-01T00:00:00Z' })
      ]),
      { include: 'restricted,archived' }
    )
    t.match(report, { added: { issue: 1, comment: 0, relation: 0 }, skipped: [] })
    t.notOk(await isThere('tb-2'))
    t.match(leftOut, [
      { what: 'issues', reason: /deleted/, count: 3, examples: ['line 2', 'line 3', 'line 4'] },
      { what: 'relations', count: 1 }
    ])
  })

  t.test('GitHub: issues and comments that are confidential', async t => {
    const repository = 'https://api.github.com/repos/acme/hush'
    const issue = (number: number, more: object = {}) => ({
      number,
      title: `Issue ${number}`,
      repository_url: repository,
      ...more
    })
    const comment = (id: number, number: number, more: object = {}) => ({
      id,
      body: `Comment ${id}`,
      issue_url: `${repository}/issues/${number}`,
      ...more
    })
    const { report, leftOut } = await importFrom(
      server,
      'github',
      fileOf('pages.jsonl', [
        issue(1),
        issue(2, { confidential: true }),
        comment(1, 1),
        comment(2, 1, { internal: true }),
        comment(3, 2)
      ])
    )
    t.match(report, { added: { issue: 1, comment: 1 }, skipped: [] })
    t.strictSame(leftOut.map(({ what, count }) => `${count} ${what}`).sort(), ['1 comments', '1 comments', '1 issues'])
  })

  t.test('tables: columns that say so', async t => {
    const linear = 'ID,Team,Title,Status,Archived\nARC-1,ARC,Old,Done,2026-01-01\nARC-2,ARC,New,Todo,\n'
    const first = await importFrom(server, 'linear', fileOf('linear.csv', linear))
    t.match(first.report, { added: { issue: 1 }, skipped: [] })
    t.match(first.leftOut, [{ what: 'issues', reason: /archived/, count: 1 }])
    const gitlab = 'Key,Title,Confidential\nGLB-1,Open,No\nGLB-2,Hidden,Yes\nGLB-3,Also open,\n'
    const second = await importFrom(server, 'csv', fileOf('gitlab.csv', gitlab))
    t.match(second.report, { added: { issue: 2 }, skipped: [] })
    t.match(second.leftOut, [{ what: 'issues', reason: /only some people/, count: 1 }])
  })

  t.test('Backlog.md: the archive, but not the task that has the id of an archived one', async t => {
    const task = (id: string, front = '') => `---\nid: ${id}\ntitle: ${id}\nstatus: To Do\n${front}---\n`
    const root = join(fileOf('config.yml', 'project_name: Old\ntask_prefix: ar\n'), '..')
    const write = (name: string, content: string) => {
      mkdirSync(dirname(join(root, name)), { recursive: true })
      writeFileSync(join(root, name), content)
    }
    write('tasks/ar-1.md', task('AR-1'))
    write('tasks/ar-2.md', task('AR-2', 'dependencies: [ar-1, ar-3]\n'))
    write('archive/tasks/ar-1.md', task('AR-1'))
    write('archive/tasks/ar-3.md', task('AR-3'))
    const { report, leftOut } = await importFrom(server, 'backlog-md', root)
    t.match(report, { added: { issue: 2, relation: 1 }, skipped: [] })
    t.match(leftOut, [
      { what: 'issues', reason: /archived/, count: 2 },
      { what: 'relations', count: 1 }
    ])
    const all = await importFrom(server, 'backlog-md', root, { include: 'archived' })
    t.match(all.report, { added: { issue: 2, relation: 1 }, skipped: [] })
  })
})
