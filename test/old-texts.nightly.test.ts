import t from 'tap'
import { readAway, withOldTexts } from './old-texts.ts'
import { onPostgres, testServer } from './runner/harness.ts'

t.test('texts of an older version that are 560 MB together are read whole, and the server lives', async t => {
  const server = await testServer({ settings: { jobs: false } })
  t.teardown(() => server.close())
  await server.app.listen({ port: 0, host: '127.0.0.1' })
  const { key } = await withOldTexts(server, onPostgres ? 17 : 0, 17)
  const answers: Array<[string, object?]> = [['/v1/issues/filter', { view: 'full', perPage: 50 }]]
  // Only on PostgreSQL, where reading that much does not block the event loop.
  if (onPostgres) answers.push([`/v1/issue_comments?issueId=${key}`])
  for (const [path, body] of answers) {
    const { status, length } = await readAway(server, path, body)
    t.equal(status, 200)
    t.ok(length > 17 * 33_000_000, `${path} has ${length} bytes`)
  }
  t.equal((await server.call(`/v1/issues/${key}/context`)).statusCode, 200)
  t.equal((await server.call('/health/live', { token: null })).statusCode, 200)
})
