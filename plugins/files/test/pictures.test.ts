import t from 'tap'
import { testServer, type TestServer } from '../../../test/runner/harness.ts'
import type { FilesTables } from '../contract.ts'
import { fileIssue, person, PIXEL, raw, refused, upload, type Uploaded } from './upload.ts'

interface Picture {
  accountId: string
  url: string
}
interface Member {
  id: string
  token: string
}

let server: TestServer
let me: { id: string }
t.before(async () => {
  server = await testServer()
  me = await server.ok('/v1/users/me')
})
t.teardown(() => server.close())

const LARGE = Buffer.concat([PIXEL, Buffer.alloc(1024 * 1024)])
const pictures = (token?: string) => server.ok<Picture[]>('/v1/users/pictures', token === undefined ? {} : { token })
const pictureOf = async (accountId: string) =>
  (await pictures()).filter(picture => picture.accountId === accountId).map(({ url }) => url)
const set = (file: string, { id = 'me', token }: { id?: string; token?: string } = {}) =>
  server.call(`/v1/users/${id}/picture`, { method: 'PUT', body: { file }, ...(token !== undefined && { token }) })
const uploadFor = ({ id, token }: Member, content: Buffer | string = PIXEL) =>
  server.call(`/v1/files?subject=account:${id}`, raw(content, { token }))
/** Counts the stored files of an account, or of all. */
async function stored(accountId?: string) {
  const rows = await server.database.db
    .withTables<Pick<FilesTables, 'file'>>()
    .selectFrom('file')
    .select('id')
    .$if(accountId !== undefined, query => query.where('subjectId', '=', accountId!))
    .execute()
  return rows.length
}

t.test('a person sets a picture, which everybody reads; the next one replaces it', async t => {
  const ada = await person(server, 'ada')
  const bea = await person(server, 'bea')
  const first = await upload(server, PIXEL, { name: 'ada.png', token: ada.token })
  t.strictSame(await pictureOf(ada.id), [])
  t.match((await set(first.url, ada)).json(), { id: first.id, url: first.url }, 'by its url')
  t.strictSame(await pictureOf(ada.id), [first.url])
  await refused(t, server.call(first.url, { token: bea.token }), 200)
  await refused(t, set(first.id, ada), 200)

  const second = await upload(server, PIXEL, { token: ada.token })
  await refused(t, set(second.id, { id: ada.id, token: ada.token }), 200)
  t.strictSame(await pictureOf(ada.id), [second.url])
  await refused(t, server.call(first.url, { token: ada.token }), 404)

  const third = (await uploadFor(ada)).json<Uploaded>()
  t.strictSame(await pictureOf(ada.id), [third.url], 'uploaded and set at once')
  t.strictSame((await pictures(bea.token)).filter(({ accountId }) => accountId === ada.id).length, 1)
  t.equal(await stored(ada.id), 1)

  const remove = { method: 'DELETE' as const, token: ada.token }
  t.strictSame(await server.ok('/v1/users/me/picture', remove), { id: third.id, deleted: true })
  t.strictSame(await pictureOf(ada.id), [])
  await refused(t, server.call('/v1/users/me/picture', remove), 404)
})

t.test('only the account changes its picture, and administrators those of agents', async t => {
  const [cleo, dan] = [await person(server, 'cleo'), await person(server, 'dan')]
  const builder = await server.agent('Builder', ['read', 'write', 'delete'])
  const other = await server.agent('Other')
  const admin = { id: me.id, token: server.token }
  for (const member of [cleo, builder, admin]) await refused(t, uploadFor(member), 201)
  for (const { token } of [dan, other, admin]) {
    const file = await upload(server, PIXEL, { token })
    await refused(t, uploadFor({ id: cleo.id, token }), 403)
    await refused(t, set(file.id, { id: cleo.id, token }), 403)
    await refused(t, server.call(`/v1/users/${cleo.id}/picture`, { method: 'DELETE', token }), 403)
  }
  await refused(t, uploadFor({ ...dan, id: builder.id }), 403)
  const [url] = await pictureOf(cleo.id)
  const id = url!.split('/')[3]!
  await refused(t, server.call(`/v1/files/${id}`, { method: 'DELETE', token: dan.token }), 403)

  const file = await upload(server, PIXEL)
  await refused(t, set(file.id, { id: builder.id }), 200)
  t.strictSame(await pictureOf(builder.id), [file.url])
  await refused(t, server.call(`/v1/users/${builder.id}/picture`, { method: 'DELETE' }), 200)
  await refused(t, server.call(`/v1/files/${id}`, { method: 'DELETE' }), 200)
  t.strictSame(await pictureOf(cleo.id), [], 'an administrator removes any file')
  const none = '01890000-0000-7000-8000-000000000000'
  for (const id of [none, 'you']) await refused(t, set(file.id, { id }), 404)
})

t.test('a picture is a small image of a type that browsers show', async t => {
  const eve = await person(server, 'eve')
  await refused(t, uploadFor(eve), 201)
  const before = await pictureOf(eve.id)
  const kept = await stored()
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>'
  for (const [content, status] of [
    [svg, 400],
    ['%PDF-1.4\n', 400],
    ['text', 400],
    ['', 400],
    [LARGE, 413]
  ] as const) {
    await refused(t, uploadFor(eve, content), status)
    const file = await upload(server, content, { token: eve.token })
    await refused(t, set(file.id, eve), status)
    await server.ok(`/v1/files/${file.id}`, { method: 'DELETE' })
  }
  await refused(t, uploadFor(eve, Buffer.alloc(2 * LARGE.length)), 413)
  await server.idle()
  t.equal(await stored(), kept, 'nothing of them is left')
  t.strictSame(await pictureOf(eve.id), before, 'the picture stays')
})

t.test('a file that is another’s, belongs to something, or is gone is no picture', async t => {
  const fay = await person(server, 'fay')
  const others = await upload(server, PIXEL)
  const secret = await upload(server, 'of a type that nobody else is told')
  const { key } = await fileIssue(server)
  const bound = await upload(server, PIXEL, { query: `?issueId=${key}`, token: fay.token })
  const gone = await upload(server, PIXEL, { token: fay.token })
  await server.ok(`/v1/files/${gone.id}`, { method: 'DELETE' })
  await refused(t, uploadFor(fay), 201)
  const before = await pictureOf(fay.id)
  for (const file of [others.url, secret.url, bound.url, gone.url, 'picture.png']) await refused(t, set(file, fay), 404)
  t.strictSame(await pictureOf(fay.id), before)
  await refused(t, server.call(before[0]!), 200)
})

t.test('a picture stays in its workspace', async t => {
  const other = await server.otherWorkspace()
  await refused(t, uploadFor({ id: me.id, token: server.token }), 201)
  const [url] = await pictureOf(me.id)
  await refused(t, server.call(url!, { token: other.token }), 404)
  t.strictSame(await pictures(other.token), [])
  const file = await upload(server, PIXEL, { token: other.token })
  await refused(t, set(file.id, { id: me.id, token: other.token }), 404)
  await refused(t, uploadFor({ id: me.id, token: other.token }), 404)
})

t.test('a removed file is no picture any more, and a picture goes with its account', async t => {
  const gil = await person(server, 'gil')
  const file = (await uploadFor(gil)).json<Uploaded>()
  await server.ok(`/v1/files/${file.id}`, { method: 'DELETE', token: gil.token })
  t.strictSame(await pictureOf(gil.id), [])
  const last = (await uploadFor(gil)).json<Uploaded>()
  await server.ok(`/v1/users/${gil.id}`, { method: 'DELETE' })
  t.strictSame(await pictureOf(gil.id), [])
  await refused(t, server.call(last.url), 404)
  await server.idle()
  t.equal(await stored(gil.id), 0)
})

t.test('its events tell a change to all', async t => {
  const hal = await person(server, 'hal')
  const first = (await uploadFor(hal)).json<Uploaded>()
  const second = await upload(server, PIXEL, { token: hal.token })
  await set(second.url, hal)
  const { events } = await server.ok<{ events: object[] }>('/v1/events?types=file.added,file.deleted&limit=200')
  const subject = { type: 'account', id: hal.id }
  t.match(events.slice(-3), [
    { type: 'file.added', subject: { id: first.id }, data: { subject } },
    { type: 'file.deleted', subject: { id: first.id } },
    { type: 'file.added', subject: { id: second.id }, data: { subject } }
  ])
})

t.test('of pictures that are set at once, one is left', async t => {
  const ivy = await person(server, 'ivy')
  const files = await Promise.all([1, 2, 3].map(() => upload(server, PIXEL, { token: ivy.token })))
  const usage = async () => (await server.ok<{ usage: { bytes: number } }>('/v1/files')).usage.bytes
  const before = await usage()
  const changes = [...files.map(({ id }) => set(id, ivy)), set(files[0]!.id, ivy), uploadFor(ivy)]
  const answers = await Promise.all(changes)
  for (const { statusCode, body } of answers) t.ok([200, 201, 404].includes(statusCode), body)
  await server.idle()
  const [url, ...more] = await pictureOf(ivy.id)
  t.strictSame(more, [])
  await refused(t, server.call(url!), 200)
  t.equal(await stored(ivy.id), 1)
  const unbound = (
    await Promise.all(files.map(({ id }) => server.call(`/v1/files/${id}`, { token: ivy.token })))
  ).filter(({ statusCode }) => statusCode === 200).length
  t.ok(unbound <= 1, 'the others are removed')
  t.equal(await usage(), before - 2 * PIXEL.length)
})

t.test('a picture that is set while its account is removed does not stay', async t => {
  const jo = await person(server, 'jo')
  const answers = await Promise.all([
    uploadFor(jo),
    server.call(`/v1/users/${jo.id}`, { method: 'DELETE' }),
    uploadFor(jo)
  ])
  t.equal(answers[1].statusCode, 200)
  await server.idle()
  t.equal(await stored(jo.id), 0)
})
