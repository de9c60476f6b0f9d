import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import t from 'tap'
import { importFrom } from '../../../test/import-from.ts'
import { runsOnCitus, testServer, type TestServer } from '../../../test/runner/harness.ts'
import { temporaryFolder } from '../../../test/runner/temporary-folder.ts'

const folder = temporaryFolder(t)
let files = 0
const fileOf = (content: string | Buffer): string => {
  const file = join(folder, `${++files}.jsonl`)
  writeFileSync(file, content)
  return file
}
const lines = (...values: unknown[]) => fileOf(values.map(value => JSON.stringify(value)).join('\n'))

const user = (name: string) => ({ key: name.toLowerCase(), displayName: name, emailAddress: `${name}@acme.example` })
/** An issue as Jira's REST API answers it. */
const jiraIssue = (key: string, fields: object = {}) => ({
  id: `id-${key}`,
  key,
  fields: {
    summary: `About ${key}`,
    project: { key: key.split('-')[0], name: 'Old project' },
    status: { name: 'Open', statusCategory: { key: 'new' } },
    reporter: user('Ann'),
    created: '2020-01-02T03:04:05.000+0100',
    updated: '2020-01-03T03:04:05.000+0000',
    ...fields
  }
})

interface Context {
  id: string
  key: string
  title: string
  descriptionMarkdown: string
  state: { name: string; category: string }
  parent: { key: string } | null
  priority: number
  labels: Array<{ name: string }>
  comments: Array<{ id: string; bodyMarkdown: string; author: { fullname: string } }>
  history: Array<{ change: string }>
}
const context = (server: TestServer, key: string) => server.ok<Context>(`/v1/issues/${encodeURIComponent(key)}/context`)
const change = (server: TestServer, { id, key }: { id: string; key: string }, body: object) =>
  server.ok(`/v1/issues/${id}?teamId=${key.split('-')[0]}`, { body })

t.test('an import from another tracker', async t => {
  const server = await testServer()
  t.teardown(() => server.close())

  t.test('links between issues become keys here, also where a number was taken', async t => {
    await server.ok('/v1/issues', { body: { title: 'It has the number', teamId: 'ENG' } })
    const { report } = await importFrom(
      server,
      'jira',
      lines(
        jiraIssue('ENG-1', { description: 'See [it|https://j.example/browse/ENG-2] and ENG-1.' }),
        jiraIssue('ENG-2', { comment: { comments: [{ id: '1', body: 'As ENG-1 says', author: user('Ben') }] } })
      )
    )
    t.match(report, { added: { issue: 2, comment: 1, account: 2 }, skipped: [] })
    const { issues } = await server.ok<{ issues: Array<{ key: string; title: string }> }>('/v1/issues/filter', {
      body: { perPage: 10 }
    })
    const keyOf = (title: string) => issues.find(issue => issue.title === title)!.key
    const [first, second] = [keyOf('About ENG-1'), keyOf('About ENG-2')]
    t.not(first, 'ENG-1')
    t.equal((await context(server, first)).descriptionMarkdown, `See it (${second}) and ${first}.`)
    t.match((await context(server, second)).comments, [
      { bodyMarkdown: `As ${first} says`, author: { fullname: 'Ben' } }
    ])
    t.equal((await context(server, 'ENG-1')).title, 'It has the number', 'a key in use wins over a former one')
  })

  t.test('an issue may have very many links and changes, at first and later', async t => {
    const count = 8_000
    const issueWithMany = (key: string) => ({
      ...jiraIssue(key, {
        attachment: Array.from({ length: count }, (_, n) => ({
          filename: `${n}.log`,
          content: `https://j.example/${n}`,
          created: '2020-01-02T03:04:05.000+0000'
        }))
      }),
      changelog: {
        histories: [
          {
            created: '2020-01-02T03:04:05.000+0000',
            author: user('Ann'),
            items: Array.from({ length: count }, (_, n) => ({ field: 'priority', fromString: null, toString: `${n}` }))
          }
        ]
      }
    })
    const first = await importFrom(server, 'jira', lines(issueWithMany('MANY-1'), jiraIssue('LATER-1')))
    t.match(first.report, { skipped: [] })
    const second = await importFrom(server, 'jira', lines(issueWithMany('LATER-1')))
    t.match(second.report, { updated: { issue: 1 }, skipped: [] })
    for (const key of ['MANY-1', 'LATER-1']) {
      const { id } = await context(server, key)
      const { rows } = await sql<{ links: number; changes: number }>`
        select (select count(*) from issue_link where issue_id = ${id}) as links,
          (select count(*) from issue_change where issue_id = ${id} and change = 'priority') as changes`.execute(
        server.database.db
      )
      t.strictSame(rows, [{ links: count, changes: count }])
    }
  })

  t.test(
    'changes what changed only there, keeps what changed here, and reports what changed on both sides',
    async t => {
      const before = jiraIssue('WAY-1', { description: 'old text', priority: { name: 'Low' } })
      await importFrom(server, 'jira', lines(before))
      const issue = await context(server, 'WAY-1')
      await change(server, issue, { title: 'Ours', priority: 1 })
      const after = jiraIssue('WAY-1', { summary: 'Theirs', description: 'new text', priority: { name: 'Low' } })
      const { report } = await importFrom(server, 'jira', lines(after))
      t.match(report.updated, { issue: 1 })
      t.match(report.kept, [{ kind: 'issue', field: 'title' }])
      t.match(await context(server, 'WAY-1'), { title: 'Ours', descriptionMarkdown: 'new text', priority: 1 })
      const again = await importFrom(
        server,
        'jira',
        lines({ ...after, fields: { ...after.fields, summary: 'About WAY-1' } })
      )
      t.match(again.report, { updated: {}, kept: [] }, 'the same again changes nothing')
    }
  )

  t.test('leaves deleted what was deleted here', async t => {
    const comment = { id: 'c1', body: 'To go', author: user('Ben') }
    const issues = [
      jiraIssue('DEL-1', { comment: { comments: [comment] } }),
      jiraIssue('DEL-2', { parent: { id: 'id-DEL-1' } }),
      jiraIssue('DEL-3', { comment: { comments: [{ ...comment, id: 'c2' }] } })
    ]
    await importFrom(server, 'jira', lines(...issues))
    const [one, three] = [await context(server, 'DEL-1'), await context(server, 'DEL-3')]
    await server.ok(`/v1/issue_comments/${one.comments[0]!.id}`, { method: 'DELETE' })
    await server.ok(`/v1/issues/${three.id}?teamId=DEL`, { method: 'DELETE' })
    const { report } = await importFrom(server, 'jira', lines(...issues))
    t.match(report.deleted, { comment: 2, issue: 1 })
    t.match(report.added, { issue: 0, comment: 0 })
    t.same((await context(server, 'DEL-1')).comments, [])
    t.equal((await server.call(`/v1/issues/${three.id}/context`)).statusCode, 404)
  })

  t.test('a dry run reports all of it and writes nothing', async t => {
    const { report } = await importFrom(server, 'jira', lines(jiraIssue('DRY-1')), { dryRun: true })
    t.match(report, { added: { issue: 1, team: 1 } })
    t.equal((await server.call('/v1/issues/DRY-1/context')).statusCode, 404)
  })

  t.test('a map names teams, states, people and labels', async t => {
    const map = join(folder, 'map.json')
    writeFileSync(
      map,
      JSON.stringify({
        teams: { OLD: 'MAPPED' },
        states: { Open: { name: 'Waiting', category: 'BACKLOG' } },
        people: { ann: 'admin@localhost' },
        labels: { noise: null, bug: 'Defect' },
        priorities: { P9: 1 }
      })
    )
    const issue = jiraIssue('OLD-1', { labels: ['noise', 'bug'], priority: { name: 'P9' }, description: 'OLD-1' })
    const { report } = await importFrom(server, 'jira', lines(issue), { mapFile: map })
    t.equal(report.added['account'], 0)
    t.match(await context(server, 'MAPPED-1'), {
      state: { name: 'Waiting', category: 'BACKLOG' },
      labels: [{ name: 'Defect' }],
      priority: 1,
      descriptionMarkdown: 'MAPPED-1'
    })
    t.equal((await context(server, 'OLD-1')).key, 'MAPPED-1', 'the old key still finds it')
  })

  t.test('a map with a category that there is not is refused before anything is imported', async t => {
    const map = join(folder, 'map-category.json')
    writeFileSync(map, JSON.stringify({ states: { Open: { name: 'Waiting', category: 'LATER' } } }))
    await t.rejects(importFrom(server, 'jira', lines(jiraIssue('NOCAT-1')), { mapFile: map }), {
      message: /states\.Open\.category is 'LATER'.* TRIAGE, BACKLOG, UNSTARTED, STARTED, COMPLETED, CANCELED/
    })
  })

  t.test('an old key that two issues had is a conflict that lists them', async t => {
    const bead = { id: 'xy-abc', title: 'One', status: 'open' }
    await importFrom(server, 'beads', lines(bead))
    const map = join(folder, 'other.json')
    writeFileSync(map, JSON.stringify({ name: 'other' }))
    await importFrom(server, 'beads', lines({ ...bead, title: 'Two' }), { mapFile: map })
    const answer = await server.call('/v1/issues/xy-abc/context')
    t.equal(answer.statusCode, 409)
    t.match(answer.json<{ candidates: object[] }>().candidates, [{ title: 'One' }, { title: 'Two' }])
  })

  t.test('people who come with it cannot sign in until an administrator lets them', async t => {
    await importFrom(server, 'jira', lines(jiraIssue('PEO-1', { reporter: user('Cleo') })))
    const people = await server.ok<Array<{ id: string; fullname: string; role: string }>>('/v1/users')
    const cleo = people.find(({ fullname }) => fullname === 'Cleo')!
    t.equal(cleo.role, 'MEMBER')
    const { db } = server.database
    t.same(await db.selectFrom('token').select('id').where('accountId', '=', cleo.id).execute(), [])
    const enable = () => server.call(`/v1/users/${cleo.id}/token`, { method: 'POST' })
    const { token } = (await enable()).json<{ token: string }>()
    t.match(await server.ok('/v1/users/me', { token }), { fullname: 'Cleo' })
    t.equal((await enable()).statusCode, 409, 'once')
  })

  t.test('what cannot be used is reported by line, and the rest comes', async t => {
    const good = jiraIssue('GOOD-1', { unheardOf: 'x' })
    const { report, leftOut } = await importFrom(
      server,
      'jira',
      fileOf(
        Buffer.concat([
          Buffer.from(`${JSON.stringify(good)}\n`),
          Buffer.from('{"id": "caf\xe9"}\n', 'latin1'),
          Buffer.from(`${JSON.stringify(jiraIssue('GOOD-2', { description: 'x'.repeat(10 * 1024 * 1024) }))}\n`),
          Buffer.from(
            `${JSON.stringify(jiraIssue('GOOD-3', { labels: Array.from({ length: 1_000_000 }, (_, n) => `l${n}`) }))}\n`
          ),
          Buffer.from(`${JSON.stringify(jiraIssue('GOOD-4', { created: 'never', parent: { id: 'id-GOOD-5' } }))}\n`),
          Buffer.from(`${JSON.stringify(jiraIssue('GOOD-5', { parent: { id: 'id-GOOD-4' } }))}\n`),
          Buffer.from('42\n'),
          Buffer.from(JSON.stringify(jiraIssue('GOOD-6')).slice(0, 80))
        ])
      ),
      { mapFile: named('bad-input') }
    )
    t.equal(report.added['issue'], 5)
    const reasons = new Map(report.skipped.map(({ where, reason }) => [where, reason]))
    t.match(reasons.get('line 2'), /UTF-8/)
    t.match(report.shortened, [{ where: 'line 3', reason: /text is too long/ }])
    t.match(
      report.skipped.filter(({ kind }) => kind === 'relation').map(({ reason }) => reason),
      [/parent of itself/]
    )
    t.match(reasons.get('line 7'), /no issue/)
    t.match(reasons.get('line 8'), /cut off/)
    t.equal(report.skipped.length, 4)
    t.match(leftOut, [
      { what: 'field unheardOf', count: 1, examples: ['line 1'] },
      { what: 'labels', examples: ['line 4'] },
      { what: 'created', reason: 'it is no time', examples: ['line 5'] }
    ])
    t.match((await context(server, 'GOOD-2')).descriptionMarkdown, /^xxx[^]*left out the last \d+ characters/)
    t.equal((await context(server, 'GOOD-3')).labels.length, 100)
  })

  t.test('a document that is nested too deeply or has no valid date leaves the others', async t => {
    const doc = (content: object) => ({ type: 'doc', content: [content] })
    const date = { type: 'paragraph', content: [{ type: 'date', attrs: { timestamp: 'soon' } }] }
    const file = lines(
      jiraIssue('DEEP-1', { description: doc(date) }),
      jiraIssue('DEEP-2'),
      jiraIssue('DEEP-3', { description: doc({ type: 'paragraph', content: [{ type: 'text', text: 'fine' }] }) })
    )
    const issues = readFileSync(file, 'utf8').split('\n')
    issues[1] = issues[1]!.replace('"summary"', `"description":${nested(20_000)},"summary"`)
    writeFileSync(file, issues.join('\n'))
    const { report } = await importFrom(server, 'jira', file, { mapFile: named('deep') })
    t.match(report.skipped, [{ where: 'line 2', reason: /levels/ }])
    t.match(await context(server, 'DEEP-1'), { descriptionMarkdown: 'soon' })
    t.match(await context(server, 'DEEP-3'), { descriptionMarkdown: 'fine' })
  })

  t.test('an issue whose values the database refuses leaves the others of its batch', async t => {
    const day = jiraIssue('DAY-2', { duedate: '0001-13-45' })
    const { report } = await importFrom(server, 'jira', lines(jiraIssue('DAY-1'), day, jiraIssue('DAY-3')), {
      mapFile: named('days')
    })
    t.equal(report.added['issue'], 3)
  })

  t.test('the planner learns meanwhile what the tables hold', async t => {
    const { db } = server.database
    const statistics = (table: string) =>
      `select n_distinct from pg_stats where tablename = '${table}' and attname = 'workspace_id'`
    const isOnCitus = await runsOnCitus()
    /** Counts the tables that have rows of a workspace: the table itself or, on Citus, a shard. */
    const known = async (table: string) => {
      const query = isOnCitus
        ? sql`select from run_command_on_shards(${table}, ${statistics('%s')}) where result = '1'`
        : sql`select from (${sql.raw(statistics(table))}) as s where n_distinct = 1`
      return (await query.execute(db)).rows.length
    }
    const issues = Array.from({ length: 100 }, (_, n) =>
      jiraIssue(`PLAN-${n + 1}`, { comment: { comments: [{ id: `plan-${n}`, body: 'said' }] } })
    )
    await importFrom(server, 'jira', lines(...issues), { mapFile: named('planner') })
    for (const table of ['issue', 'comment', 'imported_record']) t.equal(await known(table), 1, table)
  })

  t.test('says which sources there are when one is named that is not', async t => {
    await t.rejects(importFrom(server, 'fax', folder), /no source 'fax'[\s\S]*jira[\s\S]*beads/)
    await t.rejects(importFrom(server, 'jira', join(folder, 'nowhere')), /cannot be read \(ENOENT\)/)
  })
})

/** The JSON of a document with nested quotes. */
const nested = (levels: number) =>
  `{"type":"doc","content":[${'{"type":"blockquote","content":['.repeat(levels)}${']}'.repeat(levels)}]}`

function named(name: string): string {
  const file = join(folder, `${name}.json`)
  writeFileSync(file, JSON.stringify({ name }))
  return file
}
