import t from 'tap'
import { onPostgres, testServer } from '../../../test/runner/harness.ts'
import type { SearchHit } from '../schemas.ts'

interface Issue {
  id: string
  key: string
}
interface State {
  id: string
  category: string
}

const server = await testServer({ plugins: ['workspace', 'agents', 'issues', 'comments', 'search'] })
t.teardown(() => server.close())
const file = (title: string, descriptionMarkdown = '', more = {}, token = server.token) =>
  server.ok<Issue>('/v1/issues', { token, body: { title, descriptionMarkdown, teamId: 'ENG', ...more } })
const comment = (issue: Issue, bodyMarkdown: string, more = {}) =>
  server.ok<{ id: string }>(`/v1/issue_comments?issueId=${issue.id}`, { body: { bodyMarkdown, ...more } })
async function search(query: string, more = '', token = server.token): Promise<SearchHit[]> {
  await server.idle()
  return server.ok(`/v1/search?query=${encodeURIComponent(query)}${more}`, { token })
}
async function similar(issue: Issue, more = ''): Promise<SearchHit[]> {
  await server.idle()
  return server.ok(`/v1/search/similar_issues?issueId=${issue.id}${more}`)
}
const titles = (hits: SearchHit[]) => hits.map(hit => hit.title)
const state = async (category: string) =>
  (await server.ok<State[]>('/v1/ENG/workflows')).find(s => s.category === category)!.id

t.test('words are found in titles, descriptions and comments, whatever their form', async t => {
  const issue = await file('The exporter crashes on large boards', 'It allocates every attachment.')
  const { id } = await comment(issue, 'Streaming the spreadsheets helped.')
  const matched = async (query: string) =>
    (await search(query)).map(({ key, matchedIn, commentId }) => ({ key, matchedIn, commentId }))
  t.same(await matched('crashing'), [{ key: issue.key, matchedIn: 'title', commentId: null }])
  t.same(await matched('attachments'), [{ key: issue.key, matchedIn: 'description', commentId: null }])
  t.same(await matched('spreadsheet'), [{ key: issue.key, matchedIn: 'comment', commentId: id }])
  t.same(await matched('zebra'), [], 'nothing found is nothing')
})

t.test('identifiers are found whole and in parts, other languages as they are', async t => {
  const identifier = await file('Regression', 'at Titanium.UI.createTableView (src/ui/table_view.js:42), code ERR_7731')
  const chinese = await file('登录页面崩溃')
  const russian = await file('Приложение падает')
  for (const query of ['Titanium.UI.createTableView', 'createTableView', 'table_view.js', 'ERR_7731']) {
    t.equal((await search(query))[0]?.id, identifier.id, query)
  }
  t.equal((await search('页面'))[0]?.id, chinese.id)
  t.equal((await search('падает'))[0]?.id, russian.id)
})

t.test('a quoted phrase must occur, the last word may be unfinished, a key comes first', async t => {
  const one = await file('Kestrel loses its nest')
  const two = await file('Nest of the kestrel', 'its loses')
  t.same(titles(await search('"loses its" kestrel')), ['Kestrel loses its nest'])
  t.same(titles(await search('kest')).sort(), ['Kestrel loses its nest', 'Nest of the kestrel'])
  t.equal((await search(two.key.toLowerCase()))[0]?.id, two.id)
  t.equal((await search(one.id))[0]?.id, one.id)
  await file(`After ${two.key}`, '', { stateId: await state('COMPLETED') })
  const completed = await search(two.key, '&stateCategory=COMPLETED&limit=1')
  t.same(titles(completed), [`After ${two.key}`], 'an issue of another category takes nobody’s place')
})

t.test('changed issues are found as they are now, removed ones are not', async t => {
  const issue = await file('Walrus in the cellar')
  t.equal((await search('walrus')).length, 1)
  await server.ok(`/v1/issues/${issue.id}`, { body: { title: 'Penguin in the cellar' } })
  t.same(titles(await search('walrus')), [])
  t.same(titles(await search('penguin')), ['Penguin in the cellar'])
  await server.ok(`/v1/issues/${issue.id}`, { method: 'DELETE' })
  t.same(await search('penguin'), [])
})

t.test('similar issues come with how they were resolved; a duplicate leads to what it duplicates', async t => {
  const solved = await file('Upload stalls behind a proxy', 'The upload stalls at 99 percent when a proxy buffers it.')
  const first = await comment(solved, `Proxy buffering is off now. ${'x'.repeat(600)}`)
  await comment(solved, 'A reply explains nothing', { parentId: first.id })
  await server.ok(`/v1/issues/${solved.id}`, { body: { stateId: await state('COMPLETED') } })
  await comment(solved, 'Said after closing')
  const asking = await file('Stalled upload with proxy', 'Our upload stalls at 99 percent.')
  const [hit] = await similar(asking)
  t.equal(hit?.id, solved.id)
  t.equal(hit?.resolutionSnippet, `Proxy buffering is off now. ${'x'.repeat(600)}`.slice(0, 500))
  t.equal(hit?.stateCategory, 'COMPLETED')
  t.notOk(
    (await similar(asking)).some(h => h.id === asking.id),
    'an issue is not similar to itself'
  )
  t.same(titles(await search('upload stalls', '&stateCategory=COMPLETED')), ['Upload stalls behind a proxy'])

  const root = await file('Buffers of nginx are too small')
  await file('Upload stalls at 99 percent', 'The upload stalls.', {
    issueRelation: { type: 'DUPLICATE_OF', relatedIssueId: root.id }
  })
  t.ok(
    (await similar(asking)).some(h => h.id === root.id),
    'found through its duplicate alone'
  )

  await server.ok(`/v1/issues/${solved.id}`, { body: { stateId: await state('STARTED') } })
  t.equal((await similar(asking)).find(h => h.id === solved.id)?.resolutionSnippet, null, 'not while it is open again')
})

t.test('a query of any kind is answered', async t => {
  const queries = [
    '',
    ' ',
    'the and of',
    '!?…"\'',
    '🦄🦄',
    "'; drop table issue; --",
    '(a+)+$',
    '%_\\',
    'ab'.repeat(3000),
    '"',
    '""',
    '" "',
    'İ ß ﬁ',
    '\ud800'
  ]
  for (const query of queries) {
    t.equal(
      (await server.call(`/v1/search?query=${encodeURIComponent(query.toWellFormed())}`)).statusCode,
      200,
      JSON.stringify(query.slice(0, 20))
    )
  }
  const numbers = ['limit=abc', 'limit=1e9', 'limit=-3', 'threshold=-1', 'threshold=x', 'limit=']
  for (const more of [...numbers, 'limit=5&limit=6', 'threshold=1&threshold=x', 'limit=%00', 'threshold=%00']) {
    t.equal((await server.call(`/v1/search?query=upload&${more}`)).statusCode, 200, more)
  }
  t.equal((await search('upload', '&limit=1')).length, 1)
  const wrong = await server.call('/v1/search?query=upload&stateCategory=DONE')
  t.equal(wrong.statusCode, 400)
  t.match(wrong.json<{ message: string }>().message, /COMPLETED/)
  t.equal((await server.call('/v1/search')).statusCode, 400)
  t.equal((await server.call('/v1/search/similar_issues?issueId=ENG-99999')).statusCode, 404)
})

t.test('another workspace sees nothing of this one', async t => {
  const other = await server.otherWorkspace()
  const issue = await file('Narwhal')
  t.equal((await search('narwhal')).length, 1)
  t.same(await search('narwhal', '', other.token), [])
  t.same(await search('narw', '', other.token), [])
  t.same(await search(issue.id, '', other.token), [])
  t.equal((await server.call(`/v1/search/similar_issues?issueId=${issue.id}`, { token: other.token })).statusCode, 404)
  const { workspace } = await server.ok<{ workspace: { id: string } }>('/v1/users/me')
  t.equal(
    (await server.call(`/v1/search?query=narwhal&workspaceId=${workspace.id}`, { token: other.token })).statusCode,
    404
  )
})

t.test('the health check reports that search uses words only', async t => {
  t.match(await server.ok('/health/ready', { token: null }), { embeddings: { state: 'off', model: null, backlog: 0 } })
})

t.test(
  'issues from before the plugin was on are indexed at the next start',
  { skip: !onPostgres && 'a second server needs a database that outlives the first' },
  async t => {
    const before = await testServer({ plugins: ['workspace', 'agents', 'issues', 'comments'] })
    await before.ok('/v1/issues', { body: { title: 'Older than the index', teamId: 'ENG' } })
    const after = await testServer({ plugins: ['workspace', 'agents', 'issues', 'comments', 'search'], on: before })
    await after.idle()
    t.same(titles(await after.ok('/v1/search?query=older')), ['Older than the index'])
    await after.close()
    await before.close()
  }
)

t.test('hits with long descriptions are complete, and the words of long comments are found', async t => {
  const long = 'zebra '.repeat(170_000)
  const keys: string[] = []
  for (let n = 0; n < 6; n++) {
    const { key } = await server.ok<{ key: string }>('/v1/issues', {
      body: { teamId: 'ENG', title: `Crossing ${n}`, descriptionMarkdown: `${n} ${long}` }
    })
    keys.push(key)
  }
  await server.ok(`/v1/issue_comments?issueId=${keys[0]}`, { body: { bodyMarkdown: `okapi ${long}` } })
  await server.idle()
  const hits = await search('zebra crossing')
  t.strictSame(hits.map(({ key }) => key).sort(), keys)
  t.strictSame(
    hits.map(({ descriptionMarkdown }) => descriptionMarkdown.length),
    keys.map(() => long.length + 2)
  )
  t.match(await search('okapi'), [{ key: keys[0], matchedIn: 'comment', commentId: String }])
})
