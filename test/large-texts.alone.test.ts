import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import t from 'tap'
import { longestDelay } from './event-loop.ts'
import { readAway, withOldTexts } from './old-texts.ts'
import { testServer, type TestServer } from './runner/harness.ts'

const MIB = 1024 * 1024
/** Milliseconds that no request may block the event loop. */
const MAX_DELAY_MS = 100
interface Page {
  issues: Array<{ key: string }>
  nextCursor: string | null
}

const settings = { jobs: false }
const shared = await testServer({ settings })
t.teardown(() => shared.close())
await shared.app.listen({ port: 0, host: '127.0.0.1' })

t.test('reading a text of an older version, however long, keeps nobody waiting', async t => {
  const server = await shared.board()
  const { id, key } = await withOldTexts(server, 1, 0)
  const answers: Array<[string, object?]> = [
    [`/v1/issues/${id}`],
    ['/v1/issues/filter', { view: 'full', perPage: 50 }],
    [`/v1/issue_comments?issueId=${key}`],
    [`/v1/issues/${id}/context`]
  ]
  for (const [path, body] of answers) {
    // The smallest of three: garbage may be collected during one.
    let least = Infinity
    for (let attempt = 1; attempt <= 3 && least > MAX_DELAY_MS; attempt++) {
      least = Math.min(least, await longestDelay(() => readAway(server, path, body)))
    }
    t.ok(least <= MAX_DELAY_MS, `${path}: ${Math.round(least)} ms`)
  }
})

t.test('a long text that is read in pieces is whole, wherever its characters are cut', async t => {
  const server = await shared.board()
  const { id } = await server.ok<{ id: string }>('/v1/issues', { body: { teamId: 'ENG', title: 'Old' } })
  await sql`
    update issue set description = ('{"text":"' || repeat('aé€😀', 920000) || '"}')::json where id = ${id}`.execute(
    server.database.db
  )
  const { issues } = await server.ok<{ issues: Array<{ title: string; description?: { text: string } }> }>(
    '/v1/issues/filter',
    { body: { view: 'full', perPage: 50 } }
  )
  t.equal(issues.length, 1)
  const issue = await server.ok<(typeof issues)[0]>(`/v1/issues/${id}`)
  for (const { description } of [issues[0]!, issue]) t.ok(description?.text === 'aé€😀'.repeat(920_000))
})

t.test('a page by cursor ends early where its rows are long, and the next one goes on', async t => {
  const server = await shared.board()
  await server.ok('/v1/issues', { body: { teamId: 'ENG', title: 'last' } })
  await withOldTexts(server, 0, 2)
  const keys: string[] = []
  let cursor = (await server.ok<Page>('/v1/issues/filter', { body: { perPage: 1, orderBy: 'number' } })).nextCursor
  while (cursor !== null) {
    const body = { perPage: 50, orderBy: 'number', view: 'full', cursor }
    const page: Page = await server.ok<Page>('/v1/issues/filter', { body })
    keys.push(page.issues.map(({ key }) => key).join(' '))
    cursor = page.nextCursor
  }
  t.strictSame(keys, ['ENG-3', 'ENG-2', 'ENG-1'])
})

t.test('text beyond a limit is refused, and the answer says which limit', async t => {
  const server = await shared.board()
  const file = (descriptionMarkdown: string) =>
    server.call('/v1/issues', { body: { teamId: 'ENG', title: 'x', descriptionMarkdown } })
  const refused: Array<[string, string, RegExp]> = [
    ['markdown', 'a'.repeat(MIB + 1), /The markdown is larger than 1048576 bytes/],
    ['JSON', '_a_ '.repeat(100_000), /larger than 4194304 bytes of JSON/],
    ['JSON of blocks', '- [ ] x\n'.repeat(131_000), /larger than 4194304 bytes of JSON/]
  ]
  for (const [name, text, message] of refused) {
    const answer = await file(text)
    t.equal(answer.statusCode, 413, name)
    t.match(answer.json(), { code: 'TOO_LARGE', message })
  }
  t.equal((await file('word '.repeat(MIB / 5))).statusCode, 201)
})

t.test('the texts of one request are bounded together', async t => {
  const server = await shared.board()
  const text = '_a_ '.repeat(32_000)
  const issues = Array.from({ length: 5 }, () => ({ teamId: 'ENG', title: 'x', descriptionMarkdown: text }))
  const answer = await server.call('/v1/issues/bulk', { body: { issues } })
  t.match([answer.statusCode, answer.json()], [413, { code: 'TOO_LARGE', message: /send fewer at once/ }])
  t.equal((await server.ok<object[]>('/v1/issues/filter', { body: {} })).length, 0)
})

t.test('a checklist that is converted in a thread is ticked by several at once, and no tick is lost', async t => {
  const server = await shared.board()
  const items = Array.from({ length: 2_000 }, (_, n) => `- [ ] item number ${n + 1} of a long list`)
  const { key } = await server.ok<{ key: string }>('/v1/issues', {
    body: { teamId: 'ENG', title: 'x', descriptionMarkdown: items.join('\n') }
  })
  const ticks = [1, 2, 3].map(n => server.call(`/v1/issues/${key}/criteria`, { body: { met: [n] } }))
  t.strictSame(
    (await Promise.all(ticks)).map(({ statusCode }) => statusCode),
    [200, 200, 200]
  )
  t.match(await server.ok(`/v1/issues/${key}/context`), { definitionOfDone: { met: 3, total: 2_000 } })
})

t.test('a context has the newest comments as far as they fit, and says how many are missing', async t => {
  const server = await shared.board()
  const { key } = await server.ok<{ key: string }>('/v1/issues', { body: { teamId: 'ENG', title: 'x' } })
  for (let n = 1; n <= 6; n++) {
    await server.ok(`/v1/issue_comments?issueId=${key}`, { body: { bodyMarkdown: `${n} ${'word '.repeat(180_000)}` } })
  }
  const { comments, omitted } = await server.ok<{ comments: Array<{ bodyMarkdown: string }>; omitted: object }>(
    `/v1/issues/${key}/context`
  )
  t.strictSame(
    comments.map(({ bodyMarkdown }) => bodyMarkdown[0]),
    ['3', '4', '5', '6']
  )
  t.strictSame(omitted, { comments: 2 })
})

/** Begins to read long answers, and stops after their beginnings. */
async function stalledStreams(server: TestServer, count: number): Promise<Socket[]> {
  const description = sql`repeat('word ', 200000)`
  await server.ok('/v1/issues/bulk', {
    body: { issues: Array.from({ length: 8 }, () => ({ teamId: 'ENG', title: 'x' })) }
  })
  await sql`update issue set description_markdown = ${description}`.execute(server.database.db)
  await server.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.app.server.address() as AddressInfo
  const begin = async () => {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    socket.write(
      `POST /v1/issues/filter HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${server.token}\r\n` +
        'content-type: application/json\r\ncontent-length: 2\r\n\r\n{}'
    )
    await once(socket, 'readable')
    return socket
  }
  return await Promise.all(Array.from({ length: count }, begin))
}

/** Waits until a long answer succeeds again. @returns the last status */
async function statusOfNext(server: TestServer): Promise<number> {
  let { statusCode } = await server.call('/v1/issues/filter', { body: {} })
  for (let waits = 0; statusCode === 429 && waits < 400; waits++) {
    await sleep(50)
    ;({ statusCode } = await server.call('/v1/issues/filter', { body: {} }))
  }
  return statusCode
}

t.test('a long answer that is not read is cut off, and its place is free', async t => {
  const hasty = await testServer({ settings: { ...settings, streamStallTimeoutMs: 5_000 } })
  t.teardown(() => hasty.close())
  await stalledStreams(hasty, 4)
  t.equal((await hasty.call('/v1/issues/filter', { body: {} })).statusCode, 429)
  t.equal(await statusOfNext(hasty), 200)
})

t.test('a long answer that is read too slowly is cut off, and its place is free', async t => {
  const hasty = await testServer({ settings: { ...settings, streamTimeoutMs: 5_000 } })
  t.teardown(() => hasty.close())
  const sockets = await stalledStreams(hasty, 4)
  const reading = setInterval(() => sockets.forEach(socket => socket.read(1024)), 10)
  t.teardown(() => clearInterval(reading))
  t.equal((await hasty.call('/v1/issues/filter', { body: {} })).statusCode, 429)
  t.equal(await statusOfNext(hasty), 200)
})

t.test('streams that nobody reads hold no connection, are limited, and give their places back', async t => {
  const server = await testServer({ settings })
  t.teardown(() => server.close())
  const stalled = await stalledStreams(server, 4)
  const isInUse = () => server.database.connections().used > 0
  for (let waits = 0; isInUse() && waits < 200; waits++) await sleep(50)
  t.notOk(isInUse())
  t.equal((await server.call('/v1/issues/filter', { body: {} })).statusCode, 429)
  t.equal((await server.call('/v1/issues/filter', { body: { view: 'list' } })).statusCode, 200)
  for (const socket of stalled) socket.destroy()
  t.equal(await statusOfNext(server), 200)
})
