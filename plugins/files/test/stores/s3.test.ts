import { connect } from 'node:net'
import t, { type Test } from 'tap'
import { testServer } from '../../../../test/runner/harness.ts'
import { removeUnused } from '../../removal.ts'
import { fileIssue, form, listen, PIXEL, raw, upload } from '../upload.ts'
import { startS3, type S3 } from './s3-server.ts'

const plugins = ['workspace', 'issues', 'files']
const MIB = 1024 * 1024
/** Three parts of an upload. */
const CONTENT = Buffer.from(Array.from({ length: 11 * MIB }, (_, n) => (n * 31 + (n >> 16)) % 256))

async function serverWith(t: Test, { settings }: S3, more: object = {}) {
  const server = await testServer({ plugins, settings: { plugins: { files: { ...settings, ...more } } } })
  t.teardown(() => server.close())
  return server
}
const rowsOf = ({ database: { db } }: Awaited<ReturnType<typeof serverWith>>) =>
  db.withTables<{ file: { id: string; store: string } }>().selectFrom('file').select(['id', 'store']).execute()

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise(resolve => setTimeout(resolve, 20))
}

t.test('the store s3 keeps files byte for byte, and removes them', async t => {
  const s3 = await startS3(t)
  const server = await serverWith(t, s3, { s3Prefix: 'tracker/' })
  const { key } = await fileIssue(server)
  const file = await upload(server, CONTENT, { query: `?issueId=${key}` })
  const small = await server.ok<{ id: string; url: string }>('/v1/files', form(PIXEL, 'a.png'))
  const empty = await upload(server, '')
  t.ok((await server.call(file.url)).rawPayload.equals(CONTENT))
  t.ok((await server.call(small.url)).rawPayload.equals(PIXEL))
  t.equal((await server.call(empty.url)).body, '')
  const [start, end] = [5 * MIB - 10, 5 * MIB + 10]
  const range = await server.call(file.url, { headers: { range: `bytes=${start}-${end}` } })
  t.equal(range.statusCode, 206)
  t.ok(range.rawPayload.equals(CONTENT.subarray(start, end + 1)))
  for (const name of await s3.objects()) t.match(name, /^tracker\/[\da-f-]{36}\/[\da-f-]{36}$/)
  t.equal((await s3.objects()).length, 3)
  t.strictSame(await s3.parts(), [])
  t.match(await rowsOf(server), [{ store: 's3' }, { store: 's3' }, { store: 's3' }])

  await server.ok(`/v1/files/${file.id}`, { method: 'DELETE' })
  await server.idle()
  t.strictSame((await s3.objects()).map(name => name.slice(-36)).sort(), [small.id, empty.id].sort())
})

t.test('a cut upload leaves no object, no part and no row', async t => {
  const s3 = await startS3(t)
  const server = await serverWith(t, s3)
  const port = await listen(server)
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write(
    `POST /v1/files HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${server.token}\r\n` +
      `content-type: application/octet-stream\r\ncontent-length: ${CONTENT.length}\r\n\r\n`
  )
  socket.write(CONTENT.subarray(0, 8 * MIB))
  await until(async () => (await s3.parts()).length > 0)
  socket.destroy()
  await until(async () => (await rowsOf(server)).length === 0)
  t.strictSame(await s3.parts(), [])
  t.strictSame(await s3.objects(), [])
})

t.test('an upload that is refused after its first part leaves nothing, and says why', async t => {
  const s3 = await startS3(t)
  const server = await serverWith(t, s3, { maxBytesPerWorkspace: 6 * MIB })
  const answer = await server.call('/v1/files', raw(CONTENT))
  t.equal(answer.statusCode, 413)
  t.match(answer.json(), { message: /maxBytesPerWorkspace/ })
  t.strictSame(await s3.parts(), [])
  t.strictSame(await s3.objects(), [])
  t.strictSame(await rowsOf(server), [])
})

t.test('a store that does not answer is a 503 that says so', async t => {
  const s3 = await startS3(t)
  const server = await serverWith(t, s3)
  const file = await upload(server, PIXEL)
  s3.empty()
  t.match((await server.call(file.url)).json(), { statusCode: 500, code: 'CONTENT_MISSING' })
  await s3.stop()
  t.match((await server.call('/v1/files', raw(PIXEL))).json(), { statusCode: 503, code: 'STORE_UNAVAILABLE' })
  t.match((await server.call(file.url)).json(), { statusCode: 503, code: 'STORE_UNAVAILABLE' })
})

t.test('the objects of a removed workspace go, and others stay', async t => {
  const s3 = await startS3(t)
  const server = await serverWith(t, s3)
  const file = await upload(server, PIXEL)
  const gone = '01890000-0000-7000-8000-000000000000'
  for (const name of [`${gone}/a`, `${gone}/b`, 'README', 'notes/a']) await s3.put(name)
  await server.jobs.enqueue(server.database.db, removeUnused.name, [{}])
  await server.idle()
  t.strictSame((await s3.objects()).map(name => name.slice(-36)).sort(), [file.id, 'README', 'notes/a'].sort())
})

t.test('a bucket that is not named, and half of an access key, stop the start', async t => {
  const start = (files: object) => testServer({ plugins, settings: { plugins: { files: { store: 's3', ...files } } } })
  await t.rejects(start({}), { message: /plugins\.files\.s3Bucket/ })
  await t.rejects(start({ s3Bucket: 'files', s3AccessKeyId: 'a' }), { message: /s3SecretAccessKey/ })
})
