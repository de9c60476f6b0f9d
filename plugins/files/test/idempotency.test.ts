import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { testServer, type TestServer } from '../../../test/runner/harness.ts'
import { fileIssue, form, PIXEL, raw, upload, type Uploaded } from './upload.ts'

let server: TestServer
t.before(async () => {
  server = await testServer({ plugins: ['workspace', 'issues', 'files'] })
})
t.teardown(() => server.close())

/** Rows of files, complete or not. */
const files = () =>
  server.database.db
    .withTables<{ file: { id: string; state: string } }>()
    .selectFrom('file')
    .select(['id', 'state'])
    .execute()

const withKey = (key: string) => ({ headers: { 'idempotency-key': key } })

t.test('the same upload with the same key arrives once, however it is sent', async t => {
  const { key } = await fileIssue(server)
  const send = () => server.call(`/v1/files?issueId=${key}`, raw(PIXEL, { name: 'a.png', ...withKey('one') }))
  const first = await send()
  t.equal(first.statusCode, 201)
  const again = await send()
  t.equal(again.headers['idempotency-replayed'], 'true')
  t.strictSame(again.json(), first.json())
  const asForm = form(PIXEL, 'a.png')
  Object.assign(asForm.headers!, { 'idempotency-key': 'one' })
  t.strictSame((await server.call(`/v1/files?issueId=${key}`, asForm)).json(), first.json())
  t.equal((await server.ok<object[]>(`/v1/issues/${key}/files`)).length, 1)
  while ((await files()).length > 1) await sleep(10)
  t.strictSame(await files(), [{ id: first.json<Uploaded>().id, state: 'STORED' }])
})

t.test('another content, name or subject under the same key is refused, and leaves nothing', async t => {
  const { key } = await fileIssue(server)
  await upload(server, PIXEL, { name: 'a.png', ...withKey('two') })
  const before = await files()
  for (const [path, call] of [
    ['/v1/files', raw('other', { name: 'a.png', ...withKey('two') })],
    ['/v1/files', raw(PIXEL, { name: 'b.png', ...withKey('two') })],
    [`/v1/files?issueId=${key}`, raw(PIXEL, { name: 'a.png', ...withKey('two') })]
  ] as const) {
    const answer = await server.call(path, call)
    t.equal(answer.statusCode, 422, answer.body)
  }
  // Refused files are removed after the answer.
  while ((await files()).length > before.length) await sleep(10)
  t.strictSame(await files(), before)
})

t.test('two uploads with the same key at once arrive once', async t => {
  const { key } = await fileIssue(server)
  /** Repeats the request while the first one still runs, as the answer 409 demands. */
  const send = async (): Promise<object> => {
    const answer = await server.call(`/v1/files?issueId=${key}`, raw(PIXEL, withKey('three')))
    return answer.statusCode === 409 ? send() : answer.json<object>()
  }
  const [one, other] = await Promise.all([send(), send()])
  t.match(one, { name: 'a.txt' })
  t.strictSame(one, other)
  t.equal((await server.ok<object[]>(`/v1/issues/${key}/files`)).length, 1)
})
