import t from 'tap'
import { testServer, type TestServer } from '../../../test/runner/harness.ts'
import { mcpAgent } from '../../../test/mcp-client.ts'

interface Stored {
  id: string
  similar?: Array<{ id: string; content: string }>
}

let server: TestServer
t.before(async () => {
  server = await testServer({ settings: { plugins: { mcp: { rateLimit: 0 } } } })
})
t.teardown(async () => {
  server.app.server.closeAllConnections()
  await server.close()
})

/** Adds two facts to an empty knowledge base, and returns the answer to the second. */
async function second(first: string, then: string, tags: { first?: string[]; then?: string[] } = {}) {
  for (const { id } of await server.ok<Stored[]>('/v1/knowledge?limit=100')) {
    await server.ok(`/v1/knowledge/${id}`, { method: 'DELETE' })
  }
  await server.ok('/v1/knowledge', { body: { content: first, ...(tags.first && { tags: tags.first }) } })
  return server.call('/v1/knowledge', { body: { content: then, ...(tags.then && { tags: tags.then }) } })
}

const GATEWAY = 'The payment gateway times out after 30 seconds; retry with the same idempotency key.'
const SAME: Array<[why: string, first: string, then: string]> = [
  ['word for word', GATEWAY, GATEWAY],
  ['in another case', GATEWAY, GATEWAY.toUpperCase()],
  ['in title case', 'deploys run from the release branch', 'Deploys Run From The Release Branch'],
  [
    'with other punctuation',
    GATEWAY,
    'The payment gateway times out after 30 seconds: retry, with the same idempotency key!'
  ],
  ['with other white space', GATEWAY, GATEWAY.replaceAll(' ', '\n  ')],
  ['with other markup', 'Set **TRACKER_URL** before the first run.', 'Set `TRACKER_URL` before the *first* run.'],
  ['inflected', 'The nightly job deletes expired sessions.', 'Nightly jobs delete the expired session.'],
  ['with other fillers', 'Deploys are run from the release branch.', 'We run our deploys from a release branch.'],
  ['with one word of five more', 'Deploys run from the release branch.', 'Deploys always run from the release branch.'],
  ['with one word of five less', 'Deploys always run from the release branch.', 'Deploys run from the release branch.'],
  [
    'with its clauses in another order',
    'In the tests, Redis listens on port 6380.',
    'Redis listens on port 6380 in tests.'
  ],
  [
    'with a contraction',
    'The PDF renderer cannot embed variable fonts.',
    "The PDF renderer can't embed variable fonts."
  ],
  ['with thousands separated', 'A batch has at most 10000 rows.', 'A batch has at most 10,000 rows.'],
  ['in another script', '支付网关在 30 秒后超时。', '支付网关在30秒后超时']
]
const OTHER: Array<[why: string, first: string, then: string]> = [
  ['another number', GATEWAY, GATEWAY.replace('30', '60')],
  ['another decimal', 'The cache is 1.5 times faster than the disk.', 'The cache is 2.5 times faster than the disk.'],
  ['another sign', 'The queue shifts timestamps by -1 hour.', 'The queue shifts timestamps by 1 hour.'],
  ['the same numbers in another order', 'Retries grow from 2 to 16 seconds.', 'Retries grow from 16 to 2 seconds.'],
  ['another comparison', 'The importer skips rows where size < 10.', 'The importer skips rows where size > 10.'],
  ['another version', 'The build needs openssl 3.0.2 on Linux.', 'The build needs openssl 3.0.3 on Linux.'],
  [
    'another day',
    'Deploys happen on Tuesdays, from the release branch.',
    'Deploys happen on Fridays, from the release branch.'
  ],
  [
    'another name',
    'The staging cluster runs in Frankfurt next to Redis.',
    'The staging cluster runs in Dublin next to Redis.'
  ],
  [
    'a name more',
    'Secrets of all the services are rotated by the nightly vault job.',
    'Secrets of all the Billing services are rotated by the nightly vault job.'
  ],
  [
    'names the other way around',
    'The search service calls Billing before it calls Inventory.',
    'The search service calls Inventory before it calls Billing.'
  ],
  [
    'another identifier',
    'Set `cache.maxEntries` in the configuration of every replica.',
    'Set `cache.maxBytes` in the configuration of every replica.'
  ],
  [
    'another path',
    'The migration log of the server is at /var/log/tracker/migrate.log.',
    'The migration log of the server is at /var/log/tracker/old/migrate.log.'
  ],
  [
    'another environment',
    'Feature flags are read at start in staging.',
    'Feature flags are read at start in production.'
  ],
  ['a negation', 'The PDF renderer can embed variable fonts.', 'The PDF renderer cannot embed variable fonts.'],
  ['a contracted negation', 'The client retries after a timeout.', "The client doesn't retry after a timeout."],
  ['never', 'The token is always logged by the proxy.', 'The token is never logged by the proxy.'],
  ['without', 'Run the importer with the dry-run flag first.', 'Run the importer without the dry-run flag first.'],
  ['before and after', 'Warm the cache before the migration.', 'Warm the cache after the migration.'],
  ['must and should', 'A webhook must be acknowledged at once.', 'A webhook should be acknowledged at once.'],
  ['a negated word', 'Autovacuum is enabled on the events table.', 'Autovacuum is disabled on the events table.'],
  ['a negation in another script', '支付网关支持重试', '支付网关不支持重试']
]

for (const [why, first, then] of SAME) {
  t.test(`a fact that is known is refused ${why}`, async t => {
    const answer = await second(first, then)
    t.equal(answer.statusCode, 409, then)
    t.match(answer.json(), { code: 'CONFLICT', entry: { content: first } })
  })
}
for (const [why, first, then] of OTHER) {
  t.test(`a fact that differs in ${why} is stored, and what is like it is listed`, async t => {
    const answer = await second(first, then)
    t.equal(answer.statusCode, 201, then)
    t.match(answer.json(), { content: then, similar: [{ id: String, kind: 'FACT', content: first }] })
  })
}

t.test('tags make no fact another one', async t => {
  const tags = { first: ['payments', 'timeouts', 'gateway', 'ops'], then: ['unrelated', 'words', 'entirely'] }
  t.equal((await second(GATEWAY, GATEWAY, tags)).statusCode, 409)
})

t.test('tags make no two facts the same', async t => {
  const tags = ['deploys', 'happen', 'tuesdays', 'release', 'branch']
  const answer = await second('Deploys happen on Tuesdays.', 'Redis is shared.', { first: tags, then: tags })
  t.equal(answer.statusCode, 201)
  t.notOk('similar' in answer.json())
})

t.test('among many facts of one template only the very same is refused', async t => {
  const fact = (port: number) => `Replica ${port} of the search service listens on port ${port} in the tests.`
  for (let port = 7000; port < 7040; port++) {
    t.equal((await server.call('/v1/knowledge', { body: { content: fact(port) } })).statusCode, 201, fact(port))
  }
  const again = await server.call('/v1/knowledge', { body: { content: fact(7011).toLowerCase(), tags: ['redis'] } })
  t.match(again.json(), { statusCode: 409, entry: { content: fact(7011) } })
})

t.test('the tool stores another fact and lists what is like it', async t => {
  await second(GATEWAY, 'Something else entirely.')
  const agent = await mcpAgent(server)
  const stored = await agent.ok<Stored>('remember', { content: GATEWAY.replace('30', '45') })
  t.match(stored, { id: String, status: 'ACTIVE', similar: [{ content: GATEWAY }] })
  t.match(await agent.refused('remember', { content: `${GATEWAY}!` }), /Nearly the same is known already/)
})
