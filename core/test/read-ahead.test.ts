import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import t from 'tap'
import { onPostgres, runsOnCitus, statementOf, testServer } from '../../test/harness.ts'

const reads: string[] = []
const server = await testServer({
  plugins: ['workspace', 'issues', 'agents'],
  settings: { jobs: false },
  onStatement(text, values) {
    const sql = statementOf(text, values)
    if (sql.includes('as "definitionOfDone"') || sql.includes('from ids where n <=')) reads.push(text)
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
  for (let seen = 0; seen < 2; seen++) {
    const { path, call } = filterOf('{')
    t.equal((await server.call(path, { ...call, token })).statusCode, 403)
  }
})

const cannotWait = onPostgres
  ? (await runsOnCitus()) && 'on Citus, a lock of the coordinator is not one of the worker, which reads'
  : 'needs a PostgreSQL server'
t.test(
  'what is read while the token is looked up is not answered when the token was revoked',
  { skip: cannotWait },
  async t => {
    for (const { path, call } of [{ path: `/v1/issues/${key}/context`, call: {} }, board]) {
      const { id, token } = await newToken('revoked')
      t.equal((await server.call(path, { ...call, token })).statusCode, 200)
      const other = new pg.Client(server.databaseUrl)
      await other.connect()
      t.teardown(() => other.end())
      await other.query('begin')
      await other.query('lock table token in access exclusive mode')
      reads.length = 0
      const answer = server.call(path, { ...call, token })
      for (let waits = 0; reads.length === 0 && waits < 500; waits++) await sleep(10)
      t.equal(reads.length, 1)
      await other.query('update token set revoked_at = now() where id = $1', [id])
      await other.query('commit')
      t.equal((await answer).statusCode, 401)
    }
  }
)
