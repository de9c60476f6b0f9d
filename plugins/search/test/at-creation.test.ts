import { sql } from 'kysely'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { contract } from '../../../core/api/contract.ts'
import { definePlugin, dependsOn } from '../../../core/api/plugin.ts'
import { testServer } from '../../../test/runner/harness.ts'
import { mcpAgent } from '../../../test/mcp-client.ts'
import { issues, similarFinders } from '../../issues/contract.ts'

interface Filed {
  id: string
  key: string
  similar?: Array<{ key: string; title: string; state: string; stateCategory: string; score: number }>
}

/** Another finder: it finds nothing unless a test makes it wait, and then the issue that the test sets. */
let isAwaited: Promise<void> | undefined
const keptFor: string[] = []
const another = contract()('another')
const anotherFinder = definePlugin(dependsOn(another, { requires: [issues] }), {
  summary: 'Finds issues late',
  register(ctx) {
    ctx.contribute(similarFinders, async () => {
      if (isAwaited === undefined) return { issues: [], keep: async () => {} }
      await isAwaited
      return {
        issues: [{ key: 'ENG-1', title: 'Late', state: 'Todo', stateCategory: 'UNSTARTED', score: 0.5 }],
        keep: async issueId => {
          keptFor.push(issueId)
        }
      }
    })
  }
})
const server = await testServer({
  settings: { plugins: { mcp: { rateLimit: 0 } } },
  also: { another: async () => ({ default: anotherFinder }) }
})
t.teardown(async () => {
  server.app.server.closeAllConnections()
  await server.close()
})
const body = (title: string, descriptionMarkdown = '') => ({ title, descriptionMarkdown, teamId: 'ENG' })
const file = (title: string, description = '', path = '/v1/issues') =>
  server.ok<Filed>(path, { body: body(title, description) })
const contextOf = ({ key }: Filed) => server.ok<Filed>(`/v1/issues/${key}/context`)

/** The similar issues: from the answer to creating it or, if found later, from its context. */
async function similarTo(filed: Filed): Promise<NonNullable<Filed['similar']>> {
  for (let context = filed; ; context = await contextOf(filed)) {
    if (context.similar !== undefined) return context.similar
    await sleep(20)
  }
}

await file('Export loses due dates', 'The CSV export has no due dates since the new writer.')
await file('Login fails behind a proxy', 'The session cookie is dropped.')
await file('Avatar is blurred on large screens', 'It is scaled up.')
await file('Webhook is sent twice', 'After a timeout it is sent again.')
await server.idle()
const titles = async (filed: Filed) => (await similarTo(filed)).map(({ title }) => title)

t.test('the answer to filing, or else the context, lists issues that may be the same', async t => {
  const similar = await similarTo(await file('Due dates are lost in the export', 'They are missing in the CSV.'))
  t.match(similar, [{ key: 'ENG-1', title: 'Export loses due dates', state: String, stateCategory: 'UNSTARTED' }])
  t.equal(similar.length, 1)
  t.ok(similar[0]!.score > 0 && similar[0]!.score <= 1)
  const named = await file('Cannot login behind our proxy', 'No session cookie.', '/v1/issues?view=named')
  t.same(await titles(named), ['Login fails behind a proxy'])
})

t.test('without anything close neither the answer nor the context has such a field', async t => {
  const filed = await file('Keyboard shortcuts for the board', 'Moving cards takes a mouse.')
  t.notOk('similar' in filed)
  await sleep(500)
  t.notOk('similar' in (await contextOf(filed)))
})

t.test('many issues at once are not compared', async t => {
  const { issues } = await server.ok<{ issues: Filed[] }>('/v1/issues/bulk', {
    body: { issues: [body('Export loses due dates')] }
  })
  t.notOk('similar' in issues[0]!)
})

t.test('the tool create_task, or else get_task, lists issues that may be the same', async t => {
  const agent = await mcpAgent(server)
  const filed = await agent.ok<Filed>('create_task', {
    title: 'Blurred avatar',
    description: 'On a large screen the avatar is blurred.',
    acceptanceCriteria: ['It is sharp']
  })
  const shown = async () => agent.ok<Filed>('get_task', { task: filed.key })
  if (!('similar' in filed)) while (!('similar' in (await shown()))) await sleep(20)
  t.same(await titles(filed), ['Avatar is blurred on large screens'])
})

t.test('sent again with its key, a request gets the answer that it got', async t => {
  const send = () =>
    server.call('/v1/issues', {
      headers: { 'idempotency-key': 'similar-once' },
      body: body('The webhook is sent twice')
    })
  const answer = (await send()).body
  t.same(await titles(JSON.parse(answer) as Filed), ['Webhook is sent twice'])
  t.equal((await send()).body, answer)
})

t.test('similar issues of other workspaces are not listed', async t => {
  const { token } = await server.otherWorkspace()
  await server.ok('/v1/teams', { token, body: { identifier: 'ENG', name: 'Engineering' } })
  t.notOk('similar' in (await server.ok<Filed>('/v1/issues', { token, body: body('Export loses due dates') })))
})

for (const headers of [{}, { 'idempotency-key': 'slow-search' }]) {
  const what = 'idempotency-key' in headers ? 'with a key' : 'without a key'
  t.test(`who files an issue ${what} does not wait for its search`, async t => {
    const { promise, resolve } = Promise.withResolvers<void>()
    isAwaited = promise
    const answer = await server.call('/v1/issues', { headers, body: body('A search that takes long') })
    isAwaited = undefined
    t.equal(answer.statusCode, 201)
    const filed = answer.json<Filed>()
    t.notOk('similar' in filed)
    t.notOk(keptFor.includes(filed.id))
    resolve()
    while (!keptFor.includes(filed.id)) await sleep(10)
  })
}

t.test('what was found late is forgotten after a day', async t => {
  const { db } = server.database
  const filed = await file('Large screens have a blurred avatar', 'It is scaled up.')
  for (const ageHours of [23, 25]) {
    await sql`
      insert into issue_similar (workspace_id, issue_id, similar_ids, scores, found_at)
      select workspace_id, id, array[id], array[0.5], now() - ${ageHours} * interval '1 hour'
      from issue where id = ${filed.id}
      on conflict (workspace_id, issue_id) do update set found_at = excluded.found_at`.execute(db)
    await server.jobs.enqueue(db, 'search.forgetSimilar', [{}])
    await server.idle()
    t.equal('similar' in (await contextOf(filed)), ageHours === 23)
  }
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
