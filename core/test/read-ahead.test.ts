import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import t from 'tap'
import { onPostgres, runsOnCitus, statementOf, testServer } from '../../test/harness.ts'

const contexts: string[] = []
const server = await testServer({
  plugins: ['workspace', 'issues'],
  settings: { jobs: false },
  onStatement(text, values) {
    if (statementOf(text, values).includes('as "definitionOfDone"')) contexts.push(text)
  }
})
t.teardown(() => server.close())
const { key } = await server.ok<{ key: string }>('/v1/issues', { body: { teamId: 'ENG', title: 'Read ahead' } })
const newToken = (name: string) => server.ok<{ id: string; token: string }>('/v1/users/pat', { body: { name } })

t.test('a token that was seen before is answered as a new one is', async t => {
  for (const path of [`/v1/issues/${key}/context`, '/v1/issues/ENG-99/context', '/v1/issues/a%00b/context']) {
    const { token } = await newToken('new')
    const [first, second] = [await server.call(path, { token }), await server.call(path, { token })]
    t.equal(second.statusCode, first.statusCode)
    t.strictSame(second.json(), first.json())
  }
})

const cannotWait = onPostgres
  ? (await runsOnCitus()) && 'on Citus, a lock of the coordinator is not one of the worker, which reads'
  : 'needs a PostgreSQL server'
t.test(
  'what is read while the token is looked up is not answered when the token was revoked',
  { skip: cannotWait },
  async t => {
    const { id, token } = await newToken('revoked')
    const path = `/v1/issues/${key}/context`
    t.equal((await server.call(path, { token })).statusCode, 200)
    const other = new pg.Client(server.databaseUrl)
    await other.connect()
    t.teardown(() => other.end())
    await other.query('begin')
    await other.query('lock table token in access exclusive mode')
    contexts.length = 0
    const answer = server.call(path, { token })
    while (contexts.length === 0) await sleep(10)
    await other.query('update token set revoked_at = now() where id = $1', [id])
    await other.query('commit')
    t.equal((await answer).statusCode, 401)
  }
)
