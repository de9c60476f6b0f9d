import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { commands } from '../../../core/api/points.ts'
import { testServer } from '../../../test/runner/harness.ts'
import type { SearchHit } from '../schemas.ts'

/** The statements that wrote texts into the index. */
const written: string[] = []
const server = await testServer({
  plugins: ['workspace', 'agents', 'issues', 'comments', 'projects', 'search'],
  onStatement: text => {
    if (text.startsWith('insert into "search_document"')) written.push(text)
  }
})
t.teardown(() => server.close())
const file = (title: string, more = {}) =>
  server.ok<{ id: string }>('/v1/issues', { body: { title, teamId: 'ENG', ...more } })
const titles = async (query: string, more = '') =>
  (await server.ok<SearchHit[]>(`/v1/search?query=${encodeURIComponent(query)}${more}`)).map(hit => hit.title)
const documents = async () =>
  (
    await server.database.db
      .withTables<{ searchDocument: { workspaceId: string; id: string } }>()
      .selectFrom('searchDocument')
      .select('id')
      .orderBy('id')
      .execute()
  ).map(row => row.id)

t.test('written texts are found soon, without a request to index them', async t => {
  const { id } = await file('Aardvark')
  while ((await titles('aardvark')).length === 0) await sleep(20)
  await server.ok(`/v1/issue_comments?issueId=${id}`, { body: { bodyMarkdown: 'It was a pangolin' } })
  while ((await titles('pangolin')).length === 0) await sleep(20)
  t.same(await titles('pangolin'), ['Aardvark'])
})

t.test('long texts that are filed together are not indexed in one transaction', async t => {
  await server.idle()
  written.length = 0
  const long = (n: number) => `${'long '.repeat(15_000)} hoopoe${n}`
  const issues = Array.from({ length: 8 }, (_, n) => ({
    teamId: 'ENG',
    title: `Hoopoe ${n}`,
    descriptionMarkdown: n % 2 === 0 ? long(n) : ''
  }))
  const created = await server.ok<{ issues: Array<{ id: string }> }>('/v1/issues/bulk', { body: { issues } })
  await server.idle()
  t.ok(written.length >= 4, `${written.length} statements`)
  t.same(await titles('hoopoe6'), ['Hoopoe 6'])

  written.length = 0
  for (const { id } of created.issues.slice(0, 4)) {
    await server.ok(`/v1/issue_comments?issueId=${id}`, { body: { bodyMarkdown: long(8) } })
  }
  await server.idle()
  t.ok(written.length >= 3, `${written.length} statements`)
  t.equal((await titles('hoopoe8')).length, 4)
})

t.test('many writes at once are all found', async t => {
  await Promise.all(
    Array.from({ length: 8 }, (_, n) =>
      server.ok('/v1/issues/bulk', {
        body: { issues: Array.from({ length: 10 }, (_, m) => ({ title: `Starling ${n} ${m}`, teamId: 'ENG' })) }
      })
    )
  )
  await server.idle()
  t.equal((await titles('starling', '&limit=100')).length, 80)
})

t.test('a change that leaves the words alone leaves them in the index; a rebuild does not', async t => {
  const { id } = await file('Marmot')
  await server.idle()
  const { db } = server.database
  const index = db.withTables<{
    searchDocument: { id: string; ctid: string; facets: number[]; weights: string }
    searchTerm: { word: string; term: number; df: number }
  }>()
  const document = () =>
    index
      .selectFrom('searchDocument')
      .select(['ctid', 'facets', 'weights'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  const frequency = async (facets: number[]) =>
    (await index.selectFrom('searchTerm').select('df').where('term', 'in', facets).orderBy('df').execute()).map(
      ({ df }) => df
    )
  const before = await document()
  const states = await server.ok<Array<{ id: string; category: string }>>('/v1/ENG/workflows')
  await server.ok(`/v1/issues/${id}`, {
    body: { stateId: states.find(({ category }) => category === 'COMPLETED')!.id }
  })
  await server.idle()
  const after = await document()
  t.equal(after.weights, before.weights)
  t.not(after.facets.join(), before.facets.join(), 'the state is another')
  t.same(await titles('marmot', '&stateCategory=COMPLETED'), ['Marmot'])
  t.same(await titles('marmot', '&stateCategory=UNSTARTED'), [])
  t.same(await frequency(after.facets), [1], 'and counted')
  await server.ok(`/v1/issues/${id}`, { body: { priority: 1 } })
  await server.idle()
  t.equal((await document()).ctid, after.ctid, 'what search has no use for does not touch the index')

  await index.updateTable('searchDocument').set({ weights: '{1:0.5}/1000000000' }).where('id', '=', id).execute()
  await server.ok(`/v1/issues/${id}`, { body: { title: 'Marmot' } })
  await server
    .contributions(commands)
    .find(({ item }) => item.name === 'reindex')!
    .item.run([])
  t.equal((await document()).weights, before.weights, 'a rebuild weighs them again')
})

t.test('a rebuild continues where an earlier one was interrupted, and misses nothing', async t => {
  await server.idle()
  const rebuild = () =>
    server
      .contributions(commands)
      .find(({ item }) => item.name === 'reindex')!
      .item.run([])
  const { db } = server.database
  const index = db.withTables<{
    searchDocument: { workspaceId: string; id: string }
    searchReindex: { workspaceId: string; afterId: string }
  }>()
  const all = await documents()
  const { workspace } = await server.ok<{ workspace: { id: string } }>('/v1/users/me')
  // The state of a rebuild that ended after the tenth issue.
  await index.insertInto('searchReindex').values({ workspaceId: workspace.id, afterId: all[9]! }).execute()
  await index.deleteFrom('searchDocument').where('id', 'in', [all[0]!, all[20]!]).execute()
  await rebuild()
  t.same(await documents(), all.slice(1), 'what comes after is built anew, what was done is not')
  await rebuild()
  t.same(await documents(), all, 'the next one begins at the beginning')
})

t.test('issues of one project, or under one label, are more alike', async t => {
  const project = await server.ok<{ id: string }>('/v1/projects', { body: { name: 'Harbour' } })
  const label = await server.ok<{ id: string }>('/v1/labels', { body: { name: 'Crane' } })
  const asking = await file('Hook slips', { projectId: project.id, labelIds: [label.id] })
  for (const more of [
    {},
    { projectId: project.id },
    { labelIds: [label.id] },
    { projectId: project.id, labelIds: [label.id] }
  ]) {
    await file(`Hook slips ${Object.keys(more).length}`, more)
  }
  await server.idle()
  const hits = await server.ok<SearchHit[]>(`/v1/search/similar_issues?issueId=${asking.id}`)
  t.same(
    hits.map(hit => hit.title),
    ['Hook slips 2', 'Hook slips 1', 'Hook slips 1', 'Hook slips 0']
  )
})

t.test(
  'stack frames, paths and compound names are found whole and in parts; scripts without spaces by any two characters',
  async t => {
    await file('Trace', {
      descriptionMarkdown:
        'at org.appcelerator.titanium.TiApplication.onCreate(TiApplication.java:341)\n\n' +
        'C:\\Users\\build\\main_window.cpp, E_ACCESS_DENIED, 0x8badf00d'
    })
    await file('東京都の天気が表示されない')
    await file('서울 날씨가 안 보인다')
    await server.idle()
    for (const part of [
      'org.appcelerator.titanium.TiApplication.onCreate',
      'TiApplication.java',
      'appcelerator',
      'onCreate',
      'main_window.cpp',
      'window',
      'E_ACCESS_DENIED',
      'denied',
      '0x8badf00d'
    ]) {
      t.same(await titles(part), ['Trace'], part)
    }
    for (const part of ['天気', '京都', '表示されない']) {
      t.same(await titles(part), ['東京都の天気が表示されない'], part)
    }
    t.same(await titles('날씨'), ['서울 날씨가 안 보인다'])
  }
)
