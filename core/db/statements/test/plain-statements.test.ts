import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { onPostgres, testServer, type TestServer } from '../../../../test/runner/harness.ts'
import { asShortRead } from '../statement.ts'
import { CONTEXT_VERSION } from '../../../../test/runner/context-version.ts'

/** Values that differ between two servers. */
const VARIES = /[0-9a-f]{8}-[0-9a-f-]{27}|\d{4}-\d\d-\d\dT[\d:.]+Z|(?<="sortOrder\\?":)\d+/g

const ACCEPT = { accept: 'application/json, text/event-stream' }

async function serverWith(t: Test, plainStatements: boolean): Promise<TestServer> {
  const server = await testServer({
    plugins: ['workspace', 'issues', 'comments', 'mcp'],
    settings: { plainStatements }
  })
  t.teardown(() => server.close())
  return server
}

/** The answers to reads, writes and errors; each twice, because a repeated statement is prepared. */
async function answersOf(server: TestServer): Promise<string[]> {
  const texts: string[] = []
  const send = async (path: string, body?: object) => {
    const { statusCode, body: answer } = await server.call(path, { ...(body && { body, headers: ACCEPT }) })
    texts.push(`${path} ${statusCode} ${answer.replaceAll(VARIES, 'varies').replaceAll(CONTEXT_VERSION, 'varies')}`)
  }
  for (const n of [1, 2]) {
    await send('/v1/issues', { team: 'ENG', title: `Issue ${n}`, descriptionMarkdown: '- [ ] it is done' })
    await send(`/v1/issues/ENG-${n}/context`)
    await send(`/v1/issues/ENG-${n}`, { title: 'Changed' })
    await send(`/v1/issues/ENG-${n}?view=list`)
    await send('/v1/issues/filter', { page: 1 })
    await send('/v1/issues/filter', { filters: { title: 7 } })
    await send('/v1/issues/ENG-77/context')
    await send('/v1/mcp', {
      jsonrpc: '2.0',
      id: n,
      method: 'tools/call',
      params: { name: 'get_task', arguments: { task: `ENG-${n}` } }
    })
  }
  return texts
}

t.test('plain statements have the same answers', async t => {
  const usual = await answersOf(await serverWith(t, false))
  t.ok(usual.some(text => text.includes(' 200 ')) && usual.some(text => text.includes(' 404 ')))
  t.strictSame(await answersOf(await serverWith(t, true)), usual)
})

t.test('they are unprepared, on connections of the pool', { skip: !onPostgres && 'needs PostgreSQL' }, async t => {
  for (const plain of [false, true]) {
    const { database } = await serverWith(t, plain)
    t.equal(asShortRead(database.db) === database.db, plain, 'a short read has connections of its own')
    await database.db.transaction().execute(async trx => {
      const read = () => sql`select ${1}::int as ${sql.ref('of_plain_statements')}`.execute(trx)
      await read()
      await read()
      const { rows } = await sql`
        select from pg_prepared_statements where statement like '%of_plain_statements%' and not from_sql`.execute(trx)
      t.equal(rows.length, plain ? 0 : 1, 'a repeated statement is prepared')
    })
  }
})
