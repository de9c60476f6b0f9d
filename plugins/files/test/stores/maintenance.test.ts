import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { testServer, type TestServer } from '../../../../test/runner/harness.ts'
import { runInProcess } from '../../../../test/runner/run-in-process.ts'
import type { FilesTables } from '../../contract.ts'
import { removeContent } from '../../removal.ts'
import { fileIssue, PIXEL, upload, type Uploaded } from '../upload.ts'
import { startS3, type S3 } from './s3-server.ts'

type Tables = Pick<FilesTables, 'file' | 'filePart'>

const plugins = ['workspace', 'issues', 'files']
const CONTENTS = [
  '',
  'text',
  PIXEL,
  Buffer.from(Array.from({ length: 600_000 }, (_, n) => (n * 31) % 256)),
  Buffer.alloc(6 * 1024 * 1024, 'more than a part of an upload')
]

interface Stored {
  server: TestServer
  folder: string
  s3: S3
  /** Moves or checks files. */
  run(...args: string[]): ReturnType<typeof runInProcess>
  /** All files in the folder, without their workspaces. */
  inFolder(): Promise<string[]>
  /** The rows of files, in the order of their uploads. */
  rows(): Promise<Array<{ workspaceId: string; id: string; store: string }>>
}

/** A server that has all stores, and stores new files in the folder. */
async function serverWithStores(t: Test): Promise<Stored> {
  const folder = join(t.testdir(), 'files')
  const s3 = await startS3(t)
  const server = await testServer({
    plugins,
    settings: { plugins: { files: { ...s3.settings, store: 'folder', folder } } }
  })
  t.teardown(() => server.close())
  const tables = server.database.db.withTables<Tables>()
  return {
    server,
    folder,
    s3,
    run: (...args) => runInProcess(server, ['files', ...args]),
    async inFolder() {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
      return entries.filter(entry => entry.isFile()).map(({ name }) => name)
    },
    rows: () => tables.selectFrom('file').select(['workspaceId', 'id', 'store']).orderBy('id').execute()
  }
}

async function uploadAll(server: TestServer): Promise<Uploaded[]> {
  const { key } = await fileIssue(server)
  const files: Uploaded[] = []
  for (const content of CONTENTS) files.push(await upload(server, content, { query: `?issueId=${key}` }))
  return files
}

async function assertReadable(t: Test, server: TestServer, files: readonly Uploaded[]): Promise<void> {
  for (const [n, { url }] of files.entries()) {
    const { statusCode, rawPayload } = await server.call(url)
    t.equal(statusCode, 200)
    t.ok(rawPayload.equals(Buffer.from(CONTENTS[n]!)), `file ${n} is as it was`)
  }
}

/** Runs the jobs that remove the bytes of files from stores, which wait for readers. */
async function removeFrom(
  server: TestServer,
  rows: ReadonlyArray<{ workspaceId: string; id: string }>,
  ...stores: readonly string[]
) {
  const payloads = stores.flatMap(store => rows.map(({ workspaceId, id }) => ({ workspaceId, id, store })))
  await server.jobs.enqueue(server.database.db, removeContent.name, payloads)
  await server.idle()
}

t.test('files are moved from each store to each other, and their former bytes go later', async t => {
  const { server, run, rows, s3, inFolder } = await serverWithStores(t)
  const files = await uploadAll(server)
  const parts = () => server.database.db.withTables<Tables>().selectFrom('filePart').select('fileId').execute()
  let from = 'folder'
  for (const to of ['database', 's3', 'folder', 's3', 'database', 'folder']) {
    const { code, err } = await run('move', '--to', to)
    t.equal(code, 0, err)
    t.match(err, /5 files were moved/)
    if (to !== 'folder') t.match(err, /New files still go to folder: set plugins\.files\.store/)
    t.ok((await rows()).every(({ store }) => store === to))
    await assertReadable(t, server, files)
    await removeFrom(server, await rows(), to, from)
    await assertReadable(t, server, files)
    t.equal((await inFolder()).length, to === 'folder' ? 5 : 0)
    t.equal((await s3.objects()).length, to === 's3' ? 5 : 0)
    t.equal((await parts()).length > 0, to === 'database')
    from = to
  }
  t.match(await run('move', '--to', 'folder'), { code: 0, err: /^0 files were moved/ })
  t.match(await run('check'), { code: 0, out: '', err: /5 files were read.*problems: 0/ })
})

t.test('missing and damaged files are listed, and stay where they are', async t => {
  const { server, run, rows, s3, folder } = await serverWithStores(t)
  const [, text, image] = await uploadAll(server)
  const [{ workspaceId } = { workspaceId: '' }] = await rows()
  await writeFile(join(folder, workspaceId, text!.id), 'TEXT')
  await rm(join(folder, workspaceId, image!.id))
  const lines = [`damaged\tfolder\t${workspaceId}\t${text!.id}`, `missing\tfolder\t${workspaceId}\t${image!.id}`]
  for (const line of lines) t.match(await run('check'), { code: 2, out: line, err: /problems: 2/ })
  const { code, err } = await run('move', '--to', 's3')
  t.equal(code, 2)
  t.match(err, /3 files were moved to s3; 2 are missing or damaged/)
  t.match(
    (await rows()).map(({ store }) => store),
    ['s3', 'folder', 'folder', 's3', 's3']
  )
  t.equal((await s3.objects()).length, 3)
})

t.test('a move that was interrupted is continued', async t => {
  const { server, run, rows, s3 } = await serverWithStores(t)
  const files = await uploadAll(server)
  const tables = server.database.db.withTables<Tables>()
  const all = await rows()
  for (const { workspaceId, id } of all) {
    await s3.put(`${workspaceId}/${id}`)
    const part = { workspaceId, fileId: id, n: 0, data: Buffer.from('half') }
    await tables.insertInto('filePart').values(part).execute()
  }
  for (const to of ['database', 's3']) {
    t.match(await run('move', '--to', to), { code: 0, err: /5 files were moved/ })
    await assertReadable(t, server, files)
  }
})

t.test('files are read and removed while they are moved in several ways at once', async t => {
  const { server, run, rows } = await serverWithStores(t)
  const { key } = await fileIssue(server)
  const content = Buffer.alloc(300_000, 'x')
  const files: Uploaded[] = []
  for (let n = 0; n < 12; n++) files.push(await upload(server, content, { query: `?issueId=${key}` }))
  const everyFile = await rows()
  const removed = files.splice(0, 4)
  const moving = new AbortController()
  const moves = Promise.all(['s3', 'database', 's3', 'folder'].map(to => run('move', '--to', to)))
  const reading = (async () => {
    while (!moving.signal.aborted) {
      for (const { url } of files) t.ok((await server.call(url)).rawPayload.equals(content))
    }
  })()
  for (const { id } of removed) await server.ok(`/v1/files/${id}`, { method: 'DELETE' })
  for (const { code, err } of await moves) t.equal(code, 0, err)
  moving.abort()
  await reading
  // The places that a removed file had before.
  for (const store of ['folder', 's3']) await removeFrom(server, everyFile, store)
  t.match(await run('check'), { code: 0, out: '', err: /8 files were read/ })
})

t.test('what is in a store without being a file is listed, and what no text names is counted', async t => {
  const { server, run, s3, folder, rows } = await serverWithStores(t)
  await upload(server, PIXEL)
  const [{ workspaceId } = { workspaceId: '' }] = await rows()
  const id = '01890000-0000-7000-8000-00000000000a'
  await mkdir(join(folder, id))
  for (const name of [`${workspaceId}/${id}`, `${id}/${id}`]) {
    await writeFile(join(folder, name), 'x')
    await s3.put(name)
  }
  await writeFile(join(folder, 'README'), 'no file')
  await s3.put('README')
  const { code, out, err } = await run('check')
  t.equal(code, 2)
  t.match(err, /1 files were read, 1 of which no text names yet; problems: 4/)
  const lines = ['folder', 's3'].flatMap(store => [workspaceId, id].map(of => `unknown\t${store}\t${of}\t${id}\t`))
  t.strictSame(out.split('\n').filter(Boolean).sort(), lines.sort())
})

t.test('a store that there is not, or is not set up, is refused with what to do', async t => {
  const server = await testServer({ plugins })
  t.teardown(() => server.close())
  t.match(await runInProcess(server, ['files', 'move', '--to', 'tape']), { code: 1, err: /folder, database, s3/ })
  t.match(await runInProcess(server, ['files', 'move', '--to', 's3']), { code: 1, err: /plugins\.files\.s3Bucket/ })
  t.match(await runInProcess(server, ['files', 'move', '--to', 'folder']), { code: 1, err: /plugins\.files\.folder/ })
})
