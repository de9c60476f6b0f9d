import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { sql } from 'kysely'
import t from 'tap'
import { mcpAgent } from '../../../test/mcp-client.ts'
import { testServer } from '../../../test/runner/harness.ts'
import { changesBetween, timeOf, type Fields } from '../versions/changes-between.ts'
import { ticksBetween } from '../versions/ticks-between.ts'
import { SEED } from '../../../test/runner/seed.ts'

/** The lists of which only changes are answered. */
const GROWING = ['comments', 'history']
/** Maximum tokens of the answer that a task has not changed. */
const MAX_UNCHANGED_TOKENS = 40

interface Context extends Fields {
  id: string
  key: string
  version: string
  comments: Array<{ id: string; bodyMarkdown: string; replies: object[] }>
  omitted?: Record<string, number>
}

const server = await testServer({ settings: { jobs: false } })
t.teardown(() => server.close())
const { db } = server.database
const { key: blocker } = await file('Blocks the other')
const { id, key } = await file('Has some of everything', {
  descriptionMarkdown: 'Why.\n\n- [ ] first\n- [ ] second\n',
  labels: ['Bug'],
  blockedByIds: [blocker],
  subIssues: [{ title: 'A part' }],
  dueDate: '2030-01-02'
})
const path = `/v1/issues/${key}`
const context = () => server.ok<Context>(`${path}/context`)
const since = (version: string) => server.ok<Fields>(`${path}/context?since=${version}`)
const comment = (body: object) => server.ok<{ id: string }>(`/v1/issue_comments?issueId=${key}`, { body })
const first = await comment({ bodyMarkdown: 'A first note' })
const agent = await mcpAgent(server)

function file(title: string, body: object = {}) {
  return server.ok<{ id: string; key: string }>('/v1/issues', { body: { teamId: 'ENG', title, ...body } })
}

/** A client's copy of a context, after the changes that a server has answered. */
function applied(before: Fields, { delta: _, removed = [], ticks = [], ...changes }: Fields): Fields {
  const now = { ...before }
  for (const [name, value] of Object.entries(changes)) {
    const [former, present] = [before[name], value]
    now[name] = GROWING.includes(name)
      ? appliedEntries(former as Fields[], present as Fields[], removed as string[])
      : present
  }
  const lines = String(now['descriptionMarkdown']).split('\n')
  const words = (line: string) => line.slice(line.indexOf(']'))
  const ticked = ticks as string[]
  if (ticked.length > 0) {
    now['descriptionMarkdown'] = lines
      .map(line => ticked.find(tick => line.includes('[') && words(tick) === words(line)) ?? line)
      .join('\n')
  }
  return withoutNulls(now)
}
const withoutNulls = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))

function appliedEntries(before: readonly Fields[], changes: readonly Fields[], removed: readonly string[]): Fields[] {
  // Entries of the history have no id.
  const nameOf = ({ actor: _, ...entry }: Fields) => entry['id'] ?? JSON.stringify(entry)
  const entries = new Map(before.map(entry => [nameOf(entry), entry]))
  for (const { removed: isRemoved, ...change } of changes) {
    const name = nameOf(change)
    const { replies, ...fields } = change
    const former = entries.get(name)
    if (isRemoved) entries.delete(name)
    else if (former === undefined) entries.set(name, change)
    else {
      const of = (entry: Fields) => entry['replies'] as Fields[]
      const more = replies ? { replies: appliedEntries(of(former), of(change), removed) } : {}
      entries.set(name, { ...former, ...fields, ...more })
    }
  }
  return [...entries.values()]
    .filter(entry => !removed.includes(String(entry['id'])))
    .toSorted((one, other) => timeOf(one).localeCompare(timeOf(other)))
}

t.test('the second reading of a task in which nothing has changed costs few tokens', async t => {
  const { version } = await agent.ok<Context>('get_task', { task: key })
  t.equal(version, (await context()).version)
  const answer = await agent.ok('get_task', { task: key, since: version })
  t.strictSame(answer, { unchanged: true, version })
  t.ok(countTokens(JSON.stringify(answer)) <= MAX_UNCHANGED_TOKENS, JSON.stringify(answer))
  t.strictSame(await since(version), { unchanged: true, version })
})

const change = (body: object) => server.ok(path, { body })
async function changePart(body: object) {
  const [part] = (await context())['subIssues'] as Array<{ id: string }>
  return server.ok(`/v1/issues/${part!.id}`, { body })
}
const renameAdministrator = () => sql`update account set fullname = 'Renamed' where kind = 'PERSON'`.execute(db)

const changes: Array<[what: string, change: () => Promise<unknown>, ...fields: string[]]> = [
  ['title', () => change({ title: 'Has a new title' }), 'title'],
  [
    'description',
    () => change({ descriptionMarkdown: 'Because.\n\n- [ ] first\n- [ ] second\n' }),
    'descriptionMarkdown'
  ],
  ['state', () => change({ state: 'In Review' }), 'state', 'history'],
  ['assignee', () => change({ assignee: 'me' }), 'assignee', 'history', 'claim'],
  ['priority', () => change({ priority: 2 }), 'priority', 'history'],
  ['no due date', () => change({ dueDate: null }), 'dueDate'],
  ['labels', () => change({ labels: ['Feature'] }), 'labels', 'history'],
  ['no label', () => change({ labels: [] }), 'labels', 'history'],
  ['a tick', () => server.ok(`${path}/criteria`, { body: { met: [1] } }), 'ticks', 'definitionOfDone'],
  [
    'evidence',
    () => server.ok(`${path}/criteria`, { body: { met: [{ criterion: 2, evidence: 'seen' }] } }),
    'ticks',
    'definitionOfDone'
  ],
  ['a comment', () => comment({ bodyMarkdown: 'A second note' }), 'comments'],
  ['a reply', () => comment({ bodyMarkdown: 'A reply', parentId: first.id }), 'comments'],
  [
    'an edited comment',
    () => server.ok(`/v1/issue_comments/${first.id}`, { body: { bodyMarkdown: 'An edited note' } }),
    'comments'
  ],
  ['a question', () => comment({ bodyMarkdown: 'Which one?', question: {} }), 'comments', 'openQuestions'],
  ['a closed blocker', () => server.ok(`/v1/issues/${blocker}`, { body: { state: 'Done' } }), 'relations'],
  ['the title of a sub-issue', () => changePart({ title: 'A part with a new title' }), 'subIssues'],
  ['the state of a sub-issue', () => changePart({ state: 'Done' }), 'subIssues'],
  [
    'a link',
    () => server.ok(`${path}/links`, { body: { url: 'https://example.org/', title: 'Outside' } }),
    'linkedIssues'
  ],
  [
    'a project',
    async () => {
      await server.ok('/v1/projects', { body: { name: 'Stability' } })
      await change({ project: 'Stability' })
    },
    'project',
    'history'
  ],
  [
    'a file',
    () =>
      server.ok(`/v1/files?issueId=${key}`, {
        method: 'POST',
        headers: { 'content-type': 'application/octet-stream', 'content-disposition': 'attachment; filename="a.txt"' },
        body: Buffer.from('text')
      }),
    'files'
  ],
  [
    'the name of an account',
    renameAdministrator,
    ...['assignee', 'claim', 'comments', 'definitionOfDone', 'history', 'openQuestions']
  ]
]

for (const [what, make, ...fields] of changes) {
  t.test(`a version covers, and the changes since are: ${what}`, async t => {
    const before = await context()
    await make()
    const after = await context()
    const { delta, version, rev: _, updatedAt: __, removed, ...changed } = await since(before.version)
    t.equal(delta, true)
    t.not(version, before.version)
    t.strictSame(Object.keys(changed).toSorted(), fields.toSorted())
    t.notOk(removed)
    t.strictSame(applied(before, await since(before.version)), withoutNulls(after))
  })
}

t.test('of comments only the new and the edited ones are in the changes, and ids of the removed ones', async t => {
  const { id: removed } = await comment({ bodyMarkdown: 'A note that is removed' })
  const before = await context()
  const { id: added } = await comment({ bodyMarkdown: 'A last note' })
  await server.ok(`/v1/issue_comments/${first.id}`, { body: { bodyMarkdown: 'Edited again' } })
  await server.ok(`/v1/issue_comments/${removed}`, { method: 'DELETE' })
  const changes = await since(before.version)
  t.match(changes, { removed: [removed] })
  const comments = changes['comments'] as Array<Fields & { id: string }>
  t.strictSame(comments.map(({ id }) => id).toSorted(), [first.id, added, removed].toSorted())
  const edited = comments.find(({ id }) => id === first.id)!
  t.strictSame(
    Object.keys(edited).filter(name => !/At$/.test(name)),
    ['id', 'author', 'bodyMarkdown'],
    'its replies have not changed'
  )
  t.match(
    comments.find(({ id }) => id === removed),
    { removed: true, bodyMarkdown: undefined }
  )
  t.strictSame(applied(before, changes), withoutNulls(await context()))
})

t.test('an agent reads changes without ids, and none for what a task no longer has', async t => {
  const body = { descriptionMarkdown: '- [ ] done\n', labels: ['Bug'], priority: 1 }
  const other = await file('Is read by an agent', body)
  const read = (args = {}) => agent.ok<Context>('get_task', { task: other.key, ...args })
  await agent.ok('pick_up_task', { task: other.key })
  const note = await server.ok<{ id: string }>(`/v1/issue_comments?issueId=${other.key}`, {
    body: { bodyMarkdown: 'A note that is removed' }
  })
  const { version } = await read()
  await server.ok(`/v1/issue_comments/${note.id}`, { method: 'DELETE' })
  await agent.ok('update_task', {
    task: other.key,
    met: [1],
    removeLabels: ['Bug'],
    assignee: 'none',
    priority: 'none'
  })
  const changes = await read({ since: version })
  t.match(changes, {
    delta: true,
    ticks: ['- [x] done'],
    labels: 'none',
    assignee: 'none',
    claim: 'none',
    priority: 'none',
    comments: [{ author: String, removed: true }]
  })
  t.notMatch(JSON.stringify(changes), /[0-9a-f]{8}-[0-9a-f]{4}-/)
  t.strictSame(await read({ since: changes.version }), { unchanged: true, version: changes.version })
})

t.test('the time at which a claim expires, which each request of its holder moves, is no change', async t => {
  const { version, claim } = await context()
  await sql`update issue_claim set expires_at = now() + interval '9 days' where issue_id = ${id}`.execute(db)
  t.notSame((await context())['claim'], claim)
  t.strictSame(await since(version), { unchanged: true, version })
  await change({ priority: 3 })
  t.notOk('claim' in (await since(version)))
})

t.test('a version that is unknown or of another issue answers the whole context', async t => {
  const { version: other } = await server.ok<Context>(`/v1/issues/${blocker}/context`)
  for (const version of [other, 'x', '', 'a'.repeat(1000), '%F0%9F%98%80']) {
    t.strictSame(await since(version), await context(), version.slice(0, 20))
  }
})

t.test('another server knows whether a version is the present one, and else answers the whole context', async t => {
  const before = await context()
  const { version } = await server.ok<Context>(`/v1/issues/${blocker}/context`)
  const other = await testServer({ settings: { jobs: false }, on: server })
  t.teardown(() => other.close())
  const unchanged = await other.ok(`${path}/context?since=${before.version}`)
  t.strictSame(unchanged, { unchanged: true, version: before.version })
  await other.ok(`/v1/issues/${blocker}`, { body: { title: 'Has changed elsewhere' } })
  const whole = await other.ok<Context>(`/v1/issues/${blocker}/context?since=${version}`)
  t.match(whole, { key: blocker, title: 'Has changed elsewhere', delta: undefined, descriptionMarkdown: '' })
})

t.test('a part is read as a whole', async t => {
  const refusal = await agent.refused('get_task', { task: key, part: 'description', since: 'x' })
  t.match(refusal, /since is for the whole task/)
})

t.test('the next task is picked up with a version', async t => {
  await file('Is ready', { state: 'Todo', descriptionMarkdown: 'Dates are missing in the export.\n\n- [ ] done\n' })
  const { key: task, version } = await agent.ok<Context>('pick_up_task', { task: 'next' })
  t.strictSame(await agent.ok('get_task', { task, since: version }), { unchanged: true, version })
})

const entry = (n: number, more: Fields = {}) => ({
  id: `c${n}`,
  createdAt: new Date(n * 1000).toISOString(),
  bodyMarkdown: `${n}`,
  replies: [],
  ...more
})

t.test('what is left out of a long list because newer items came is not said to be removed', t => {
  const before = { comments: [entry(1), entry(2), entry(3)], omitted: { comments: 7 } }
  const now = { comments: [entry(2), entry(3), entry(4)], omitted: { comments: 8 } }
  t.strictSame(changesBetween(before, now, GROWING), { comments: [entry(4)], omitted: { comments: 8 } })
  const after = { comments: [entry(1), entry(3)], omitted: { comments: 7 } }
  const { removed } = changesBetween(before, after, GROWING)
  t.strictSame(removed, ['c2'])
  t.end()
})

t.test('ticks are lines; whatever else has changed is the description', t => {
  const text = '# Done\n\n- [ ] one\n  1. [x] two\n> * [ ] three\n'
  t.strictSame(ticksBetween(text, text.replace('[ ] one', '[x] one').replace('[x] two', '[ ] two')), [
    '- [x] one',
    '  1. [ ] two'
  ])
  t.strictSame(ticksBetween(text, text.replace('[ ] three', '[x] three')), ['> * [x] three'])
  for (const now of [text.replace('one', 'four'), `${text}- [ ] more\n`, text.replace('# Done', '# [x] Done')]) {
    t.equal(ticksBetween(text, now), undefined)
  }
  t.equal(ticksBetween('- [ ] same\n- [ ] same\n', '- [ ] same\n- [x] same\n'), undefined, 'it does not say which')
  t.end()
})

t.test('a client that applies the changes has the present context, whatever has changed', t => {
  const entries = fc
    .uniqueArray(fc.record({ n: fc.nat(9), body: fc.nat(2), replies: fc.uniqueArray(fc.nat(5), { maxLength: 3 }) }), {
      selector: ({ n }) => n,
      maxLength: 5
    })
    .map(list =>
      list
        .toSorted((one, other) => one.n - other.n)
        .map(({ n, body, replies }) =>
          entry(n, {
            bodyMarkdown: `${body}`,
            replies: replies.toSorted().map(m => entry(m, { id: `c${n}r${m}` }))
          })
        )
    )
  const thing = fc.record({ id: fc.nat(2) })
  const value = fc.oneof(fc.nat(2), fc.constant('text'), thing, fc.array(thing))
  const fields = fc.dictionary(fc.constantFrom('state', 'labels', 'ofPlugin'), value)
  const descriptionMarkdown = fc.constantFrom('- [ ] a', '- [x] a', 'b')
  const contexts = fc.record({ fields, comments: entries, descriptionMarkdown })
  const flat = contexts.map(({ fields, ...rest }): Fields => ({ ...fields, ...rest }))
  fc.assert(
    fc.property(flat, flat, (before, now) =>
      isDeepStrictEqual(applied(before, changesBetween(before, now, GROWING)), now)
    ),
    { numRuns: 300, seed: SEED }
  )
  t.end()
})
