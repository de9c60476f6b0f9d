import { sql } from 'kysely'
import t from 'tap'
import { testServer } from '../../../test/harness.ts'
import { mcpAgent } from '../../../test/mcp-client.ts'

interface Filed {
  key: string
  similar?: Array<{ key: string; title: string; state: string; stateCategory: string; score: number }>
}
const server = await testServer({ settings: { plugins: { mcp: { rateLimit: 0 } } } })
t.teardown(async () => {
  server.app.server.closeAllConnections()
  await server.close()
})
const body = (title: string, descriptionMarkdown = '') => ({ title, descriptionMarkdown, teamId: 'ENG' })
const file = (title: string, description = '', path = '/v1/issues') =>
  server.ok<Filed>(path, { body: body(title, description) })

await file('Export loses due dates', 'The CSV export has no due dates since the new writer.')
await file('Login fails behind a proxy', 'The session cookie is dropped.')
await file('Avatar is blurred on large screens', 'It is scaled up.')
await file('Webhook is sent twice', 'After a timeout it is sent again.')
await server.idle()
const titles = ({ similar = [] }: Filed) => similar.map(({ title }) => title)

t.test('the answer to filing lists issues that may be the same, in each view', async t => {
  const { similar } = await file('Due dates are lost in the export', 'They are missing in the CSV.')
  t.match(similar, [{ key: 'ENG-1', title: 'Export loses due dates', state: String, stateCategory: 'UNSTARTED' }])
  t.equal(similar?.length, 1)
  t.ok(similar![0]!.score > 0 && similar![0]!.score <= 1)
  const named = await file('Cannot login behind our proxy', 'No session cookie.', '/v1/issues?view=named')
  t.same(titles(named), ['Login fails behind a proxy'])
})

t.test('without anything close the answer has no such field', async t => {
  t.notOk('similar' in (await file('Keyboard shortcuts for the board', 'Moving cards takes a mouse.')))
})

t.test('many issues at once are not compared', async t => {
  const { issues } = await server.ok<{ issues: Filed[] }>('/v1/issues/bulk', {
    body: { issues: [body('Export loses due dates')] }
  })
  t.notOk('similar' in issues[0]!)
})

t.test('the tool create_task lists issues that may be the same', async t => {
  const agent = await mcpAgent(server)
  const filed = await agent.ok<Filed>('create_task', {
    title: 'Blurred avatar',
    description: 'On a large screen the avatar is blurred.',
    acceptanceCriteria: ['It is sharp']
  })
  t.same(titles(filed), ['Avatar is blurred on large screens'])
})

t.test('sent again with its key, a request gets the answer that it got', async t => {
  const send = () =>
    server.call('/v1/issues', {
      headers: { 'idempotency-key': 'similar-once' },
      body: body('The webhook is sent twice')
    })
  const answer = (await send()).body
  t.same(titles(JSON.parse(answer) as Filed), ['Webhook is sent twice'])
  t.equal((await send()).body, answer)
})

t.test('similar issues of other workspaces are not listed', async t => {
  const { token } = await server.otherWorkspace()
  await server.ok('/v1/teams', { token, body: { identifier: 'ENG', name: 'Engineering' } })
  t.notOk('similar' in (await server.ok<Filed>('/v1/issues', { token, body: body('Export loses due dates') })))
})

t.test('an issue is filed although the search fails', async t => {
  const { db } = server.database
  await sql`alter table search_term rename to search_term_away`.execute(db)
  t.teardown(() => sql`alter table search_term_away rename to search_term`.execute(db))
  for (const headers of [{}, { 'idempotency-key': 'although-search-fails' }]) {
    const answer = await server.call('/v1/issues', { headers, body: body('Export loses due dates') })
    t.equal(answer.statusCode, 201)
    t.notOk('similar' in answer.json<Filed>())
  }
})
