import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { importFrom } from '../../../test/import-from.ts'
import { testServer } from '../../../test/runner/harness.ts'
import { temporaryFolder } from '../../../test/runner/temporary-folder.ts'

/* References are read from the parsed Markdown, and nothing else in texts changes. */
const folderOf = (files: Record<string, string>): string => {
  const folder = temporaryFolder(t)
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  return folder
}

/** Texts in which REF names another issue, and others in which it does not. */
const naming = [
  'REF',
  'See **REF**, REF; (REF).',
  '> REF\r\n> and REF',
  '- [ ] REF\n  REF\n\n  1. REF',
  '# REF #',
  'REF\n---',
  '| a\\|b | REF |\n|---|---|\n| `x` REF | 🎉 REF |',
  '[REF says](https://a.example/) so',
  '`` ` `` REF',
  '<details>\n<summary>REF</summary>\n\nREF',
  'Text\n    REF',
  '\\` REF `'
]
const silent = [
  '    REF',
  '\tREF',
  'Text\n\n    REF',
  '- Item\n\n      REF',
  '> ```\n> REF\n> ```',
  '- ~~~\n  REF\n\n  REF\n  ~~~',
  '```\nREF',
  '`` REF ` REF ``',
  '`REF\nREF`',
  '<!-- REF -->',
  '<!--\n\nREF\n-->',
  '[a](https://a.example/ "REF")',
  '[a](<REF>)',
  '[a]\n\n[a]: REF "REF"',
  '![REF](https://a.example/1.png)',
  '<a title="REF">',
  '<pre>\nREF\n\n</pre>',
  'Text <code>REF</code> text',
  'https://a.example/?x=(REF)'
]

t.test('references and mentions', async t => {
  const server = await testServer()
  t.teardown(() => server.close())
  const textOf = async (key: string) =>
    (await server.ok<{ descriptionMarkdown: string }>(`/v1/issues/${encodeURIComponent(key)}/context`))
      .descriptionMarkdown
  const texts = [...naming, ...silent]

  t.test('GitHub: numbers', async t => {
    const repository = 'https://api.github.com/repos/acme/parsed'
    const issue = (number: number, body: string) => ({ repository_url: repository, title: 'x', number, body })
    const addresses = '<https://github.com/acme/parsed/issues/1> https://github.com/acme/parsed/issues/1.'
    const link = '[this](https://github.com/acme/parsed/issues/1)'
    const issues = [
      issue(1, 'x'),
      ...texts.map((text, n) => issue(n + 2, text.replaceAll('REF', '#1'))),
      issue(900, addresses),
      issue(901, link),
      { ...issue(902, 'For acme/parsed#1 <!-- #900 --> `#900`'), pull_request: {}, html_url: 'https://github.com/p' }
    ]
    await importFrom(server, 'github', folderOf({ 'issues.json': JSON.stringify(issues) }))
    for (const [n, text] of texts.entries()) {
      const to = naming.includes(text) ? 'PARSED-1' : '#1'
      t.equal(await textOf(`PARSED-${n + 2}`), text.replaceAll('REF', to), text)
    }
    t.equal(await textOf('PARSED-900'), 'PARSED-1 PARSED-1.')
    t.equal(await textOf('PARSED-901'), link)
    t.match(await server.ok('/v1/issues/PARSED-1/context'), { linkedIssues: [{ url: 'https://github.com/p' }] })
    t.match(await server.ok('/v1/issues/PARSED-900/context'), { linkedIssues: { length: 0 } })
  })

  t.test('Beads: old ids', async t => {
    const rows = ['x', ...texts].map((text, n) => ({ id: `px-${n}`, title: 'x', description: text }))
    const lines = rows.map(row => JSON.stringify({ ...row, description: row.description.replaceAll('REF', 'px-0') }))
    await importFrom(server, 'beads', folderOf({ 'issues.jsonl': lines.join('\n') }))
    const { key } = await server.ok<{ key: string }>('/v1/issues/px-0/context')
    for (const [n, text] of texts.entries()) {
      const to = naming.includes(text) ? key : 'px-0'
      t.equal(await textOf(`px-${n + 1}`), text.replaceAll('REF', to), text)
    }
  })

  t.test('Backlog.md: markers and comments', async t => {
    const noComment = 'author: @eve\ncreated: 2026-01-01\n---\nkey: value\n---\n'
    const code = `\`\`\`md\n<!-- AC:BEGIN -->\n<!-- COMMENTS:BEGIN -->\n${noComment}\`\`\``
    const note = `As in\n\n\`\`\`yaml\n---\n${noComment}<!-- COMMENTS:END -->\n\`\`\``
    const body =
      `## Description\n\n<!-- SECTION:DESCRIPTION:BEGIN -->\n${code}\n\n    <!-- AC:END -->\n` +
      '<!-- SECTION:DESCRIPTION:END -->\n\n## Comments\n\n<!-- COMMENTS:BEGIN -->\n' +
      `author: @ben\ncreated: 2026-01-02 10:00\n---\n${note}\n---\n\n` +
      'author: @ann\ncreated: 2026-01-03 10:00\n---\nYes.\n---\n<!-- COMMENTS:END -->\n'
    const task = `---\nid: PARSE-1\ntitle: x\nstatus: To Do\n---\n${body}`
    await importFrom(server, 'backlog-md', folderOf({ 'config.yml': 'task_prefix: parse\n', 'tasks/1.md': task }))
    const { descriptionMarkdown, comments } = await server.ok<{
      descriptionMarkdown: string
      comments: Array<{ bodyMarkdown: string; author: { fullname: string } }>
    }>('/v1/issues/PARSE-1/context')
    t.equal(descriptionMarkdown, `## Description\n\n${code}\n\n    <!-- AC:END -->`)
    t.strictSame(
      comments.map(({ author, bodyMarkdown }) => [author.fullname, bodyMarkdown]),
      [
        ['ben', note],
        ['ann', 'Yes.']
      ]
    )
  })
})
