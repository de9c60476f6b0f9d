import { mkdir, mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { testServer, type TestServer } from '../../../test/runner/harness.ts'
import { runInProcess, type Ended } from '../../../test/runner/run-in-process.ts'
import type { FilesTables, StoreName } from '../contract.ts'
import { startS3 } from './stores/s3-server.ts'
import { fileIssue, person, PIXEL, refused, upload, type Uploaded } from './upload.ts'

const LONG = Buffer.from(Array.from({ length: 700_000 }, (_, n) => (n * 31) % 256))

/** A server that stores files in a database, a folder or a bucket of its own. */
async function start(t: Test, store: StoreName = 'database', limits: object = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'tracker-files-'))
  t.teardown(() => rm(folder, { recursive: true }))
  await mkdir(join(folder, 'files'))
  const bucket = store === 's3' ? (await startS3(t)).settings : {}
  const server = await testServer({
    settings: { plugins: { files: { store, folder: join(folder, 'files'), ...bucket, ...limits } } }
  })
  t.teardown(() => server.close())
  const { db } = server.database
  const tables = db.withTables<Pick<FilesTables, 'file' | 'filePart' | 'fileUsage'>>()
  return {
    server,
    tables,
    folder: join(folder, 'files'),
    exported: join(folder, 'exported'),
    lines: join(folder, 'board.jsonl'),
    run: (...args: string[]): Promise<Ended> => runInProcess(server, args)
  }
}
type Board = Awaited<ReturnType<typeof start>>

/** Fills a board with files of an issue, a comment, a project and knowledge. */
async function fill(server: TestServer) {
  const [shot, log, plan, fact] = [
    await upload(server, PIXEL, { name: 'Screen shot.png' }),
    await upload(server, LONG, { name: 'long.bin' }),
    await upload(server, PIXEL, { name: 'plan.png' }),
    await upload(server, '', { name: 'empty.txt' })
  ]
  const { key } = await fileIssue(server, { descriptionMarkdown: `![](${shot.url})` })
  await server.ok(`/v1/issue_comments?issueId=${key}`, { body: { bodyMarkdown: `[log](${log.url})` } })
  await server.ok('/v1/projects', { body: { name: 'P', descriptionMarkdown: `![](${plan.url})` } })
  await server.ok('/v1/knowledge', { body: { content: `See ${fact.url}` } })
  return { key, files: [shot, log, plan, fact], contents: [PIXEL, LONG, PIXEL, Buffer.alloc(0)] }
}

async function exportTo({ run, exported, lines }: Board, code = 0): Promise<Ended> {
  const ended = await run('export', '--files', exported)
  if (ended.code !== code) throw new Error(`export: ${ended.code} ${ended.err}`)
  await writeFile(lines, ended.out)
  return ended
}

async function assertThere(t: Test, { server }: Board, files: readonly Uploaded[], contents: readonly Buffer[]) {
  for (const [n, { id, url, createdBy, ...file }] of files.entries()) {
    const { statusCode, rawPayload, headers } = await server.call(url)
    t.equal(statusCode, 200, url)
    t.ok(rawPayload.equals(contents[n]!), `${file.name} is as it was`)
    t.match(headers['content-type'], file.mimeType)
    t.match(await server.ok(`/v1/files/${id}`), { ...file, createdBy: { fullname: createdBy.fullname } })
  }
}

async function stored({ tables, folder }: Board) {
  const rows = await tables.selectFrom('file').select(['id', 'state']).execute()
  const parts = await tables.selectFrom('filePart').select('fileId').distinct().execute()
  const inFolder = await readdir(folder, { recursive: true, withFileTypes: true })
  const usage = await tables.selectFrom('fileUsage').select('bytes').executeTakeFirst()
  return {
    states: rows.map(({ state }) => state),
    contents: parts.length + inFolder.filter(entry => entry.isFile()).length,
    bytes: usage?.bytes ?? 0
  }
}

for (const [from, to] of [
  ['database', 'folder'],
  ['folder', 'database'],
  ['s3', 's3']
] as const) {
  t.test(`files come along in an export from the store ${from} into the store ${to}`, async t => {
    const source = await start(t, from)
    const { key, files, contents } = await fill(source.server)
    await upload(source.server, 'of nobody yet')
    await exportTo(source)
    const names = await readdir(source.exported)
    t.strictSame(names.toSorted(), [...new Set(files.map(({ sha256 }) => sha256))].toSorted())

    const target = await start(t, to)
    const imported = await target.run('import', source.lines, '--files', source.exported)
    t.match(imported, { code: 0, err: /4 file/ })
    await assertThere(t, target, files, contents)
    t.strictSame(
      (await target.server.ok<Uploaded[]>(`/v1/issues/${key}/files`)).map(({ id }) => id),
      files.slice(0, 2).map(({ id }) => id)
    )
    t.match(await target.server.ok(`/v1/issues/${key}/context`), { files: [{ url: files[0]!.url }, {}] })
    const bytes = contents.reduce((sum, content) => sum + content.length, 0)
    t.match(await stored(target), { states: ['STORED', 'STORED', 'STORED', 'STORED'], bytes })
    t.equal((await target.run('files', 'check')).code, 0)

    const again = await target.run('import', source.lines, '--files', source.exported)
    t.match(again, { code: 0, err: /There already/ })
    t.equal((await stored(target)).states.length, 4, 'nothing comes twice')

    const fileLines = (text: string) => text.split('\n').filter(line => line.includes('"kind":"file"'))
    const { out } = await exportTo(target)
    t.strictSame(fileLines(out), fileLines((await exportTo(source)).out), 'exported again, they are the same')
  })
}

t.test('files of templates come along', async t => {
  const source = await start(t)
  const form = await upload(source.server, PIXEL, { name: 'form.png' })
  await source.server.ok('/v1/teams', { body: { identifier: 'OPS', name: 'Operations' } })
  const body = { teamId: 'OPS', name: 'Bug', descriptionMarkdown: `![](${form.url})` }
  await source.server.ok('/v1/issue_templates', { body })
  await exportTo(source)

  const target = await start(t)
  t.match(await target.run('import', source.lines, '--files', source.exported), { code: 0, err: /1 file/ })
  await assertThere(t, target, [form], [PIXEL])
})

t.test('pictures of accounts come along, and an account keeps one that it has', async t => {
  const source = await start(t)
  const target = await start(t)
  const picture = async ({ server }: Board, name: string) => {
    const { id, token } = await person(server, name)
    return upload(server, PIXEL, { query: `?subject=account:${id}`, token })
  }
  const ada = await picture(source, 'ada')
  await picture(source, 'bea')
  const kept = await picture(target, 'bea')
  await exportTo(source)

  const { code, err } = await target.run('import', source.lines, '--files', source.exported)
  t.equal(code, 2)
  t.match(err, /the account has a picture already/)
  const pictures = await target.server.ok<Array<{ url: string }>>('/v1/users/pictures')
  t.strictSame(pictures.map(({ url }) => url).toSorted(), [ada.url, kept.url].toSorted())
  await assertThere(t, target, [ada, kept], [PIXEL, PIXEL])
  t.match(await stored(target), { states: ['STORED', 'STORED'], contents: 2, bytes: 2 * PIXEL.length })
})

t.test('without --files an export has no files, and the lines of files are refused with what to do', async t => {
  const source = await start(t)
  await fill(source.server)
  t.notMatch((await source.run('export')).out, '"kind":"file"')
  t.match(await source.run('export', '--to', 'markdown', source.exported, '--files', source.exported), {
    code: 1,
    err: /--files belongs to an export of lines/
  })
  await exportTo(source)

  const target = await start(t)
  t.match(await target.run('import', source.lines), { code: 2, err: /import again, with --files/ })
  t.match(await target.run('import', source.lines, '--files', source.lines), { code: 1, err: /is no folder/ })
  t.match(await stored(target), { states: [], contents: 0, bytes: 0 })
  t.match(await target.run('import', source.lines, '--files', source.exported), { code: 0, err: /4 file/ })
})

t.test('contents that are missing or damaged are left out and named, and come with the next import', async t => {
  const source = await start(t)
  const { files, contents } = await fill(source.server)
  await exportTo(source)
  const [shot, log] = files.map(({ sha256 }) => join(source.exported, sha256))
  await rm(shot!)
  await truncate(log!, 600_000)

  const target = await start(t)
  const { code, err } = await target.run('import', source.lines, '--files', source.exported)
  t.equal(code, 2)
  t.match(err, /is not in the folder: copy it there, or export again/)
  t.match(err, /is damaged. Export again/)
  t.match(await stored(target), { states: ['STORED'], contents: 0, bytes: 0 }, 'nothing is half-stored')
  for (const { url } of files.slice(0, 3)) await refused(t, target.server.call(url), 404)

  await exportTo(source)
  t.match(await target.run('import', source.lines, '--files', source.exported), { code: 0, err: /3 file/ })
  await assertThere(t, target, files, contents)
})

t.test('a file whose content is damaged here is left out of an export, with what to do', async t => {
  const source = await start(t, 'folder')
  const { files } = await fill(source.server)
  const [workspaceId] = await readdir(source.folder)
  await writeFile(join(source.folder, workspaceId!, files[1]!.id), 'another content')
  await rm(join(source.folder, workspaceId!, files[3]!.id))
  const { out, err } = await exportTo(source, 2)
  t.match(err, `Left out the file ${files[1]!.id} (long.bin): its content is damaged in the store folder. Restore it`)
  t.notMatch(out, `"externalId":"${files[1]!.id}"`)
  t.strictSame((await readdir(source.exported)).toSorted(), [files[0]!.sha256, files[3]!.sha256].toSorted())
})

t.test('an import keeps the limits, and a dry run stores nothing', async t => {
  const source = await start(t)
  await fill(source.server)
  await exportTo(source)
  const small = await start(t, 'database', { maxBytes: 1000 })
  t.match(await small.run('import', source.lines, '--files', source.exported), {
    code: 2,
    err: /The file is too large: a file has at most 1000 bytes here/
  })
  t.match(await stored(small), { states: ['STORED', 'STORED', 'STORED'], bytes: 2 * PIXEL.length })

  const full = await start(t, 'folder', { maxBytesPerWorkspace: 700_000 + PIXEL.length })
  t.match(await full.run('import', source.lines, '--files', source.exported), { code: 2, err: /remove files first/ })
  t.match(await stored(full), { states: ['STORED', 'STORED', 'STORED'], contents: 3, bytes: 700_000 + PIXEL.length })

  const dry = await start(t, 'folder')
  const { code, err } = await dry.run('import', source.lines, '--files', source.exported, '--dry-run')
  t.equal(code, 0)
  t.match(err, /A dry run[\s\S]*4 file/)
  t.match(await stored(dry), { states: [], contents: 0, bytes: 0 })
})

t.test('an import that was interrupted is continued, and leaves nothing of what it had begun', async t => {
  const source = await start(t)
  const { files, contents } = await fill(source.server)
  await exportTo(source)
  const target = await start(t)
  const me = await target.server.ok<{ id: string; workspace: { id: string } }>('/v1/users/me')
  const key = { workspaceId: me.workspace.id, id: files[1]!.id }
  await target.tables
    .insertInto('file')
    .values({
      ...key,
      ...{ state: 'UPLOADING', store: 'database', name: 'a', urlName: 'a', mimeType: '', bytes: 0 },
      ...{ sha256: Buffer.alloc(0), createdById: me.id, createdAt: new Date() }
    })
    .execute()
  const part = { workspaceId: key.workspaceId, fileId: key.id, n: 0, data: Buffer.from('half') }
  await target.tables.insertInto('filePart').values(part).execute()
  t.match(await target.run('import', source.lines, '--files', source.exported), { code: 0, err: /4 file/ })
  await assertThere(t, target, files, contents)
})

t.test('files of what is deleted stay at home, and lines of files of nothing are skipped', async t => {
  const source = await start(t)
  const { key } = await fill(source.server)
  const { out } = await exportTo(source)
  await source.server.ok(`/v1/issues/${key}`, { method: 'DELETE' })
  const left = (await exportTo(source)).out.split('\n').filter(line => line.includes('"kind":"file"'))
  t.equal(left.length, 2)

  const target = await start(t)
  await writeFile(
    target.lines,
    out
      .split('\n')
      .filter(line => !line.includes('"kind":"project"'))
      .join('\n')
  )
  const { code, err } = await target.run('import', target.lines, '--files', source.exported)
  t.equal(code, 2)
  t.match(err, /there is no project '[^']+', to which it belongs/)
  t.match(await stored(target), { states: ['STORED', 'STORED', 'STORED'] })
})
