import { readdir } from 'node:fs/promises'
import t, { type Test } from 'tap'
import { testServer, type TestServer } from '../../../test/runner/harness.ts'
import { fileIssue, PIXEL, refused, upload, type Uploaded } from './upload.ts'

const stores = [
  { store: 'database', settings: () => ({ store: 'database' }) },
  { store: 'folder', settings: (folder: string) => ({ store: 'folder', folder }) }
]

/** A server with a new folder of files. */
async function start(t: Test, settings: (folder: string) => object = () => ({})) {
  const folder = t.testdir()
  const server = await testServer({ settings: { plugins: { files: settings(folder) } } })
  t.teardown(() => server.close())
  return { server, folder }
}

/** An issue with three files: of the issue itself, of its description, and of a comment. */
async function issueWithFiles(server: TestServer) {
  const described = await upload(server, PIXEL, { name: 'described.png' })
  const { id, key } = await fileIssue(server, { descriptionMarkdown: `![](${described.url})` })
  const attached = await upload(server, PIXEL, { name: 'attached.png', query: `?issueId=${key}` })
  const noted = await upload(server, PIXEL, { name: 'noted.png' })
  const comment = await server.ok<{ id: string }>(`/v1/issue_comments?issueId=${key}`, {
    body: { bodyMarkdown: `![](${noted.url})` }
  })
  return {
    id,
    path: `/v1/issues/${key}`,
    comment: `/v1/issue_comments/${comment.id}`,
    files: [described, attached, noted]
  }
}

const remove = (server: TestServer, path: string) => server.ok(path, { method: 'DELETE' })
const restore = (server: TestServer, path: string) => server.ok(`${path}/restore`, { method: 'POST' })

async function usedBytes({ database }: TestServer): Promise<number> {
  const { bytes } = await database.db
    .withTables<{ fileUsage: { bytes: number } }>()
    .selectFrom('fileUsage')
    .select('bytes')
    .executeTakeFirstOrThrow()
  return bytes
}

t.test('files of an issue in the trash are kept for it, and served to nobody', async t => {
  const { server } = await start(t)
  const { path, files } = await issueWithFiles(server)
  const before = await server.ok<Uploaded[]>(`${path}/files`)
  await remove(server, path)
  await server.idle()
  for (const { id, url } of files) {
    await refused(t, server.call(url), 404)
    await refused(t, server.call(`/v1/files/${id}`), 404)
    await refused(t, server.call(`/v1/files/${id}`, { method: 'DELETE' }), 404)
  }
  await refused(t, server.call(`${path}/files`), 404)
  t.equal(await usedBytes(server), 3 * PIXEL.length, 'they count')

  await restore(server, path)
  t.strictSame(await server.ok(`${path}/files`), before)
  t.match(await server.ok(`${path}/context`), { files: { length: 3 } })
  for (const { url } of files) t.ok((await server.call(url)).rawPayload.equals(PIXEL))
})

t.test('a file of a deleted comment stays one of the issue', async t => {
  const { server } = await start(t)
  const { path, comment, files } = await issueWithFiles(server)
  for (const deletion of [comment, `${comment}?permanently=true`]) {
    await remove(server, deletion)
    await server.idle()
    t.equal((await server.ok<Uploaded[]>(`${path}/files`)).length, 3)
    for (const { url } of files) await refused(t, server.call(url), 200)
  }
})

for (const { store, settings } of stores) {
  t.test(`files of an issue that is removed for good go, in the store ${store}`, async t => {
    const { server, folder } = await start(t, settings)
    const kept = await issueWithFiles(server)
    const purged = await issueWithFiles(server)
    await remove(server, purged.path)
    await server.idle()
    await remove(server, `${purged.path}?permanently=true`)
    await server.idle()

    const { db } = server.database
    const tables = db.withTables<{ file: { id: string }; filePart: { fileId: string } }>()
    const ids = kept.files.map(({ id }) => id).toSorted()
    const rows = await tables.selectFrom('file').select('id').orderBy('id').execute()
    t.strictSame(
      rows.map(({ id }) => id),
      ids
    )
    const parts = await tables.selectFrom('filePart').select('fileId').orderBy('fileId').execute()
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    const stored = [
      ...parts.map(({ fileId }) => fileId),
      ...entries.filter(entry => entry.isFile()).map(({ name }) => name)
    ]
    t.strictSame(stored.toSorted(), ids, 'the bytes are gone, too')
    t.equal(await usedBytes(server), 3 * PIXEL.length)
    for (const { url } of kept.files) await refused(t, server.call(url), 200)

    const { events } = await server.ok<{ events: object[] }>('/v1/events?types=file.deleted&limit=200')
    t.match(
      events,
      purged.files.map(() => ({ issueId: purged.id, data: { name: null, bytes: PIXEL.length } }))
    )
    t.equal(events.length, 3)
  })
}

t.test('files of an issue that is removed for good stay with what else names them', async t => {
  const { server } = await start(t)
  const purged = await fileIssue(server)
  const put = () => upload(server, PIXEL, { query: `?issueId=${purged.key}` })
  const other = await fileIssue(server, { descriptionMarkdown: '- [ ] it holds' })
  const texts: Record<string, (text: string) => Promise<{ id: string }>> = {
    issue: text => fileIssue(server, { descriptionMarkdown: text }),
    project: text => server.ok('/v1/projects', { body: { name: 'P', descriptionMarkdown: text } }),
    knowledge: text => server.ok('/v1/knowledge', { body: { content: text } }),
    async comment(text) {
      await server.ok(`/v1/issue_comments?issueId=${other.key}`, { body: { bodyMarkdown: text } })
      return other
    },
    async evidence(text) {
      await server.ok(`/v1/issues/${other.key}/criteria`, { body: { met: [{ criterion: 1, evidence: text }] } })
      return other
    }
  }
  const files: Record<string, Uploaded & { naming: string }> = {}
  for (const [kind, write] of Object.entries(texts)) {
    const file = await put()
    files[kind] = { ...file, naming: (await write(`See ![one](${file.url})`)).id }
  }
  const [unnamed, inTrash] = [await put(), await put()]
  const trashed = await fileIssue(server, { descriptionMarkdown: `![](${inTrash.url})` })
  await remove(server, `/v1/issues/${trashed.key}`)
  await remove(server, `/v1/issues/${purged.key}?permanently=true`)
  await server.idle()

  const { files: listed } = await server.ok<{ files: Array<{ id: string; subject: { type: string; id: string } }> }>(
    '/v1/files'
  )
  for (const [kind, { id, url, naming }] of Object.entries(files)) {
    await refused(t, server.call(url), 200)
    const type = ['project', 'knowledge'].includes(kind) ? kind : 'issue'
    t.match(listed.find(file => file.id === id)?.subject, { type, id: naming }, kind)
  }
  await refused(t, server.call(unnamed.url), 404)
  await refused(t, server.call(inTrash.url), 404)
  t.equal(listed.length, 6, 'what no text names is gone')
  t.match(await server.ok(`/v1/issues/${other.key}/files`), [
    { id: files['comment']!.id },
    { id: files['evidence']!.id }
  ])
  await restore(server, `/v1/issues/${trashed.key}`)
  await refused(t, server.call(inTrash.url), 200)
})

t.test('files of a project and an entry in the trash are kept for them, and go when they go for good', async t => {
  const { server } = await start(t)
  const kinds: Array<[kind: string, body: (url: string) => object]> = [
    ['projects', url => ({ name: 'Pictured', descriptionMarkdown: `![](${url})` })],
    ['knowledge', url => ({ content: `The plan of the house is ![](${url})` })]
  ]
  for (const [kind, body] of kinds) {
    const { url } = await upload(server, PIXEL, { name: 'plan.png' })
    const path = `/v1/${kind}/${(await server.ok<{ id: string }>(`/v1/${kind}`, { body: body(url) })).id}`
    await remove(server, path)
    await refused(t, server.call(url), 404)
    await restore(server, path)
    await refused(t, server.call(url), 200)
    await remove(server, `${path}?permanently=true`)
    await server.idle()
    await refused(t, server.call(url), 404)
    t.equal(await usedBytes(server), 0, `${kind}: its file is gone`)
  }
})
