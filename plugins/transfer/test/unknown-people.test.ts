import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import t from 'tap'
import { testServer } from '../../../test/runner/harness.ts'
import { importFrom } from '../../../test/import-from.ts'
import { temporaryFolder } from '../../../test/runner/temporary-folder.ts'
import { transferOf } from '../../../test/transfer.ts'
import { reportText } from '../import/report.ts'

const UNKNOWN = 'Unknown (imported)'
const TEAM = { kind: 'team', identifier: 'WHO', name: 'Who', states: [{ name: 'Open', category: 'UNSTARTED' }] }

t.test('nobody becomes the author of what names no author', async t => {
  const server = await testServer()
  t.teardown(() => server.close())
  const { read, written } = await transferOf(server)
  const context = (key: string) =>
    server.ok<{
      comments: Array<{ bodyMarkdown: string; author: { fullname: string } }>
      history: Array<{ change: string; actor: string }>
    }>(`/v1/issues/${encodeURIComponent(key)}/context`)
  /** The authors of a table's rows. */
  const people = async (table: string, columns: readonly string[]) => {
    const names = columns.map(
      column => sql`(select fullname from account where id = r.${sql.id(column)}) as ${sql.id(column)}`
    )
    const { rows } = await sql<object>`select distinct ${sql.join(names)} from ${sql.table(table)} r`.execute(
      server.database.db
    )
    return rows
  }
  const fileOf = (name: string, records: object[]) => {
    const file = join(temporaryFolder(t), name)
    writeFileSync(file, records.map(record => JSON.stringify(record)).join('\n'))
    return file
  }
  // An account with this name, which earlier versions allowed, is a real account.
  await read([{ kind: 'account', externalId: 'live', type: 'PERSON', fullname: 'Live', role: 'MEMBER' }])
  await server.database.db.updateTable('account').set({ fullname: UNKNOWN }).where('fullname', '=', 'Live').execute()

  t.test('in the import format: issues, comments, answers, relations, projects and knowledge', async t => {
    const issue = (name: string) => ({ kind: 'issue', externalId: name, team: 'WHO', title: name, state: 'Open' })
    const comment = { kind: 'comment', issue: 'who-a', createdAt: '2020-01-01T00:00:00.000Z' }
    const { skipped } = await read([
      { kind: 'account', externalId: 'asker', type: 'PERSON', fullname: 'Asker', role: 'MEMBER' },
      TEAM,
      { kind: 'project', externalId: 'who-p', name: 'Project of nobody' },
      { ...issue('who-a'), author: 'asker', createdAt: '2020-01-01T00:00:00Z', updatedAt: '2020-01-02T00:00:00Z' },
      issue('who-b'),
      { kind: 'relation', issue: 'who-a', type: 'BLOCKS', relatedIssue: 'who-b' },
      { ...comment, externalId: 'who-c', bodyMarkdown: 'Said by nobody' },
      { ...comment, externalId: 'who-d', bodyMarkdown: 'Which?', author: 'asker', question: { status: 'WITHDRAWN' } },
      { kind: 'knowledge', externalId: 'who-k', content: 'A fact' }
    ])
    t.strictSame(skipped, [])
    const rows = await people('issue', ['created_by_id', 'updated_by_id'])
    t.strictSame(
      rows.map(row => JSON.stringify(Object.values(row))).sort(),
      [
        ['Asker', UNKNOWN],
        [UNKNOWN, UNKNOWN]
      ].map(row => JSON.stringify(row))
    )
    t.strictSame(await people('project', ['created_by_id']), [{ createdById: UNKNOWN }])
    t.strictSame(await people('issue_relation', ['created_by_id']), [{ createdById: UNKNOWN }])
    t.strictSame(await people('knowledge_entry', ['created_by_id']), [{ createdById: UNKNOWN }])
    t.strictSame(await people('comment_question', ['closed_by_id']), [{ closedById: UNKNOWN }])
    t.match((await context('WHO-1')).comments, [{ author: { fullname: UNKNOWN } }, { author: { fullname: 'Asker' } }])
    const lines = (await written()).map(line => JSON.parse(line) as Record<string, unknown>)
    const unknown = lines.filter(({ fullname }) => fullname === UNKNOWN)
    t.equal(unknown.length, 2, 'one account of the import, and one person who is called so')
    const removed = unknown.find(({ deletedAt }) => deletedAt !== undefined)
    t.equal(lines.find(({ title }) => title === 'who-b')!['author'], removed?.['externalId'])
  })

  t.test('from other trackers, at first and when they change', async t => {
    const issue = (summary: string, parent: string) => ({
      id: '1',
      key: 'JWHO-1',
      fields: {
        summary,
        project: { key: 'JWHO' },
        status: { name: 'Open', statusCategory: { key: 'new' } },
        reporter: null,
        creator: null,
        parent: { id: parent },
        created: '2020-01-01T00:00:00.000+0000',
        comment: { comments: [{ id: '1', body: 'Anonymous' }] }
      },
      changelog: {
        histories: [{ created: '2020-01-02T00:00:00Z', items: [{ field: 'status', toString: 'Open' }] }]
      }
    })
    const other = (id: string) => ({ ...issue('Other', ''), id, key: `JWHO-${id}`, changelog: {} })
    await importFrom(server, 'jira', fileOf('a.jsonl', [issue('Old', '2'), other('2'), other('3')]))
    await importFrom(server, 'jira', fileOf('b.jsonl', [issue('New', '3'), other('2'), other('3')]))
    const { history, comments } = await context('JWHO-1')
    t.match(comments, [{ author: { fullname: UNKNOWN } }])
    t.ok(history.some(({ change }) => change === 'parent'))
    t.ok(history.some(({ change }) => change === 'state'))
    t.strictSame([...new Set(history.map(({ actor }) => actor))], [UNKNOWN])
    const bead = { id: 'who-1', title: 'Bead', status: 'closed', close_reason: 'Done by nobody that it names' }
    await importFrom(server, 'beads', fileOf('issues.jsonl', [bead]))
    t.match((await context('who-1')).comments, [{ author: { fullname: UNKNOWN } }])
    const repository = 'https://api.github.com/repos/acme/who'
    const ghosts = [
      { number: 1, title: 'By a ghost', repository_url: repository, user: null },
      { id: 1, body: 'Boo', issue_url: `${repository}/issues/1`, user: null }
    ]
    await importFrom(server, 'github', fileOf('pages.jsonl', ghosts))
    t.match((await context('acme/who#1')).comments, [{ author: { fullname: UNKNOWN } }])
    const rows = await people('issue', ['created_by_id'])
    t.strictSame(rows.map(row => Object.values(row)[0] as string).sort(), ['Asker', UNKNOWN])
  })
})

t.test('a name alone does not make an account here the author, unless the map says so', async t => {
  const server = await testServer()
  t.teardown(() => server.close())
  const { read } = await transferOf(server)
  const authorOf = async (key: string) => {
    const { id } = await server.ok<{ id: string }>(`/v1/issues/${key}`)
    const { rows } = await sql<{ fullname: string; role: string; isRemoved: boolean }>`
      select a.fullname, a.role, a.deleted_at is not null as "isRemoved"
      from issue i join account a on a.id = i.created_by_id where i.id = ${id}`.execute(server.database.db)
    return rows[0]
  }
  const issue = { kind: 'issue', externalId: 'adm', team: 'WHO', title: 'Named', state: 'Open' }
  await read([TEAM, { ...issue, author: 'Administrator' }])
  t.strictSame(await authorOf('WHO-1'), { fullname: 'Administrator', role: 'MEMBER', isRemoved: true })

  const folder = temporaryFolder(t)
  const board = join(folder, 'beads.jsonl')
  const mapFile = join(folder, 'map.json')
  const created = { created_by: 'root', created_at: '2024-01-01T00:00:00Z' }
  writeFileSync(board, JSON.stringify({ id: 'adm-2', title: 'Mapped', status: 'open', ...created }))
  writeFileSync(mapFile, JSON.stringify({ people: { root: 'Administrator' } }))
  await importFrom(server, 'beads', board, { mapFile })
  t.strictSame(await authorOf('adm-2'), { fullname: 'Administrator', role: 'ADMIN', isRemoved: false })

  t.test('nor somebody who was here', async t => {
    const mia = await server.ok<{ id: string }>('/v1/users', { body: { fullname: 'Mia', email: 'mia@example.org' } })
    await server.ok(`/v1/users/${mia.id}`, { method: 'DELETE' })
    const robot = await server.agent('Robot')
    await server.ok(`/v1/users/agents/${robot.id}`, { method: 'DELETE' })
    const { strangers } = await read([
      { ...issue, externalId: 'mia-1', author: 'Mia' },
      { ...issue, externalId: 'mia-2', author: 'Robot' },
      { ...issue, externalId: 'mia-3', author: 'Mia' }
    ])
    t.strictSame([...strangers], ['Mia', 'Robot'], 'the report has each once')
    const { rows } = await sql<{ author: string }>`
      select distinct created_by_id as author from issue where created_by_id = any(${[mia.id, robot.id]})
    `.execute(server.database.db)
    t.strictSame(rows, [])
    const again = await read([{ ...issue, externalId: 'mia-4', author: 'Mia' }])
    t.strictSame([...again.strangers], [], 'whom an import has made is found by the next')
  })

  t.test('a name in the map means an account here only for whom the map says so', async t => {
    writeFileSync(
      board,
      [
        { id: 'two-1', title: 'Mapped', status: 'open', ...created },
        { id: 'two-2', title: 'Somebody else', status: 'open', ...created, created_by: 'Administrator' }
      ]
        .map(line => JSON.stringify(line))
        .join('\n')
    )
    await t.rejects(importFrom(server, 'beads', board, { mapFile }), {
      message:
        "The map says that 'root' is 'Administrator' here, and the source has a person of that name, too: say in " +
        '`people` who that is here ("Administrator": "EMAIL OR NAME"; a name that nobody has stays a name).'
    })
    t.equal((await server.call('/v1/issues/two-1')).statusCode, 404, 'nothing was imported')
    writeFileSync(mapFile, JSON.stringify({ people: { root: 'Administrator', Administrator: 'Old administrator' } }))
    const { report } = await importFrom(server, 'beads', board, { mapFile })
    t.strictSame(await authorOf('two-1'), { fullname: 'Administrator', role: 'ADMIN', isRemoved: false })
    t.strictSame(await authorOf('two-2'), { fullname: 'Old administrator', role: 'MEMBER', isRemoved: true })
    t.match(reportText({ report, leftOut: [], dryRun: false }), /without an account: 1 .*, e\.g\. Old administrator$/m)
  })
})
