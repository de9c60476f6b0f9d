import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import t from 'tap'
import { testServer, type TestServer } from '../../../test/runner/harness.ts'
import { importFrom } from '../../../test/import-from.ts'
import { transferOf } from '../../../test/transfer.ts'
import { fillBoard } from '../../../test/full-board.ts'
import { writeMarkdown } from '../markdown/write.ts'
import { temporaryFolder } from '../../../test/runner/temporary-folder.ts'

const root = temporaryFolder(t)
let folders = 0
const newFolder = () => join(root, `${++folders}`)

/** Texts that look like the files' own markup. */
const HOSTILE = [
  '---\ntitle: mine\n---\n\ntext',
  '<!-- comment {"id":"x"} -->\n### Eve, 2020-01-01T00:00:00.000Z\n\nforged',
  String.raw`<!-- \comment once more -->`,
  'a line\r\nand another',
  '    code at the beginning',
  'ends with lines\n\n\n',
  'separator\u2028<!-- comment {} -->\nbehind it'
]
const HOSTILE_TITLE = '@ann: "no", #1 - {x} | 2026-01-01 \\ null'

async function exportTo({ server, folder }: { server: TestServer; folder: string }): Promise<number> {
  const lines = await (await transferOf(server)).written()
  return writeMarkdown(
    (async function* () {
      yield* lines
    })(),
    folder
  )
}
const idOf = async (server: TestServer) => (await server.ok<{ id: string }>('/v1/users/me')).id

t.test('a board that is exported as markdown', async t => {
  const [one, two] = [await testServer(), await testServer()]
  t.teardown(() => Promise.all([one.close(), two.close()]))
  const folder = newFolder()
  const hook = await one.ok<{ id: string }>('/v1/issues', { body: { title: HOSTILE_TITLE, teamId: 'ENG' } })
  for (const text of HOSTILE) {
    const { id } = await one.ok<{ id: string }>('/v1/issues', {
      body: { title: 'Hostile', teamId: 'ENG', descriptionMarkdown: text }
    })
    for (const bodyMarkdown of [text, 'the next one']) {
      await one.ok(`/v1/issue_comments?issueId=${id}`, { body: { bodyMarkdown } })
    }
    await one.ok('/v1/issue_relations', { body: { issueId: hook.id, relatedIssueId: id, type: 'RELATED' } })
  }
  const twin = await one.ok<{ id: string }>('/v1/users', { body: { email: 'ben@two.example', fullname: 'Twin' } })
  await fillBoard(one)
  // A name that earlier versions accepted.
  await one.database.db.updateTable('account').set({ fullname: 'Ben Bold' }).where('id', '=', twin.id).execute()
  await one.ok('/v1/teams/ENG', { body: { closing: { criteria: 'MET' } } })
  await sql`update issue_link set kind = 'pull_request', state = 'merged', state_at = '2026-01-01'`.execute(
    one.database.db
  )
  const issues = await exportTo({ server: one, folder })

  t.test('has a file for each issue, that people can read', async t => {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.md'))
    t.equal(files.length, issues)
    const file = files.find(name => readFileSync(join(folder, name), 'utf8').includes('title: Everything'))!
    const text = readFileSync(join(folder, file), 'utf8')
    t.match(text, /^---\nkey: ENG-\d+\ntitle: Everything\nstate: Done\n/)
    t.match(text, /\nassignee: Ben Bold \(ben@example.com\)\n/, 'two of one name are told apart')
    t.match(text, /\nproject: Moon\n/)
    t.match(text, /\n---\n\nSome \*text\*\n\n- \[x\] done\n- \[ \] open\n/)
    t.match(text, /\n<!-- comment \{.*\} -->\n### Robot, 20[\d:.TZ-]+\n\n> quoted\n\nand \*\*said\*\*\n/)
  })

  t.test('comes back whole from the folder', async t => {
    const { report, leftOut } = await importFrom(two, 'markdown', folder)
    t.match(report, { skipped: [], kept: [] })
    t.strictSame(leftOut, [])
    const [from, to] = [await idOf(one), await idOf(two)]
    const before = await (await transferOf(one)).written()
    const after = (await (await transferOf(two)).written()).map(line =>
      line.replaceAll(to, from).replaceAll('Ben Bold (2)', 'Ben Bold')
    )
    const kindOf = (line: string) => (JSON.parse(line) as { kind: string }).kind
    for (const [kind, lines] of Map.groupBy(before, kindOf)) {
      // The administrator exists on both servers.
      const others = (all: string[]) =>
        all.filter(line => kind !== 'account' || !line.includes('admin@localhost')).toSorted()
      t.strictSame(others(after.filter(line => kindOf(line) === kind)), others(lines), kind)
    }
  })

  t.test('adds nothing when it is imported again, there or where it comes from', async t => {
    for (const server of [one, two]) {
      const { report } = await importFrom(server, 'markdown', folder)
      const { lastNumber: _, ...added } = report.added
      t.strictSame(Object.values(added).filter(Boolean), [], JSON.stringify(added))
      t.match(report, { updated: {}, skipped: [], kept: [] })
    }
  })

  t.test('brings what was edited in a file', async t => {
    const file = join(folder, 'ENG', 'ENG-1.md')
    writeFileSync(
      file,
      readFileSync(file, 'utf8')
        .replace(/^title: .*$/m, 'title: Edited')
        .replace(/$/, '\nNew text.\n')
    )
    const { report } = await importFrom(two, 'markdown', folder)
    t.match(report, { updated: { issue: 1 }, skipped: [] })
    t.match(await two.ok('/v1/issues/ENG-1/context'), { title: 'Edited', descriptionMarkdown: 'New text.' })
  })

  t.test('does not write over a folder that has something in it', async t => {
    await t.rejects(exportTo({ server: one, folder }), /There is something in/)
  })
})

t.test('files that cannot be used are named, and the others come', async t => {
  const server = await testServer()
  t.teardown(() => server.close())
  const folder = newFolder()
  mkdirSync(folder)
  const write = (name: string, content: string | Buffer) => writeFileSync(join(folder, name), content)
  write('a.md', '---\nkey: ENG-7\ntitle: By hand\nstate: Todo\nparent: ENG-8\n---\nIts text\n')
  write('b.md', '# Only a page\n')
  write('c.md', '---\nkey: [\n---\n')
  write('d.md', '---\ntitle: No key\n---\n')
  write('e.md', Buffer.from('---\nkey: ENG-9\ntitle: caf\xe9\nstate: Todo\n---\n', 'latin1'))
  write(
    'f.md',
    '---\nkey: ENG-8\ntitle: Windows\nstate: Todo\nrelations:\n  - {type: BLOCKS, issue: ENG-99}\n---\n'.replaceAll(
      '\n',
      '\r\n'
    )
  )
  write('g.md', '---\nkey: ENG-10\ntitle: Unknown\nstate: Todo\ncolour: red\n---\n')
  write('h.md', '---\nkey: ENG-11\ntitle: Cut\nstate: Todo\n---\n\n<!-- comment {"id": -->\n')
  write('board.jsonl', '{"kind":"wish"}\n{"kind":"label","na')
  const { report } = await importFrom(server, 'markdown', folder)
  t.equal(report.added['issue'], 2)
  t.match(await server.ok('/v1/issues/ENG-7/context'), {
    title: 'By hand',
    descriptionMarkdown: 'Its text',
    parent: { key: 'ENG-8' }
  })
  const reasons = new Map(report.skipped.map(({ where, reason }) => [where, reason]))
  const expected: Record<string, RegExp> = {
    'b.md': /no front matter/,
    'c.md': /cannot be read/,
    'd.md': /no key/,
    'e.md': /UTF-8/,
    'f.md': /no issue 'ENG-99'/,
    'g.md': /colour is not a field/,
    'h.md': /cannot be read/,
    'board.jsonl, line 1': /its kind is none of/,
    'board.jsonl, line 2': /cut off/
  }
  for (const [where, reason] of Object.entries(expected)) t.match(reasons.get(where) ?? '', reason, where)
})

t.test('however many issues there are, those of a milestone come with it', async t => {
  const server = await testServer()
  t.teardown(() => server.close())
  const folder = newFolder()
  mkdirSync(folder)
  // More than a transaction has, with the lines that give them their keys.
  for (let number = 1; number <= 300; number++) {
    const plan = number === 1 ? 'project: Moon\nmilestone: m\n' : ''
    writeFileSync(
      join(folder, `${number}.md`),
      `---\nkey: ENG-${number}\ntitle: Issue ${number}\nstate: Todo\n${plan}---\n`
    )
  }
  const board = [
    { kind: 'project', externalId: 'p', name: 'Moon' },
    { kind: 'milestone', externalId: 'm', project: 'p', name: 'Landing' }
  ]
  writeFileSync(join(folder, 'board.jsonl'), board.map(line => JSON.stringify(line)).join('\n'))
  const { report } = await importFrom(server, 'markdown', folder)
  t.match(report, { added: { issue: 300, milestone: 1 }, skipped: [] })
  t.match(await server.ok('/v1/issues/ENG-1/context'), { milestone: { name: 'Landing' } })
})
