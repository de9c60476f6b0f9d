import t from 'tap'
import { statementOf, testServer } from '../../../test/runner/harness.ts'
import { cannotRevokeWhileRead, revokedWhileRead } from '../../../test/revoked-while-read.ts'

/** Parts of what is read for a context, for a page of the board, and for an issue that is filed. */
const READS = ['as "definitionOfDone"', 'from ids where n <=', ') as answer']
const reads: string[] = []
const server = await testServer({
  plugins: ['workspace', 'issues', 'agents'],
  settings: { jobs: false },
  onStatement(text, values) {
    const sql = statementOf(text, values)
    if (READS.some(part => sql.includes(part))) reads.push(text)
  }
})
t.teardown(() => server.close())
const { key } = await server.ok<{ key: string }>('/v1/issues', { body: { teamId: 'ENG', title: 'Read ahead' } })
const newToken = (name: string) => server.ok<{ id: string; token: string }>('/v1/users/pat', { body: { name } })

const filterOf = (body: string) => ({
  path: '/v1/issues/filter',
  call: { body }
})
const board = filterOf('{"perPage":5}')
const filing = { path: '/v1/issues', call: { body: { teamId: 'ENG', title: 'Filed' } } }

t.test('a token that was seen before is answered as a new one is', async t => {
  const contexts = ['ENG-1', 'ENG-99', 'a%00b'].map(name => ({ path: `/v1/issues/${name}/context`, call: {} }))
  const bodies = ['{"perPage":5}', '{"filters":{"assignee":{"filterType":"IS","value":["me"]}},"view":"named"}', '{}']
  const refused = ['{"perPage":"5"}', '{"filters":{"state":{"filterType":"IS","value":["Nowhere"]}}}', '{', '']
  const filings = [{ teamId: 'NOPE', title: 'x' }, { title: 'x', parentId: 'ENG-99' }, { title: '' }].map(body => ({
    ...filing,
    call: { body }
  }))
  for (const { path, call } of [...contexts, ...[...bodies, ...refused].map(filterOf), ...filings]) {
    const { token } = await newToken('new')
    const ask = () => server.call(path, { ...call, token })
    const [first, second] = [await ask(), await ask()]
    t.equal(second.statusCode, first.statusCode)
    t.strictSame(second.json(), first.json())
  }
})

t.test('a token that was revoked learns nothing of its request, whatever is wrong with it', async t => {
  for (const body of ['{"perPage":5}', '{"perPage":"5"}', '{', '"\\ud800"', ' '.repeat(9 * 1024 * 1024)]) {
    const { id, token } = await newToken('revoked')
    const { path, call } = filterOf(body)
    t.not((await server.call(path, { ...call, token })).statusCode, 401)
    await server.ok(`/v1/users/pats/${id}`, { method: 'DELETE' })
    t.match((await server.call(path, { ...call, token })).json(), { statusCode: 401, code: 'TOKEN_INVALID' })
  }
})

t.test('an account without the scope is refused before its body is', async t => {
  const { token } = await server.agent('Writer', ['write'])
  for (let seen = 0; seen < 2; seen++) {
    const { path, call } = filterOf('{')
    t.equal((await server.call(path, { ...call, token })).statusCode, 403)
  }
})

t.test(
  'what is read while the token is looked up is not answered when the token was revoked',
  { skip: cannotRevokeWhileRead },
  async t => {
    for (const { path, call } of [{ path: `/v1/issues/${key}/context`, call: {} }, board, filing]) {
      const { id, token } = await newToken('revoked')
      t.ok((await server.call(path, { ...call, token })).statusCode < 300)
      const answer = await revokedWhileRead(t, server, id, reads, () => server.call(path, { ...call, token }))
      t.equal(answer.statusCode, 401)
    }
    t.match(await server.ok('/v1/issues/filter', { body: { page: 1 } }), { total: 2 }, 'nor is anything filed')
  }
)
