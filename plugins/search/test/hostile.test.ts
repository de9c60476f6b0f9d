import t from 'tap'
import { testServer } from '../../../test/runner/harness.ts'
import type { SearchHit } from '../schemas.ts'

const server = await testServer({
  plugins: ['workspace', 'agents', 'issues', 'comments', 'search', 'mcp'],
  settings: { plugins: { mcp: { rateLimit: 0 } } }
})
t.teardown(() => server.close())
const file = (title: string, descriptionMarkdown = '', token = server.token) =>
  server.ok<{ id: string }>('/v1/issues', { token, body: { title, descriptionMarkdown, teamId: 'ENG' } })
const status = async (query: string, more = '') =>
  (await server.call(`/v1/search?query=${encodeURIComponent(query.toWellFormed())}${more}`)).statusCode
const scores = async (path: string, token = server.token) =>
  (await server.ok<SearchHit[]>(path, { token })).map(({ id, score }) => ({ id, score }))

t.test('every query is answered, and no stored text breaks the index', async t => {
  // A part of every block: 64 characters of each 256.
  const blocks = Array.from({ length: 0x110 }, (_, plane) => plane * 0x1000)
    .flatMap(start => [start, start + 0x100, start + 0x800])
    .map(start =>
      String.fromCodePoint(...Array.from({ length: 64 }, (_, n) => start + n))
        .toWellFormed()
        .replaceAll('\0', '')
    )
  const strange = [
    '1 or 1=1; --',
    "') union select * from token --",
    '$$;',
    '(?:(a+)+)+$',
    '[[:alpha:]]{1,1000}',
    '\\',
    '%',
    '_'.repeat(500),
    '-'.repeat(5000),
    'a.'.repeat(3000),
    'aB'.repeat(3000),
    '👩‍👩‍👧‍👦'.repeat(200),
    '\u202eesrever',
    'ﷺ'.repeat(500),
    'e' + '\u0301'.repeat(3000),
    '"',
    '"a" '.repeat(2000),
    '"the"',
    'ABC-1'.repeat(1000),
    '0x'.repeat(3000),
    '9'.repeat(5000)
  ]
  for (const text of [...blocks, ...strange]) t.equal(await status(text), 200, JSON.stringify(text.slice(0, 20)))
  for (const more of [
    'limit=abc',
    'limit=1e9',
    'limit=-1',
    'limit=NaN',
    'limit=0x10',
    'threshold=-1',
    'threshold=1e999',
    'threshold=',
    'stateCategory=',
    'stateCategory=,,'
  ]) {
    t.equal(await status('words', `&${more}`), 200, more)
  }
  for (const more of ['stateCategory=DONE', 'stateCategory=COMPLETED,DONE', 'unknown=1']) {
    t.equal(await status('words', `&${more}`), 400, more)
  }

  await server.ok('/v1/issues/bulk', {
    body: {
      issues: strange
        .slice(0, 20)
        .map(text => ({ title: 'Strange', descriptionMarkdown: `${text}\n\nplatypus`, teamId: 'ENG' }))
    }
  })
  await server.idle()
  t.equal((await scores('/v1/search?query=platypus&limit=100')).length, 20)
})

t.test('a text of a mebibyte is indexed, and compared with others', async t => {
  const words = Array.from({ length: 100_000 }, (_, n) => `w${n % 40_000}`).join(' ')
  const large = await file('Large okapi', words)
  const small = await file('Small okapi', 'w1 w2 w3 w39999')
  await server.idle()
  t.same((await scores('/v1/search?query=okapi')).map(hit => hit.id).sort(), [large.id, small.id].sort())
  t.ok((await scores(`/v1/search/similar_issues?issueId=${large.id}`)).some(hit => hit.id === small.id))
})

t.test('long runs of signs and marks are read once', async t => {
  const text = `zorilla quagga ${['$', '.', '%', '>', '[', '](', '*', '<'].map(sign => sign.repeat(50_000)).join(' ')}`
  const { id } = await file('Runs', `${text} a${'_'.repeat(200_000)}b`)
  await server.idle()
  t.same(
    (await scores(`/v1/search?query=${encodeURIComponent('"zorilla quagga"')}`)).map(hit => hit.id),
    [id]
  )
})

t.test('a question of ten megabytes is refused, not worked on', async t => {
  const text = 'word '.repeat(2_000_000)
  const answer = await server.call('/v1/mcp', {
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'search_tasks', arguments: { query: text } } },
    headers: { accept: 'application/json, text/event-stream' }
  })
  t.equal(answer.statusCode, 413)
  await server.app.listen({ port: 0 })
  const { port } = server.app.server.address() as { port: number }
  const { status } = await fetch(`http://127.0.0.1:${port}/v1/search?query=${encodeURIComponent(text)}`, {
    headers: { authorization: `Bearer ${server.token}` }
  }).catch((error: Error) => ({ status: error.cause ? 431 : 0 }))
  t.equal(status, 431)
})

t.test('what another workspace has moves no score here, and completes no word', async t => {
  const other = await server.otherWorkspace()
  const asking = await file('Quokka stalls the gearbox', 'The gearbox stalls.')
  await file('Gearbox stalls', 'A quokka sits in it.')
  await file('Gearbox', 'Oil')
  await server.idle()
  const paths = [
    '/v1/search?query=gearbox+stalls',
    `/v1/search/similar_issues?issueId=${asking.id}`,
    '/v1/search?query=quok',
    '/v1/search?query=%22gearbox+stalls%22'
  ]
  const before = await Promise.all(paths.map(path => scores(path)))
  t.ok(before.every(hits => hits.length > 0))

  await server.ok('/v1/teams', { token: other.token, body: { identifier: 'ENG', name: 'Engineering' } })
  await server.ok('/v1/issues/bulk', {
    token: other.token,
    body: {
      issues: Array.from({ length: 60 }, (_, n) => ({
        title: `Gearbox stalls ${n}`,
        descriptionMarkdown: 'A quokka, a quokkabird, quokkas',
        teamId: 'ENG'
      }))
    }
  })
  await server.idle()
  t.same(await Promise.all(paths.map(path => scores(path))), before)
  t.equal((await scores('/v1/search?query=gearbox&limit=100', other.token)).length, 60)
})
