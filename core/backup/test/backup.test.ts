import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { onPostgres } from '../../../test/runner/harness.ts'
import { onlyPlugins, startProcess, trackerIn, type ServerProcess } from '../../../test/runner/process.ts'
import { smallDisk } from '../../../test/runner/small-disk.ts'
import { fillDataDirectory } from '../../../test/runner/templates.ts'
import { newToken } from '../../auth/tokens.ts'
import { markUnfinished } from '../../db/embedded/cluster-folder.ts'
import { restoreBackup, verifyBackup } from '../restore.ts'

const token = newToken()
const plugins = { ...onlyPlugins('workspace', 'agents', 'issues', 'files'), TRACKER_ADMIN_TOKEN: token }
const headers = { authorization: `Bearer ${token}` }

async function create({ url }: ServerProcess, title: string): Promise<void> {
  const body = JSON.stringify({ teamId: 'ENG', title })
  const sent = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body }
  const answer = await fetch(`${url}/v1/issues`, sent)
  if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`)
}
async function titles({ url }: ServerProcess): Promise<string[]> {
  const sent = {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: '{"view":"list","perPage":100}'
  }
  const answer = await fetch(`${url}/v1/issues/filter`, sent)
  return ((await answer.json()) as { issues: Array<{ title: string }> }).issues.map(({ title }) => title)
}
async function upload({ url }: ServerProcess, content: string): Promise<string> {
  const type = { 'content-type': 'application/octet-stream', 'content-disposition': 'attachment; filename="a.txt"' }
  const answer = await fetch(`${url}/v1/files`, { method: 'POST', headers: { ...headers, ...type }, body: content })
  return ((await answer.json()) as { url: string }).url
}

t.test('a backup is made while the server works, verified, and restored', { skip: onPostgres }, async t => {
  const dir = t.testdir({ data: {}, other: {}, refused: { none: 'no backup' } })
  const file = join(dir, 'backup.tar.gz')
  const env = { ...plugins, TRACKER_DATA_DIR: join(dir, 'data') }
  const other = { ...plugins, TRACKER_DATA_DIR: join(dir, 'other') }
  await fillDataDirectory(env.TRACKER_DATA_DIR)
  const server = await startProcess(env)
  t.teardown(() => server.end('SIGKILL'))
  for (let n = 0; n < 5; n++) await create(server, `before ${n}`)
  const path = await upload(server, 'a content')

  const end = new AbortController()
  const working = (async () => {
    for (let n = 0; !end.signal.aborted && n < 50; n++) await create(server, `meanwhile ${n}`)
  })()
  const result = await trackerIn(env, 'backup', file, '--verify')
  end.abort()
  await working
  t.match(result, { code: 0, err: /^Saved the database and 1 files .*\n.*backup.tar.gz is whole: \d+ rows/ })
  t.strictSame(readdirSync(dir).toSorted(), ['backup.tar.gz', 'data', 'other', 'refused'], 'nothing else is left')
  t.notMatch(readdirSync(env.TRACKER_DATA_DIR).join(), 'unfinished')
  const folders = [{ name: 'files', path: join(dir, 'other/files'), isComplete: () => true }]
  await t.rejects(restoreBackup(file, { dataDir: env.TRACKER_DATA_DIR, folders, replace: true }), {
    message: /is in use by another tracker process/
  })
  t.match(await trackerIn(env, 'backup', file), { code: 1, err: /There is a file .* already/ })
  await refuseFullDisk(t, env)
  const all = await titles(server)
  t.equal(await server.end('SIGTERM'), 0)

  t.match(await trackerIn(other, 'restore', file), { code: 0, err: /^Restored the backup of \d{4}-/ })
  const restored = await startProcess(other)
  t.teardown(() => restored.end('SIGKILL'))
  const kept = await titles(restored)
  t.ok(['before 0', 'before 4'].every(title => kept.includes(title)))
  t.ok(kept.every(title => all.includes(title)))
  t.equal(await (await fetch(restored.url + path, { headers })).text(), 'a content')
  t.equal(await restored.end('SIGTERM'), 0)

  const { TRACKER_DATA_DIR: dataDir } = other
  await t.rejects(restoreBackup(file, { dataDir, folders, replace: false }), {
    message: /There is a database in .*--replace/
  })
  await refusals(t, file, dataDir, join(dir, 'refused'))
  await t.rejects(restoreBackup(file, { dataDir, folders: [], replace: true }), {
    message: /has a folder “files”, for which the configuration has no place/
  })
  t.match(await restoreBackup(file, { dataDir, folders, replace: true }), { format: 1 })
  t.notMatch(readdirSync(dataDir).join(), /unfinished|replaced/)
})

/** Wrong files are refused, and the data folder is unchanged. @param file a backup; @param dir for wrong ones */
async function refusals(t: Test, file: string, dataDir: string, dir: string): Promise<void> {
  const tar = gunzipSync(readFileSync(file))
  const newer = Buffer.from(tar)
  newer.write('"version":"9', newer.indexOf('"version":"'))
  writeFileSync(join(dir, 'newer'), gzipSync(newer, { level: 1 }))
  // A page of a table, behind the manifest and the headers of the files.
  const at = tar.length - 1024 * 1024
  writeFileSync(join(dir, 'damaged'), gzipSync(tar.fill(1, at, at + 64), { level: 1 }))
  writeFileSync(join(dir, 'cut'), readFileSync(file).subarray(0, 100_000))
  const before = readdirSync(dataDir).toSorted()
  for (const [name, problem] of [
    ['damaged', /is damaged/],
    ['cut', /is damaged, or no backup/],
    ['newer', /newer is of tracker 9\.\d.*, and this is .*: install 9\.\d.* or newer, then restore it/],
    ['none', /is damaged, or no backup/],
    ['missing', /There is no file/]
  ] as const) {
    const restoring = restoreBackup(join(dir, name), { dataDir, folders: [], replace: true })
    await t.rejects(restoring, { message: problem }, name)
  }
  await t.rejects(verifyBackup(join(dir, 'damaged')), { message: /is damaged/ })
  t.strictSame(readdirSync(dataDir).toSorted(), before, 'what was there is still there')
}

/** A disk that is too small is refused before a file is written. */
async function refuseFullDisk(t: Test, env: Record<string, string>): Promise<void> {
  const disk = smallDisk(8)
  if (!disk) return
  t.teardown(() => disk.remove())
  const answer = await trackerIn(env, 'backup', join(disk.dir, 'backup.tar.gz'))
  t.match(answer, { code: 1, err: /A backup needs up to \d+ MiB on the disk of .*, of which \d MiB are free/ })
  t.strictSame(readdirSync(disk.dir), [])
}

t.test('a start after a restore that was killed makes no empty database', { skip: onPostgres }, async t => {
  const dataDir = t.testdir({ 'restore.unfinished': { pgdata: { PG_VERSION: '17' } } })
  await t.rejects(markUnfinished(dataDir), { message: /A restore into .* was cut off: run it again/ })
})

t.test('a restore that was killed and then fails leaves the former database', { skip: onPostgres }, async t => {
  // As a kill leaves it between the two renames.
  const dataDir = t.testdir({
    'restore.unfinished': { pgdata: { PG_VERSION: 'new' } },
    'pgdata.replaced': { PG_VERSION: 'former' }
  })
  await t.rejects(markUnfinished(dataDir), { message: /was cut off: run it again, or go back to the former database/ })
  const again = restoreBackup(join(dataDir, 'missing'), { dataDir, folders: [], replace: true })
  await t.rejects(again, { message: /There is no file/ })
  t.equal(readFileSync(join(dataDir, 'pgdata/PG_VERSION'), 'utf8'), 'former')
  t.strictSame(
    readdirSync(dataDir).filter(name => /replaced|unfinished/.test(name)),
    []
  )
})
