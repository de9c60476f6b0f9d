import t from 'tap'
import { newToken } from '../core/auth/tokens.ts'
import { startReceiver } from '../plugins/webhooks/test/receiver.ts'
import { emptyDatabase } from './runner/empty-database.ts'
import { listen, openStream } from './event-stream.ts'
import { TEST_DATABASE_URL, testServer, type TestServer } from './runner/harness.ts'
import { mcpAgent } from './mcp-client.ts'
import { noPgBouncer, ownPgBouncer } from './runner/own-pgbouncer.ts'

const AGENTS = 12
const skip = (!TEST_DATABASE_URL && 'needs a PostgreSQL server') || noPgBouncer() || false

t.test('two servers behind PgBouncer, as docs/pgbouncer.md configures it', { skip }, async t => {
  const [pooler, empty] = await Promise.all([ownPgBouncer(TEST_DATABASE_URL!), emptyDatabase(TEST_DATABASE_URL)])
  const { DATABASE_URL: direct } = empty.env as { DATABASE_URL: string }
  const database = { url: pooler.through(direct), token: newToken() }
  const settings = {
    databaseDirectUrl: direct,
    plugins: { webhooks: { allowPrivateAddresses: true }, embeddings: { download: false } }
  }
  const servers = await Promise.allSettled([testServer({ database, settings }), testServer({ database, settings })])
  const started = servers.flatMap(result => (result.status === 'fulfilled' ? [result.value] : []))
  t.teardown(async () => {
    for (const { app, close } of started) {
      app.server.closeAllConnections()
      await close()
    }
    await empty.remove()
    await pooler.remove()
  })
  t.strictSame(
    servers.flatMap(result => (result.status === 'rejected' ? [String(result.reason)] : [])),
    [],
    'both become ready, though they migrate an empty database at once'
  )
  const [one, two] = started as [TestServer, TestServer]
  const file = (title: string) =>
    one.ok<{ id: string; key: string }>('/v1/issues', { body: { teamId: 'ENG', title, descriptionMarkdown: 'Why.' } })

  t.test('what one answers, the other reads and changes, again and again', async t => {
    const { key } = await file('Read by both')
    // From their second run on statements are prepared.
    for (let n = 1; n <= 5; n++) {
      await two.ok(`/v1/issues/${key}`, { body: { title: `Changed ${n}` } })
      t.match(await one.ok(`/v1/issues/${key}/context`), { title: `Changed ${n}` })
    }
  })

  t.test('an agent works with its tools', async t => {
    const agent = await mcpAgent(one)
    const { key } = await agent.ok<{ key: string }>('create_task', {
      title: 'Filed by a tool',
      description: 'Through a pooler.',
      acceptanceCriteria: ['It is there']
    })
    t.match(await agent.ok('get_task', { task: key }), { title: 'Filed by a tool' })
  })

  t.test('a stream of one tells what the other has done', async t => {
    const stream = await openStream(await listen(two), two.token, { query: '?types=issue.created' })
    t.teardown(() => stream.close())
    const { id } = await file('Told by the stream')
    await stream.reached(1)
    t.equal(stream.received[0]?.event.issueId, id)
  })

  t.test('a job of the background does its work once', async t => {
    const receiver = await startReceiver()
    t.teardown(() => receiver.close())
    await one.ok('/v1/webhooks', { body: { url: receiver.url, types: ['issue.created'] } })
    const { id } = await file('Told by a webhook')
    await receiver.reached(1)
    await one.idle()
    t.strictSame(
      receiver.received.map(({ data }) => data.subject?.id),
      [id]
    )
  })

  t.test('of agents that pick up the same issue at both at once, one gets it', async t => {
    const { id } = await file('Wanted by all')
    const agents = await Promise.all(Array.from({ length: AGENTS }, (_, n) => one.agent(`Agent ${n}`)))
    const answers = await Promise.all(
      agents.map(({ token }, n) => [one, two][n % 2]!.call(`/v1/issues/${id}/pick_up`, { token, body: {} }))
    )
    const statuses = answers.map(({ statusCode }) => statusCode)
    t.equal(statuses.filter(status => status === 200).length, 1)
    t.equal(statuses.filter(status => status === 409).length, AGENTS - 1)
  })
})
