import { join } from 'node:path'
import t from 'tap'
import { byMeaning } from '../../../test/embeddings.ts'
import { onPostgres, testServer } from '../../../test/runner/harness.ts'
import { writeModel } from '../../../test/tiny-model.ts'
import { withCloseness } from '../ranking/closeness.ts'
import type { Candidate } from '../ranking/model.ts'
import type { SearchHit } from '../schemas.ts'

const modelDir = join(t.testdir(), 'vehicles')
await writeModel(modelDir, {
  car: [1, 0, 0],
  automobile: [0.9, 0.3, 0],
  crash: [0, 1, 0],
  collision: [0, 0.8, 0.1],
  fruit: [0, 0, 1]
})
const plugins = ['workspace', 'agents', 'issues', 'comments', 'embeddings', 'search']
const settings = { plugins: { embeddings: { modelDir, download: false } } }

const server = await testServer({ plugins, settings })
t.teardown(() => server.close())
await server.app.listen({ host: '127.0.0.1', port: 0 })

const file = (title: string, more = {}, token = server.token) =>
  server.ok<{ id: string; key: string }>('/v1/issues', { token, body: { title, teamId: 'ENG', ...more } })
const search = (path: string, token = server.token): Promise<SearchHit[]> =>
  byMeaning(server, () => server.ok(`/v1/search${path}`, { token }))
const titles = (hits: SearchHit[]) => hits.map(hit => hit.title)

const crash = await file('Car crash')
const collision = await file('Automobile collision')
const fruit = await file('Fruit in the cellar')

t.test('texts with the same meaning are found without a common word, ranked after those with one', async t => {
  const hits = await search('?query=car+crash')
  t.same(titles(hits), ['Car crash', 'Automobile collision'])
  t.ok(hits[0]!.distance! < 0.001)
  t.ok(hits[1]!.distance! > 0.001 && hits[1]!.distance! < 0.2)
  t.ok(hits[0]!.score > hits[1]!.score)
})

t.test('the threshold bounds what only its meaning brings, not what has the words', async t => {
  t.same(titles(await search('?query=car+crash&threshold=0.0001')), ['Car crash'])
  t.same(titles(await search('?query=car+crash&threshold=-1')), ['Car crash'])
  t.equal((await search('?query=car+crash&threshold=-1'))[0]?.distance, null)
  t.same(titles(await search('?query=car+crash&threshold=2')).sort(), [
    'Automobile collision',
    'Car crash',
    'Fruit in the cellar'
  ])
  t.same(titles(await search('?query=car+crash&threshold=abc')), ['Car crash', 'Automobile collision'], 'the default')
  t.same(titles(await search('?query=cellar&threshold=0')), ['Fruit in the cellar'])
  t.equal((await server.call('/v1/search?query=car&threshold=1e300')).statusCode, 200)
})

t.test('of each hit it is told how far it is, of those by words, too', async t => {
  const hits = await search('?query=car+cellar&threshold=0.5')
  const fruit = hits.find(({ title }) => title === 'Fruit in the cellar')
  t.ok(Math.abs(fruit!.distance! - 1) < 0.001)
})

t.test('closeness is relative: a model whose distances are all small ranks as well', async t => {
  const candidateOf = (id: string): Candidate => ({
    id,
    distance: null,
    text: {
      match: 1,
      closeness: 0,
      titleSimilarity: 0,
      titleTerms: [],
      heldTerms: [],
      descriptionBytes: 0,
      facets: [],
      createdAt: new Date(0),
      position: 0
    },
    fate: { category: 'UNSTARTED', comments: 0 },
    knownDuplicates: 0,
    duplicateOf: []
  })
  const closenessBy = async (distances: Record<string, number>) =>
    (
      await withCloseness(['near', 'far', 'further', 'unknown'].map(candidateOf), {
        near: [],
        distancesOf: async () => Object.entries(distances).map(([id, distance]) => ({ id, distance }))
      })
    ).map(({ distance, text }) => ({ distance, closeness: Math.round(text!.closeness * 1000) / 1000 }))
  const wide = await closenessBy({ near: 0.2, far: 0.8, further: 0.9 })
  const narrow = await closenessBy({ near: 0.1, far: 0.4, further: 0.45 })
  t.same(wide, [
    { distance: 0.2, closeness: 1.402 },
    { distance: 0.8, closeness: -0.539 },
    { distance: 0.9, closeness: -0.863 },
    { distance: null, closeness: 0 }
  ])
  t.same(
    narrow.map(({ closeness }) => closeness),
    wide.map(({ closeness }) => closeness)
  )
  t.same(
    (await closenessBy({})).map(({ closeness }) => closeness),
    [0, 0, 0, 0],
    'nothing has a vector yet'
  )
})

t.test('a quoted phrase and the states that were asked for hold for every hit', async t => {
  t.same(titles(await search('?query=%22car+crash%22')), ['Car crash'])
  t.same(await search('?query=car+crash&stateCategory=COMPLETED'), [])
})

t.test('similar issues are similar in meaning, too, from the moment they are filed', async t => {
  t.same(titles(await search(`/similar_issues?issueId=${crash.key}`)), ['Automobile collision'])
  t.same(titles(await search(`/similar_issues?issueId=${fruit.key}&threshold=0.5`)), [])
})

t.test('without the model, hits are exactly those by words, although texts have vectors from earlier', async t => {
  const empty = { plugins: { embeddings: { modelDir: t.testdir(), download: false } } }
  const absent = await testServer({ plugins, settings: empty, on: server })
  t.teardown(() => absent.close())
  const words = await testServer({ plugins: plugins.filter(name => name !== 'embeddings'), on: server })
  t.teardown(() => words.close())
  for (const path of [`/similar_issues?issueId=${crash.key}`, '?query=car+crash']) {
    const hits = await absent.ok<SearchHit[]>(`/v1/search${path}`)
    t.same(hits, await words.ok(`/v1/search${path}`), path)
    t.strictNotSame(hits, await search(path), 'which a server with the model answers otherwise')
  }
})

t.test('comments are found by what they mean; what goes is not found', async t => {
  const { id } = await server.ok<{ id: string }>(`/v1/issue_comments?issueId=${fruit.id}`, {
    body: { bodyMarkdown: `${'word '.repeat(250)} automobile` }
  })
  t.ok(titles(await search('?query=car&threshold=0.3')).includes('Fruit in the cellar'))
  await server.ok(`/v1/issue_comments/${id}`, { method: 'DELETE' })
  t.notOk(titles(await search('?query=car&threshold=0.3')).includes('Fruit in the cellar'))
  await server.ok(`/v1/issues/${collision.id}`, { method: 'DELETE' })
  t.same(titles(await search('?query=car+crash')), ['Car crash'])
})

t.test('another workspace sees nothing of this one', async t => {
  const other = await server.otherWorkspace()
  t.same(await search('?query=automobile&threshold=2', other.token), [])
})

t.test('while there is no model, hits are exactly those of a server without embeddings', async t => {
  const without = { modelDir: t.testdir(), download: false }
  const waiting = await testServer({ plugins, settings: { plugins: { embeddings: without } } })
  t.teardown(() => waiting.close())
  await waiting.app.listen({ host: '127.0.0.1', port: 0 })
  for (const title of ['Car crash', 'A crash of the car', 'Cars that crash', 'Automobile collision']) {
    await waiting.ok('/v1/issues', { body: { title, descriptionMarkdown: `${title} on a bridge`, teamId: 'ENG' } })
  }
  await waiting.idle()
  t.match(await waiting.ok('/health/ready', { token: null }), { embeddings: { model: null, backlog: 4 } })
  const words = await testServer({ plugins: plugins.filter(name => name !== 'embeddings'), on: waiting })
  t.teardown(() => words.close())
  for (const path of ['?query=car+crash', '?query=bridge&threshold=2', '/similar_issues?issueId=ENG-1']) {
    const hits = await waiting.ok<SearchHit[]>(`/v1/search${path}`)
    t.ok(hits.length > 1, path)
    t.same(hits, await words.ok(`/v1/search${path}`), path)
  }
})

t.test(
  'issues from before the embeddings were on get their vectors at the next start',
  { skip: !onPostgres && 'a second server needs a database that outlives the first' },
  async t => {
    const before = await testServer({ plugins: plugins.filter(name => name !== 'embeddings') })
    await before.ok('/v1/issues', { body: { title: 'Automobile', teamId: 'ENG' } })
    await before.idle()
    t.match(await before.ok('/health/ready', { token: null }), {
      embeddings: { state: 'off', model: null, backlog: 0 }
    })
    await before.close()
    const after = await testServer({ plugins, settings, on: before })
    t.teardown(() => after.close())
    await after.app.listen({ host: '127.0.0.1', port: 0 })
    t.same(titles(await byMeaning(after, () => after.ok('/v1/search?query=car'))), ['Automobile'])
  }
)
