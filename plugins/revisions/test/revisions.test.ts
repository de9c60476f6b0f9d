import { sql } from 'kysely'
import t from 'tap'
import { testServer, type TestServer } from '../../../test/runner/harness.ts'
import { difference } from '../difference.ts'

interface Edit {
  n: number
  at: string
  by: { id: string; fullname: string }
}
interface Difference extends Edit {
  difference: Array<{ kind: string; text: string }>
}
interface Issue {
  id: string
  key: string
}

const MINUTE = 60_000
let server: TestServer
let other: string
let now = Date.parse('2026-11-27T08:00:00Z')
t.before(async () => {
  server = await testServer({ now: () => new Date(now) })
  other = (await server.agent('Second', ['read', 'write', 'delete'])).token
})
t.teardown(() => server.close())

const file = (descriptionMarkdown: string) =>
  server.ok<Issue>('/v1/issues', { body: { teamId: 'ENG', title: 'x', descriptionMarkdown } })
const comment = (key: string, bodyMarkdown: string) =>
  server.ok<Issue>(`/v1/issue_comments?issueId=${key}`, { body: { bodyMarkdown } })
const edits = async (path: string) => (await server.ok<{ revisions: Edit[] }>(`${path}/revisions`)).revisions
const edit = (path: string, body: object, token = server.token, afterMs = 6 * MINUTE) => {
  now += afterMs
  return server.ok(path, { body, token })
}
/** The lines of a difference, each after its sign. */
const lines = async (path: string, n: number) =>
  (await server.ok<Difference>(`${path}/revisions/${n}`)).difference.map(
    ({ kind, text }) => `${{ same: ' ', removed: '-', added: '+' }[kind]}${text}`
  )

t.test('the edits of a description are listed, and each shows what it changed', async t => {
  const { key } = await file('One.\n\nTwo.')
  const path = `/v1/issues/${key}`
  t.strictSame(await edits(path), [], 'a new issue has none')
  await edit(path, { descriptionMarkdown: 'One.\n\nThree.' })
  const at = new Date(now).toISOString()
  await edit(path, { descriptionMarkdown: 'One.\n\nThree.\n\nFour.' }, other)
  t.match(await edits(path), [
    { n: 2, by: { fullname: 'Second' } },
    { n: 1, at, by: { fullname: 'Administrator' } }
  ])
  t.strictSame(await lines(path, 1), [' One.\n\n', '-Two.', '+Three.'])
  t.strictSame((await lines(path, 2)).join('').includes('+'), true)
  await edit(path, { title: 'y', descriptionMarkdown: 'One.\n\nThree.\n\nFour.' })
  t.equal((await edits(path)).length, 2, 'the same text again is no edit')
  t.match((await server.call(`${path}/revisions/3`)).json(), { statusCode: 404 })
  t.equal((await server.call(`${path}/revisions/x`)).statusCode, 400)
})

t.test('what one account edits within five minutes is one edit, unless another one edits between', async t => {
  const { key } = await file('0')
  const path = `/v1/issues/${key}`
  for (const [text, token, minutes] of [
    ['1', undefined, 0],
    ['2', undefined, 4],
    ['3', undefined, 1.1],
    ['4', other, 1],
    ['5', undefined, 1]
  ] as const) {
    await edit(path, { descriptionMarkdown: text }, token, minutes * MINUTE)
  }
  t.strictSame(
    (await edits(path)).map(({ n, by }) => `${n} ${by.fullname}`),
    ['4 Administrator', '3 Second', '2 Administrator', '1 Administrator']
  )
  t.strictSame(await lines(path, 1), ['-0', '+2'])
  t.strictSame(await lines(path, 2), ['-2', '+3'])
  t.strictSame(await lines(path, 4), ['-4', '+5'])
})

t.test('ticks are edits, evidence is none', async t => {
  const { key } = await file('- [ ] one\n- [ ] two')
  const path = `/v1/issues/${key}`
  await edit(`${path}/criteria`, { met: [1] })
  t.strictSame(await lines(path, 1), ['-- [ ] one\n', '+- [x] one\n', ' - [ ] two'])
  await edit(`${path}/criteria`, { met: [{ criterion: '1', evidence: 'seen' }] })
  t.equal((await edits(path)).length, 1)
})

t.test('the edits of a comment are stored, too, and a restored one has them', async t => {
  const { key } = await file('x')
  const { id } = await comment(key, 'first')
  const path = `/v1/issue_comments/${id}`
  await edit(path, { bodyMarkdown: 'second' })
  await edit(path, { bodyMarkdown: 'second' })
  await edit(path, { bodyMarkdown: 'third' })
  t.match(await edits(path), [{ n: 2, by: { fullname: 'Administrator' } }, { n: 1 }])
  t.strictSame(await lines(path, 1), ['-first', '+second'])
  t.strictSame(await edits(`/v1/issues/${key}`), [], 'the description has its own')
  await server.ok(path, { method: 'DELETE' })
  t.equal((await server.call(`${path}/revisions`)).statusCode, 404, 'in the trash they are not read')
  await server.ok(`${path}/restore`, { method: 'POST' })
  t.equal((await edits(path)).length, 2)
  await server.ok(`/v1/issues/${key}`, { method: 'DELETE' })
  for (const read of [`${path}/revisions/1`, `/v1/issues/${key}/revisions`]) {
    t.equal((await server.call(read)).statusCode, 404, read)
  }
})

t.test('what is removed for good takes its former texts with it', async t => {
  const stored = async (issueId: string) => {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from text_revision where issue_id = ${issueId}`.execute(server.database.db)
    return rows[0]?.n
  }
  const { id, key } = await file('x')
  const { id: one } = await comment(key, 'first')
  const { id: two } = await comment(key, 'first')
  for (const path of [`/v1/issues/${key}`, `/v1/issue_comments/${one}`, `/v1/issue_comments/${two}`]) {
    await edit(path, path.includes('comments') ? { bodyMarkdown: 'second' } : { descriptionMarkdown: 'second' })
  }
  t.equal(await stored(id), 3)
  await server.ok(`/v1/issue_comments/${one}?permanently=true`, { method: 'DELETE' })
  t.equal(await stored(id), 2)
  await server.ok(`/v1/issues/${key}?permanently=true`, { method: 'DELETE' })
  t.equal(await stored(id), 0)
})

t.test('the last 50 edits of a text are kept, of 4 MiB at most', async t => {
  const { key } = await file('0')
  const path = `/v1/issues/${key}`
  for (let n = 1; n <= 53; n++) await edit(path, { descriptionMarkdown: `${n}` })
  const kept = await edits(path)
  t.equal(kept.length, 50)
  t.match(kept.at(-1), { n: 4 })
  t.strictSame(await lines(path, 4), ['-3', '+4'])
  t.equal((await server.call(`${path}/revisions/3`)).statusCode, 404)
  const long = 'word '.repeat(180_000)
  for (let n = 0; n < 6; n++) await edit(path, { descriptionMarkdown: `${n} ${long}` })
  const { length } = await edits(path)
  t.ok(length >= 4 && length <= 5, `${length} edits of 900 kB`)
})

t.test('a token without an account in the workspace, and another workspace, read nothing', async t => {
  const { key } = await file('0')
  t.equal((await server.call(`/v1/issues/${key}/revisions`, { token: null })).statusCode, 401)
  const elsewhere = await server.board()
  t.equal((await elsewhere.call(`/v1/issues/${key}/revisions`)).statusCode, 404)
})

t.test('texts that are unrelated are shown whole, without keeping the process', async t => {
  const words = (seed: number) =>
    Array.from({ length: 60_000 }, (_, n) => `${((n + seed) * 7919) % 104_729}\n`).join('')
  const [before, after] = [words(1), words(50_000)]
  const parts = await difference(before, after)
  t.strictSame(
    parts.map(({ kind }) => kind),
    ['removed', 'added'],
    'the search for equal lines was given up'
  )
  const side = (kind: string) =>
    parts
      .filter(part => part.kind !== kind)
      .map(({ text }) => text)
      .join('')
  t.equal(side('added'), before)
  t.equal(side('removed'), after)
})

t.test('the difference of related texts does not depend on the time that it takes', async t => {
  const { now } = Date
  t.teardown(() => {
    Date.now = now
  })
  let time = 0
  Date.now = () => (time += 60_000)
  const lines = (word: string) => Array.from({ length: 900 }, (_, n) => `${n % 2 ? word : 'same'} ${n}\n`).join('')
  const parts = await difference(lines('one'), lines('other'))
  t.equal(parts.filter(({ kind }) => kind === 'same').length, 450)
})

t.test('without comments, descriptions have their edits', async t => {
  const small = await testServer({ plugins: ['workspace', 'agents', 'issues', 'revisions'] })
  t.teardown(() => small.close())
  const { key } = await small.ok<Issue>('/v1/issues', { body: { teamId: 'ENG', title: 'x' } })
  await small.ok(`/v1/issues/${key}`, { body: { descriptionMarkdown: 'new' } })
  t.match(await small.ok(`/v1/issues/${key}/revisions/1`), { difference: [{ kind: 'added', text: 'new' }] })
  const { paths } = (await small.call('/openapi.json')).json<{ paths: object }>()
  t.notOk('/v1/issue_comments/{id}/revisions' in paths)
})
