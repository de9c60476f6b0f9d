import { sql } from 'kysely'
import t from 'tap'
import { longestDelay } from '../../../test/event-loop.ts'
import { testServer } from '../../../test/runner/harness.ts'
import type { SearchHit } from '../schemas.ts'

const ISSUES = 100
const QUERY = `/v1/search?query=${encodeURIComponent('"amber falcon"')}&limit=100`

const server = await testServer({ plugins: ['workspace', 'agents', 'issues', 'comments', 'search'] })
t.teardown(() => server.close())

// The words are in every title, the phrase is at the end of the long texts of two.
const { issues } = await server.ok<{ issues: Array<{ id: string }> }>('/v1/issues/bulk', {
  body: { issues: Array.from({ length: ISSUES }, (_, n) => ({ teamId: 'ENG', title: `Falcon, amber ${n}` })) }
})
await server.ok(`/v1/issue_comments?issueId=${issues[1]!.id}`, { body: { bodyMarkdown: 'An AMBER falcon.' } })
await server.idle()
const { db } = server.database
const long = sql`repeat('Some Other Words ', 15000)`
await sql`update issue set description_markdown = ${long}`.execute(db)
await sql`update issue set description_markdown = ${long} || 'Amber Falcon' where id = ${issues[0]!.id}`.execute(db)

t.test('a phrase is found in long texts and in comments, in any case', async t => {
  const hits = await server.ok<SearchHit[]>(QUERY)
  t.strictSame(hits.map(({ id }) => id).sort(), [issues[0]!.id, issues[1]!.id].sort())
})

t.test('while long texts are searched for a phrase, other requests are answered', async t => {
  const search = { ended: false }
  let answered = 0
  const searching = server.ok(QUERY).finally(() => (search.ended = true))
  while (!search.ended) {
    await server.ok('/v1/users/me')
    answered++
  }
  await searching
  t.ok(answered > 10, `${answered} answers`)
})

t.test('a search for a phrase in long texts lets the event loop turn', async t => {
  const delay = await longestDelay(() => server.ok(QUERY))
  t.ok(delay <= 100, `${Math.round(delay)} ms`)
})
