import t from 'tap'
import { testServer } from '../../../test/runner/harness.ts'
import { closedKeys } from '../pulls/closing.ts'
import { CLOSING_SENTENCES, NAMING_SENTENCES } from './closing-sentences.ts'
import { delivery, pullRequest, REPOSITORY, type TestHook } from './deliveries.ts'

/* KEY stands for the key of the case's issue, OTHER and THIRD for further ones, SITE for the address of this server. */
const SITE = 'https://tracker.example/board'
const closing = [
  'Closes KEY',
  'This fixes KEY.',
  'resolved: KEY',
  '**Closes** KEY',
  '**Fixes:** *KEY*',
  'Closes **[KEY](https://elsewhere.example/1)**',
  'Closes [KEY](SITE/issue/KEY)',
  'Closes [the crash](SITE/issue/KEY)',
  'Closes [the **worst** crash](SITE/issue/KEY?tab=runs)',
  'Closes SITE/issue/KEY.',
  'Closes <SITE/issue/KEY>',
  'Closes SITE/issue/KEY/',
  'Closes [KEY]\n\n[KEY]: https://elsewhere.example/1',
  'It fixes\nKEY',
  '- [x] Fixes KEY',
  '- [ ] Tests\n  - [x] Fixes KEY',
  '- Fixes KEY',
  '1. Fixes KEY',
  '## Fixes KEY',
  '| a |\n|---|\n| Fixes KEY |',
  '<!-- template -->\n\nFixes KEY',
  'The API does not change. Fixes KEY',
  'The API does not change, and this closes KEY',
  'Without a migration: closes KEY',
  'This not only fixes KEY, it is faster.',
  'This will close KEY',
  'A patch to fix KEY',
  'Fixes OTHER, KEY',
  'Fixes OTHER, THIRD and KEY',
  'Fixes OTHER, THIRD, and KEY',
  'Fixes OTHER & KEY',
  'Fixes OTHER and SITE/issue/KEY',
  'Fixes OTHER, fixes KEY',
  'It was broken before, fixes KEY',
  'It crashed before (fixes KEY)',
  'No tests; fixes KEY'
]
/** Descriptions that only name it. */
const naming = [
  'See KEY',
  '> Fixes KEY',
  '> - [x] Fixes KEY',
  '- [ ] Fixes KEY',
  '- [ ] All of it\n  - Fixes KEY',
  'This does not close KEY',
  'This does **not** close KEY',
  'It doesn’t fix KEY',
  "It doesn't really fix KEY",
  'It doesnt fix KEY',
  'It does not fix or close KEY',
  'It cannot fix KEY',
  'Filed rather than fixed: KEY',
  'A workaround instead of fixed KEY',
  'Partially fixes KEY',
  'Partly fixes KEY',
  '*Almost* fixes KEY',
  'Never closes KEY',
  'It no longer fixes KEY',
  'It should fix KEY',
  'To be fixed: KEY',
  'Must be closed: KEY',
  'This will not yet\nfully fix KEY',
  'It helps fix KEY',
  'An attempt to fix KEY',
  'TODO: fix KEY',
  'Fails to resolve KEY',
  'Half-fixes KEY',
  'Not closes OTHER, KEY',
  'Fixes OTHER, see KEY',
  'Fixes OTHER KEY',
  'Fixes KEY-related crashes',
  'Fixes\n\nKEY',
  'Fixes `OTHER` and KEY',
  'Prefixes KEY',
  'Reverts "Fixes KEY"',
  'This reverts the commit “Fix KEY”',
  'This is not a fix: KEY',
  'Not a complete fix: KEY',
  'No fix: KEY',
  'It is not meant to close KEY',
  'It is not ready to close KEY',
  'It will not be able to close KEY',
  'Does not (yet) close KEY'
]
/** Descriptions that do not name it. */
const silent = [
  '<!-- e.g. Fixes KEY -->',
  'Text <!-- Fixes KEY --> text',
  '<!--\nFixes KEY\n-->',
  '`Fixes KEY`',
  'Fixes `KEY`',
  '```\nFixes KEY\n```',
  '~~~text\n> Fixes KEY',
  '- Item\n\n  ```\n  Fixes KEY\n  ```',
  'Text\n\n    Fixes KEY',
  '~~Fixes KEY~~',
  'Text <code>Fixes KEY</code> text',
  '![Fixes KEY](https://elsewhere.example/1.png)',
  'Fixes [this](https://elsewhere.example/issue/KEY)',
  'Fixes https://elsewhere.example/issue/KEY',
  'Fixes https://elsewhere.example/?issue=KEY',
  'Fixes SITE/issues/x/KEY',
  '[Fixes KEY]: https://elsewhere.example'
]
/** Titles are plain text, with code between backticks. */
const titles: Array<[title: string, effect: 'closes' | 'names' | 'none']> = [
  ['Fix KEY', 'closes'],
  ['Fix a crash (closes KEY)', 'closes'],
  ['> Fix KEY', 'closes'],
  ['Closes SITE/issue/KEY', 'closes'],
  ['Partially fix KEY', 'names'],
  ['Do not close KEY', 'names'],
  ['Revert "Fix KEY"', 'names'],
  ['Revert "Closes KEY: the crash" (#12)', 'names'],
  ['Fix "reverting" and close KEY', 'closes'],
  ['Read `Fixes KEY` as code', 'none']
]

t.test('a merged pull request', async t => {
  const server = await testServer({ settings: { publicUrl: SITE } })
  t.teardown(() => server.close())
  const { ok, call } = server
  const hook = await ok<TestHook>('/v1/git/hooks', { body: { repository: REPOSITORY } })
  const fileIssue = async () =>
    (await ok<{ key: string }>('/v1/issues', { body: { title: 'Work', teamId: 'ENG' } })).key
  const [other, third] = [await fileIssue(), await fileIssue()]

  /** The effect of a pull request on the issue KEY in its text. */
  async function effectOf(field: 'body' | 'title', text: string) {
    const key = await fileIssue()
    const names: Record<string, string> = { KEY: key, OTHER: other, THIRD: third, SITE }
    const written = text.replaceAll(/KEY|OTHER|THIRD|SITE/g, name => names[name]!)
    const pull = pullRequest({ title: 'x', [field]: written, merged: true, state: 'closed' }, 'closed')
    const answer = await call(...delivery(hook, 'pull_request', pull))
    if (answer.statusCode !== 200) return answer.body
    const { state, linkedIssues } = await ok<{ state: { category: string }; linkedIssues: unknown[] }>(
      `/v1/issues/${key}/context`
    )
    return state.category === 'COMPLETED' ? 'closes' : linkedIssues.length > 0 ? 'names' : 'none'
  }

  for (const [effect, texts] of [
    ['closes', closing],
    ['names', naming],
    ['none', silent]
  ] as const) {
    for (const text of texts) t.equal(await effectOf('body', text), effect, text)
  }
  for (const [title, effect] of titles) t.equal(await effectOf('title', title), effect, title)

  t.test('with a long description is read beside the event loop', async t => {
    t.equal(await effectOf('body', `${'Many words. '.repeat(5000)}\n\nCloses KEY`), 'closes')
    t.equal(await effectOf('body', `\`\`\`\n${'Many words. '.repeat(5000)}\n\nCloses KEY`), 'none')
  })
})

t.test('without a public address, the host that the delivery names is this server', async t => {
  const server = await testServer()
  t.teardown(() => server.close())
  const hook = await server.ok<TestHook>('/v1/git/hooks', { body: { repository: REPOSITORY } })
  const { key } = await server.ok<{ key: string }>('/v1/issues', { body: { title: 'Work', teamId: 'ENG' } })
  const body = `Closes https://tracker.example/issue/${key}`
  const [path, request] = delivery(hook, 'pull_request', pullRequest({ body, merged: true, state: 'closed' }, 'closed'))
  await server.call(path, { ...request, headers: { ...request.headers, host: 'tracker.example' } })
  t.match(await server.ok(`/v1/issues/${key}/context`), { state: { category: 'COMPLETED' } })
})

t.test('sentences that were not written for the rule', async t => {
  const closes = (sentence: string) =>
    closedKeys(sentence.replaceAll('KEY', 'ENG-7').replaceAll('OTHER', 'ENG-8')).has('ENG-7')
  for (const sentence of CLOSING_SENTENCES) t.ok(closes(sentence), sentence)
  for (const sentence of NAMING_SENTENCES) t.notOk(closes(sentence), sentence)
})
