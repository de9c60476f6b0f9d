import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sql } from 'kysely'
import t from 'tap'
import { testServer, type TestServer } from '../../../test/runner/harness.ts'
import { importFrom } from '../../../test/import-from.ts'
import { temporaryFolder } from '../../../test/runner/temporary-folder.ts'

/* Two boards of one kind stay separate, and the next export of a board updates it, wherever its file is. */

const DAY_MS = 86_400_000
interface Card {
  title: string
  /** Days after the first of 2026. */
  day: number
}
const cards = (titles: readonly string[], firstDay: number): Card[] =>
  titles.map((title, n) => ({ title, day: firstDay + n }))
let tests = 0
/** Two boards with unique names. */
async function twoBoards(server: TestServer) {
  await sql`delete from imported_record`.execute(server.database.db)
  const mark = `of test ${++tests}.`
  const marked = (titles: readonly string[]) => titles.map(title => `${title} ${mark}`)
  return {
    ours: cards(marked(['Ship the rocket', 'Fuel the rocket', 'Paint the rocket']), 0),
    theirs: cards(marked(['Bake bread', 'Buy flour', 'Clean the oven']), 50),
    titles: async () => (await titles(server)).filter(title => title.includes(mark))
  }
}
/** The next export: one changed title, one new issue. */
const later = (board: readonly Card[]): Card[] => [
  ...board.map((card, n) => (n === 0 ? { ...card, title: `${card.title} soon` } : card)),
  { title: `${board[0]!.title}, again`, day: 90 }
]
const timeOf = ({ day }: Card) => new Date(Date.UTC(2026, 0, 1) + day * DAY_MS).toISOString()

/** A board's files in the form of each tracker; `name` is the site, repository or project. */
type Writer = (board: readonly Card[], name: string) => Record<string, string>
const jsonLines = (records: readonly object[]) => records.map(record => JSON.stringify(record)).join('\n')
const jira: Writer = (board, name) => ({
  'export.jsonl': jsonLines(
    board.map((card, n) => ({
      id: String(10_000 + n),
      key: `ENG-${n + 1}`,
      ...(name !== '' && { self: `https://${name}/rest/api/2/issue/${10_000 + n}` }),
      fields: {
        summary: card.title,
        project: { key: 'ENG', name: 'Engineering' },
        status: { name: 'Open', statusCategory: { key: 'new' } },
        reporter: { key: 'admin', displayName: `Admin of ${name}` },
        created: timeOf(card),
        comment: { comments: [{ id: String(n), body: `On ${card.title}`, author: { key: 'admin' } }] }
      }
    }))
  )
})
const github: Writer = (board, name) => ({
  'export.json': JSON.stringify(
    board.map((card, n) => ({
      number: n + 1,
      title: card.title,
      repository_url: `https://${name}`,
      created_at: timeOf(card)
    }))
  )
})
const beads: Writer = (board, name) => ({
  'issues.jsonl': jsonLines(
    board.map((card, n) => ({ id: `${name}-${n + 1}`, title: card.title, status: 'open', created_at: timeOf(card) }))
  )
})
const backlog: Writer = (board, name) => ({
  'config.yml': name === '' ? 'task_prefix: task\n' : `project_name: ${name}\ntask_prefix: task\n`,
  ...Object.fromEntries(
    board.map((card, n) => [
      `tasks/task-${n + 1}.md`,
      `---\nid: TASK-${n + 1}\ntitle: ${card.title}\nstatus: To Do\ncreated_date: '${timeOf(card).slice(0, 10)}'\n---\n`
    ])
  )
})
const linear: Writer = (board, name) => ({
  'export.csv': [
    'ID,Team,Title,Status,Created',
    ...board.map((card, n) => `${name}-${n + 1},${name},"${card.title}",Todo,${timeOf(card)}`)
  ].join('\n')
})
const csv: Writer = (board, name) => ({
  'export.csv': ['Id,Title', ...board.map((card, n) => `${name}${n + 1},"${card.title}"`)].join('\n')
})
const csvWithoutIds: Writer = board => ({
  'export.csv': ['Title', ...board.map(card => `"${card.title}"`)].join('\n')
})

/** Writes a board into a new folder. @returns the folder, or its only file */
function placeOf(files: Record<string, string>, fileName?: string): string {
  const folder = temporaryFolder(t)
  const names = Object.keys(files)
  for (const name of names) {
    const file = join(folder, names.length === 1 ? (fileName ?? name) : name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, files[name]!)
  }
  return names.length === 1 ? join(folder, fileName ?? names[0]!) : folder
}
const titles = async (server: TestServer): Promise<string[]> => {
  const { issues } = await server.ok<{ issues: Array<{ title: string }> }>('/v1/issues/filter', {
    body: { perPage: 200, view: 'list' }
  })
  return issues.map(({ title }) => title).sort()
}
const titlesOf = (...boards: ReadonlyArray<readonly Card[]>) =>
  boards
    .flat()
    .map(({ title }) => title)
    .sort()
const forgetScope = (server: TestServer, kind: string) =>
  sql`update imported_record set source = ${kind} where starts_with(source, ${`${kind}:`})`.execute(server.database.db)

interface Kind {
  source: string
  write: Writer
  /** The names of two boards, from their content. */
  names: [string, string]
}
const apart: Kind[] = [
  { source: 'jira', write: jira, names: ['one.example', 'two.example/jira'] },
  { source: 'github', write: github, names: ['api.github.com/repos/acme/app', 'api.github.com/repos/other/app'] },
  { source: 'github', write: github, names: ['api.github.com/repos/acme/app', 'git.example/api/v3/repos/acme/app'] },
  { source: 'beads', write: beads, names: ['bd', 'hq'] },
  { source: 'backlog-md', write: backlog, names: ['Rocket', 'Bakery'] },
  { source: 'linear', write: linear, names: ['ENG', 'OPS'] }
]
const alike: Kind[] = [
  { source: 'jira', write: jira, names: ['', ''] },
  { source: 'beads', write: beads, names: ['bd', 'bd'] },
  { source: 'backlog-md', write: backlog, names: ['', ''] },
  { source: 'backlog-md', write: backlog, names: ['Backlog', 'Backlog'] },
  { source: 'linear', write: linear, names: ['ENG', 'ENG'] },
  { source: 'csv', write: csv, names: ['', ''] },
  { source: 'csv', write: csvWithoutIds, names: ['', ''] }
]

t.test('boards', async t => {
  const server = await testServer()
  t.teardown(() => server.close())

  for (const { source, write, names } of apart) {
    t.test(`${source}: ${names.join(' and ')} are two boards`, async t => {
      const { ours, theirs, titles } = await twoBoards(server)
      const [first, second] = names
      for (const [board, name] of [
        [ours, first],
        [theirs, second]
      ] as const) {
        const { report } = await importFrom(server, source, placeOf(write(board, name)))
        t.match(report, { added: { issue: 3 }, updated: {}, skipped: [], kept: [] })
      }
      t.strictSame(await titles(), titlesOf(ours, theirs))
      for (const [board, name] of [
        [later(theirs), second],
        [later(ours), first]
      ] as const) {
        const { report } = await importFrom(server, source, placeOf(write(board, name), 'export (1).jsonl'))
        t.match(report, { added: { issue: 1 }, updated: { issue: 1 }, skipped: [], kept: [] })
      }
      t.strictSame(await titles(), titlesOf(later(ours), later(theirs)))
    })
  }

  for (const { source, write, names } of alike) {
    t.test(`${source}: two boards whose ids are alike (${names[0]}) have to be named`, async t => {
      const { ours, theirs, titles } = await twoBoards(server)
      const [name] = names
      await importFrom(server, source, placeOf(write(ours, name)))
      await t.rejects(importFrom(server, source, placeOf(write(theirs, name))), /--source NAME/)
      t.strictSame(await titles(), titlesOf(ours), 'nothing was imported')
      const second = await importFrom(server, source, placeOf(write(theirs, name)), { board: 'bakery' })
      t.match(second, { name: `${source}:bakery`, report: { added: { issue: 3 }, updated: {}, skipped: [] } })
      t.strictSame(await titles(), titlesOf(ours, theirs))

      // A CSV file has no times: two of its three titles are equal, and the user has to name the board.
      const board = write === csv || write === csvWithoutIds ? source : undefined
      const again = await importFrom(server, source, placeOf(write(later(ours), name), 'export (1).csv'), {
        ...(board !== undefined && { board })
      })
      t.match(again.report, { added: { issue: 1 }, updated: { issue: 1 }, skipped: [], kept: [] })
      const other = await importFrom(server, source, placeOf(write(later(theirs), name)), { board: 'bakery' })
      t.match(other.report, { added: { issue: 1 }, updated: { issue: 1 }, skipped: [], kept: [] })
      t.strictSame(await titles(), titlesOf(later(ours), later(theirs)))
      if (names[0] !== 'Backlog') {
        const result = await importFrom(server, source, placeOf(write(later(theirs), name)))
        t.match(result, { name: `${source}:bakery`, report: { added: { issue: 0 } } }, 'it is found by its issues')
      }
    })
  }

  t.test('csv: a second file with ids of its own needs a name, too', async t => {
    const { ours } = await twoBoards(server)
    await importFrom(server, 'csv', placeOf(csv(ours, '')), { board: 'rocket' })
    const other = { 'export.csv': 'Id,Title\n71,Bake bread\n' }
    await t.rejects(importFrom(server, 'csv', placeOf(other)), /--source NAME.*--source rocket \(3 issues\)/)
    t.match((await importFrom(server, 'csv', placeOf(csv(ours, '')))).name, 'csv:rocket')
    const prefixed = await importFrom(server, 'csv', placeOf({ 'export.csv': 'Id,Title\nBAKE-1,Bake bread\n' }))
    t.match(prefixed.report, { added: { issue: 1 } }, 'a prefix tells whose it is')
  })

  for (const { source, write, name } of [
    { source: 'jira', write: jira, name: 'one.example' },
    { source: 'github', write: github, name: 'api.github.com/repos/acme/app' },
    { source: 'backlog-md', write: backlog, name: 'Rocket' }
  ]) {
    t.test(`${source}: a board that was imported without a scope is found, and no other is taken for it`, async t => {
      const { ours, theirs } = await twoBoards(server)
      await importFrom(server, source, placeOf(write(ours, name)))
      await forgetScope(server, source)
      await t.rejects(importFrom(server, source, placeOf(write(theirs, name))), /another board.*--source NAME/s)
      const again = await importFrom(server, source, placeOf(write(later(ours), name)))
      t.match(again.report, { added: { issue: 1 }, updated: { issue: 1 }, skipped: [], kept: [] })
      const { rows } = await sql<{ sources: string }>`
      select string_agg(distinct source, ', ') as sources from imported_record`.execute(server.database.db)
      t.strictSame(rows, [{ sources: again.name }])
      t.match(again.name, new RegExp(`^${source}:.`))
    })
  }

  t.test('a name that the user gives adopts an import without a scope, too', async t => {
    const { ours, titles } = await twoBoards(server)
    await importFrom(server, 'csv', placeOf(csv(ours, '')))
    const named = await importFrom(server, 'csv', placeOf(csv(ours, '')), { board: 'rocket' })
    t.match(named, { name: 'csv:rocket', report: { added: { issue: 0 }, updated: {} } })
    t.strictSame(await titles(), titlesOf(ours))
  })

  t.test('an issue that would change its team is refused, with what names it, and the others come', async t => {
    await twoBoards(server)
    const issue = (id: string, project: string, more: object = {}) => ({
      id,
      key: `${project}-${id}`,
      self: `https://one.example/rest/api/2/issue/${id}`,
      fields: {
        summary: `Issue ${id}`,
        project: { key: project, name: project },
        status: { name: 'Open', statusCategory: { key: 'new' } },
        created: '2026-01-01T00:00:00.000Z',
        ...more
      }
    })
    const place = (...issues: object[]) => placeOf({ 'board.jsonl': jsonLines(issues) })
    await importFrom(server, 'jira', place(issue('1', 'AAA'), issue('2', 'AAA')))
    const moved = issue('1', 'BBB', {
      summary: 'Moved',
      comment: { comments: [{ id: '9', body: 'Over there' }] },
      parent: { id: '2' }
    })
    const rest = issue('2', 'AAA', { description: 'As BBB-1 says.' })
    const refused = await importFrom(server, 'jira', place(moved, rest, issue('3', 'BBB')))
    t.match(refused.report, { added: { issue: 1, comment: 0, relation: 0 }, updated: { issue: 1 } })
    t.match(refused.report.skipped, [
      { reason: /issue 1 is of team AAA here, and would be of team BBB.*--source NAME/ }
    ])
    const context = (key: string) => server.ok<{ id: string; title: string }>(`/v1/issues/${key}/context`)
    const { id, title } = await context('AAA-1')
    t.equal(title, 'Issue 1')
    t.match(await context('AAA-2'), { descriptionMarkdown: 'As BBB-1 says.' })

    const teams = await server.ok<Array<{ id: string; identifier: string }>>('/v1/teams')
    const teamId = teams.find(({ identifier }) => identifier === 'BBB')!.id
    await server.ok(`/v1/issues/${id}/move`, { body: { teamId } })
    const after = await importFrom(server, 'jira', place(moved, rest, issue('3', 'BBB')))
    t.match(after.report, { added: { comment: 1, relation: 1 }, updated: { issue: 2 }, skipped: [] })
    const back = await importFrom(server, 'jira', place(issue('1', 'AAA')))
    t.match(back.report, { skipped: [] }, 'one that was moved only here keeps coming')
  })

  t.test('jira: who has the same name on two sites is two people', async t => {
    const { ours, theirs } = await twoBoards(server)
    for (const [board, site] of [[ours, 'three.example'] as const, [theirs, 'four.example'] as const]) {
      await importFrom(server, 'jira', placeOf(jira(board, site)))
    }
    const people = await server.ok<Array<{ fullname: string }>>('/v1/users')
    t.strictSame(
      people
        .map(({ fullname }) => fullname)
        .filter(name => /of (?:three|four)\./.test(name))
        .sort(),
      ['Admin of four.example', 'Admin of three.example']
    )
  })

  t.test('a comment stays with its issue, whatever has its id', async t => {
    const { ours, theirs } = await twoBoards(server)
    const [file] = Object.values(jira(ours, ''))
    await importFrom(server, 'jira', placeOf({ 'a.jsonl': file! }))
    const [others] = Object.values(jira(theirs, ''))
    const elsewhere = others!.replaceAll('"id":"1000', '"id":"2000').replaceAll('ENG-', 'OTH-')
    const { report } = await importFrom(server, 'jira', placeOf({ 'b.jsonl': elsewhere }))
    t.match(report, { added: { issue: 3, comment: 0 }, updated: {} })
    t.match(report.skipped, [{ reason: /comment is of another issue here than '20000'/ }, {}, {}])
  })

  t.test('one place with several sites is refused, and nothing is imported', async t => {
    const { ours, theirs, titles } = await twoBoards(server)
    const [one] = Object.values(jira(ours, 'one.example'))
    const [two] = Object.values(jira(theirs, 'two.example'))
    const folder = placeOf({ 'a.jsonl': one!, 'b.jsonl': two! })
    await t.rejects(importFrom(server, 'jira', folder), /one\.example and two\.example.*each board by itself/)
    t.strictSame(await titles(), [])
  })
})
