import t from 'tap'
import { onPostgres, testServer } from '../../../test/runner/harness.ts'
import { losingProxy } from '../../../test/runner/losing-proxy.ts'

t.test(
  'a change whose commit was not answered is said to be unknown, and happens once with an Idempotency-Key',
  { skip: !onPostgres && 'the embedded database is in the process' },
  async t => {
    const plugins = ['workspace', 'issues']
    const direct = await testServer({ plugins, settings: { jobs: false } })
    t.teardown(() => direct.close())
    const titles = async () => {
      const issues = await direct.ok<Array<{ title: string }>>('/v1/issues/filter', { body: {} })
      return issues.map(({ title }) => title).toSorted()
    }
    for (const [title, headers] of [
      ['Without a key', {}],
      ['With a key', { 'idempotency-key': 'one' }]
    ] as const) {
      const { url, arm, cuts } = await losingProxy(t, direct.databaseUrl!)
      const server = await testServer({ plugins, settings: { jobs: false }, on: { ...direct, databaseUrl: url } })
      t.teardown(() => server.close())
      arm(/insert into "?issue"?/)
      const send = () => server.call('/v1/issues', { body: { teamId: 'ENG', title }, headers })
      const lost = await send()
      t.equal(cuts(), 1, title)
      t.match(lost.json(), { statusCode: 503, code: 'OVERLOADED', message: /may be stored or not/ })
      t.equal(lost.headers['retry-after'], '2')
      if (title === 'Without a key') continue
      const again = await send()
      t.match(again, { statusCode: 201, headers: { 'idempotency-replayed': 'true' } })
    }
    t.strictSame(await titles(), ['With a key', 'Without a key'])
  }
)
