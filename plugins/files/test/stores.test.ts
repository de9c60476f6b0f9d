import { access, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { testServer } from '../../../test/runner/harness.ts'
import { removeUnused } from '../removal.ts'
import { fileIssue, form, PIXEL, raw, refused, upload } from './upload.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const plugins = ['workspace', 'issues', 'files']
const CONTENT = Buffer.from(Array.from({ length: 600_000 }, (_, n) => (n * 31) % 256))

const inFolder = (folder: string) => ({ plugins: { files: { store: 'folder', folder } } })
const inDatabase = { plugins: { files: { store: 'database' } } }

/** All files below a folder. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries.filter(entry => entry.isFile()).map(entry => entry.name)
}

for (const [name, settingsFor] of [
  ['folder', inFolder],
  ['database', () => inDatabase]
] as const) {
  t.test(`the store ${name} keeps files byte for byte, and removes them`, async t => {
    const folder = join(t.testdir(), 'files')
    const server = await testServer({ plugins, settings: settingsFor(folder) })
    t.teardown(() => server.close())
    const { key } = await fileIssue(server)
    const file = await upload(server, CONTENT, { query: `?issueId=${key}` })
    const asForm = await server.ok<{ url: string }>('/v1/files', form(CONTENT, 'a.bin'))
    for (const { url } of [file, asForm]) t.ok((await server.call(url)).rawPayload.equals(CONTENT))
    const range = await server.call(file.url, { headers: { range: 'bytes=262140-262150' } })
    t.ok(range.rawPayload.equals(CONTENT.subarray(262140, 262151)))
    t.equal((await filesIn(folder)).length, name === 'folder' ? 2 : 0)
    await server.ok(`/v1/files/${file.id}`, { method: 'DELETE' })
    await server.idle()
    t.equal((await filesIn(folder)).includes(file.id), false)
    const { db } = server.database
    const parts = await db
      .withTables<{ filePart: { fileId: string } }>()
      .selectFrom('filePart')
      .select('fileId')
      .execute()
    t.notOk(parts.some(({ fileId }) => fileId === file.id))
  })
}

t.test('a file whose bytes are lost is an error that says so', async t => {
  const folder = t.testdir()
  const server = await testServer({ plugins, settings: inFolder(folder) })
  t.teardown(() => server.close())
  const file = await upload(server, PIXEL)
  await rm(folder, { recursive: true })
  t.match((await server.call(file.url)).json(), { statusCode: 500, code: 'CONTENT_MISSING' })
})

t.test('an upload that cannot be stored leaves nothing', async t => {
  const folder = join(t.testdir({ file: 'not a folder' }), 'file')
  const server = await testServer({ plugins, settings: inFolder(folder) })
  t.teardown(() => server.close())
  await refused(t, server.call('/v1/files', raw(PIXEL)), 500)
  const { db } = server.database
  t.strictSame(await db.withTables<{ file: { id: string } }>().selectFrom('file').select('id').execute(), [])
})

t.test('the default is the database where there is no data folder', async t => {
  const server = await testServer({ plugins })
  t.teardown(() => server.close())
  await upload(server, PIXEL)
  const { db } = server.database
  t.match(await db.withTables<{ file: { store: string } }>().selectFrom('file').select('store').execute(), [
    { store: 'database' }
  ])
})

t.test('a folder that is not named stops the start', async t => {
  await t.rejects(testServer({ plugins, settings: { plugins: { files: { store: 'folder' } } } }), {
    message: /plugins\.files\.folder/
  })
})

/** A server whose clock the test moves. */
async function clocked(t: Test, folder: string) {
  let at = Date.now()
  const server = await testServer({ plugins, settings: inFolder(folder), now: () => new Date(at) })
  t.teardown(() => server.close())
  return {
    server,
    /** Runs the daily job after some days. */
    async after(days: number) {
      at += days * DAY_MS
      await server.jobs.enqueue(server.database.db, removeUnused.name, [{}])
      await server.idle()
    }
  }
}

t.test('what no text has named goes after 30 days, and what one has named stays', async t => {
  const folder = t.testdir()
  const { server, after } = await clocked(t, folder)
  const unused = await upload(server, PIXEL)
  const used = await upload(server, PIXEL)
  await fileIssue(server, { descriptionMarkdown: `![](${used.url})` })
  await after(29)
  await refused(t, server.call(unused.url), 200)
  await after(2)
  await refused(t, server.call(unused.url), 404)
  await refused(t, server.call(used.url), 200)
  t.strictSame(await filesIn(folder), [used.id])
})

t.test('however many files no text has named, all go in a day', async t => {
  const { server, after } = await clocked(t, t.testdir())
  await upload(server, PIXEL)
  const { db } = server.database
  await sql`
    insert into file (
      workspace_id, id, state, store, name, url_name, mime_type, bytes, sha256, created_by_id, created_at)
    select
      workspace_id, gen_random_uuid(), state, store, name, url_name, mime_type, 0, sha256, created_by_id, created_at
    from file, generate_series(1, 600)`.execute(db)
  await after(31)
  const { rows } = await sql`select id from file`.execute(db)
  t.equal(rows.length, 0)
})

t.test('an upload whose process ended is never served, and goes', async t => {
  const folder = t.testdir()
  const { server, after } = await clocked(t, folder)
  const { id } = await upload(server, PIXEL)
  // As a killed process leaves it.
  const { db } = server.database
  const tables = db.withTables<{ file: { id: string; state: string; workspaceId: string } }>()
  const { workspaceId } = await tables
    .updateTable('file')
    .set({ state: 'UPLOADING' })
    .returning('workspaceId')
    .executeTakeFirstOrThrow()
  await writeFile(join(folder, workspaceId, `${id}.part`), 'half')
  await refused(t, server.call(`/v1/files/${id}/a`), 404)
  await refused(t, server.call(`/v1/files/${id}`), 404)
  await after(2)
  t.strictSame(await filesIn(folder), [])
  t.strictSame(await tables.selectFrom('file').select('id').execute(), [])
})

t.test('the files of a removed workspace go', async t => {
  const folder = t.testdir()
  const { server, after } = await clocked(t, folder)
  const file = await upload(server, PIXEL)
  const gone = join(folder, '01890000-0000-7000-8000-000000000000')
  await mkdir(gone)
  await writeFile(join(gone, 'x'), 'x')
  await writeFile(join(folder, 'README'), 'no workspace')
  await after(1)
  await t.rejects(access(gone))
  t.strictSame((await filesIn(folder)).sort(), [file.id, 'README'].sort())
})
