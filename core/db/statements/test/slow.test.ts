import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { testServer } from '../../../../test/runner/harness.ts'

interface Line {
  msg: string
  statement: string
  durationMs: number
}

async function start(t: Test, slowStatementMs: number) {
  const logLines: string[] = []
  const server = await testServer({ plugins: ['workspace', 'issues'], settings: { slowStatementMs }, logLines })
  t.teardown(() => server.close())
  const slow = () => logLines.map(line => JSON.parse(line) as Line).filter(({ msg }) => msg === 'a statement was slow')
  const counted = async () =>
    Number(/^tracker_database_slow_statements_total (\d+)$/m.exec((await server.call('/metrics')).body)![1])
  return { server, slow, counted }
}

t.test('a slow statement is named in the log without its values, and counted', async t => {
  const { server, slow, counted } = await start(t, 50)
  const before = await counted()
  const value = 'a value'
  await sql`select pg_sleep(0.1), ${value}::text`.execute(server.database.db)
  await t.rejects(
    sql`select pg_sleep(0.1) as slept, 1 / length(pg_sleep(0.1)::text)`.execute(server.database.db),
    /zero/
  )
  const lines = slow().filter(({ statement }) => statement.startsWith('select pg_sleep'))
  t.equal(lines.length, 2, 'also when it fails')
  t.ok(lines.every(({ durationMs }) => durationMs >= 50))
  t.notMatch(JSON.stringify(slow()), /a value"/)
  t.ok((await counted()) >= before + 2)
})

t.test('a statement that is compiled once has a name', async t => {
  // So short a limit that some of each request are slow.
  const { server, slow } = await start(t, 1)
  for (let n = 0; n < 20; n++) await server.ok('/v1/issues', { body: { teamId: 'ENG', title: 'Slow' } })
  t.ok(slow().some(({ statement }) => /^(?:core|plugins)\/[\w/-]+\.[jt]s: \w+$/.test(statement)))
})

t.test('0 names none', async t => {
  const { server, slow } = await start(t, 0)
  await sql`select pg_sleep(0.1)`.execute(server.database.db)
  t.strictSame(slow(), [])
})
