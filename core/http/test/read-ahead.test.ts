import t from 'tap'
import { contract } from '../../api/contract.ts'
import { definePlugin, dependsOn } from '../../api/plugin.ts'
import { statementOf, testServer } from '../../../test/runner/harness.ts'
import { cannotRevokeWhileRead, revokedWhileRead } from '../../../test/revoked-while-read.ts'

/** Substrings of the reads for a context, and for a page of the board. */
const READS = ['as "definitionOfDone"', 'from ids where n <=']
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

t.test('a token that was seen before is answered as a new one is', async t => {
  const contexts = ['ENG-1', 'ENG-99', 'a%00b'].map(name => ({ path: `/v1/issues/${name}/context`, call: {} }))
  const bodies = ['{"perPage":5}', '{"filters":{"assignee":{"filterType":"IS","value":["me"]}},"view":"named"}', '{}']
  const refused = ['{"perPage":"5"}', '{"filters":{"state":{"filterType":"IS","value":["Nowhere"]}}}', '{', '']
  for (const { path, call } of [...contexts, ...[...bodies, ...refused].map(filterOf)]) {
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
  for (let n = 0; n < 2; n++) {
    const { path, call } = filterOf('{')
    t.equal((await server.call(path, { ...call, token })).statusCode, 403)
  }
})

t.test(
  'what is read while the token is looked up is not answered when the token was revoked',
  { skip: cannotRevokeWhileRead },
  async t => {
    for (const { path, call } of [{ path: `/v1/issues/${key}/context`, call: {} }, board]) {
      const { id, token } = await newToken('revoked')
      t.ok((await server.call(path, { ...call, token })).statusCode < 300)
      const answer = await revokedWhileRead(t, server, id, reads, () => server.call(path, { ...call, token }))
      t.equal(answer.statusCode, 401)
    }
  }
)

t.test('a route that writes cannot read ahead', async t => {
  const writing = definePlugin(dependsOn(contract()('writing')), {
    summary: 'A route that reads ahead and writes',
    routes(app) {
      app.post('/v1/things', { config: { readAhead: () => {} } }, async () => ({}))
    }
  })
  const starting = testServer({ plugins: ['workspace'], also: { writing: async () => ({ default: writing }) } })
  await t.rejects(starting, { message: /POST \/v1\/things reads ahead and writes/ })
})
