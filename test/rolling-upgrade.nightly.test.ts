import { execFile } from 'node:child_process'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'
import { RELEASE_BEFORE } from '../core/db/migrate/migrate.ts'
import { newToken } from '../core/auth/tokens.ts'
import { emptyDatabase } from './runner/empty-database.ts'
import { onPostgres, TEST_DATABASE_URL } from './runner/harness.ts'
import { startProcess, TRACKER_COMMAND, type ServerProcess } from './runner/process.ts'

/* Replicas are upgraded one after the other: those of the previous release use the tables of the new one. */

const PREVIOUS_RELEASE = '9c5aaacd9f9819e36b365664748f8abec1812ed1' // 0.2.0

const run = promisify(execFile)
const project = fileURLToPath(new URL('..', import.meta.url))
await run('git', ['cat-file', '-e', `${PREVIOUS_RELEASE}^{commit}`], { cwd: project }).catch(() => {
  throw new Error(`The history of this clone does not have 0.2.0: git fetch --unshallow, then run this again.`)
})

/** The code of the previous release, with the installed modules. */
async function previousRelease(folder: string): Promise<string> {
  await run('sh', ['-c', 'git archive "$0" | tar --extract --directory "$1"', PREVIOUS_RELEASE, folder], {
    cwd: project
  })
  await symlink(join(project, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

const token = newToken()
async function send<T = { id: string }>({ url }: ServerProcess, path: string, body?: object): Promise<T> {
  const answer = await fetch(url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) })
  })
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as T
}

interface Context {
  title: string
  state: { category: string }
  definitionOfDone: { met: number }
  comments: Array<{ bodyMarkdown: string }>
}

t.test('a migration lets the previous release run beside this one', async t => {
  const { stdout } = await run('git', ['show', `${PREVIOUS_RELEASE}:package.json`], { cwd: project })
  t.equal((JSON.parse(stdout) as { version: string }).version, RELEASE_BEFORE)
})

const skip = !onPostgres && 'the embedded database has one server'

t.test('a server of the previous release and one of this serve the same tables', { skip }, async t => {
  const database = await emptyDatabase(TEST_DATABASE_URL)
  t.teardown(() => database.remove())
  const env = { ...database.env, TRACKER_ADMIN_TOKEN: token, LOG_LEVEL: 'error' }
  const previous = await startProcess(env, undefined, await previousRelease(t.testdir()))
  const before = await send(previous, '/v1/issues', { teamId: 'ENG', title: 'Filed before the upgrade' })
  const current = await startProcess(env)

  for (const [name, writer, reader] of [
    ['the previous release', previous, current],
    ['this release', current, previous]
  ] as const) {
    await t.test(`what ${name} writes, the other reads and changes`, async t => {
      const { id } = await send(writer, '/v1/issues', {
        teamId: 'ENG',
        title: 'The export loses dates',
        descriptionMarkdown: 'They are missing in the CSV.\n\n- [x] dates are exported\n'
      })
      await send(writer, `/v1/issues/${id}/pick_up`, {})
      await send(writer, `/v1/issue_comments?issueId=${id}`, { bodyMarkdown: `From ${name}.` })
      await send(reader, `/v1/issue_relations`, { type: 'BLOCKS', issueId: before.id, relatedIssueId: id })
      await send(reader, `/v1/issues/${id}`, { title: 'The export has dates' })
      t.match(await send<Context>(reader, `/v1/issues/${id}/context`), {
        title: 'The export has dates',
        state: { category: 'STARTED' },
        definitionOfDone: { met: 1 },
        comments: [{ bodyMarkdown: `From ${name}.` }]
      })
      t.match(await send<Context>(writer, `/v1/issues/${id}/context`), { title: 'The export has dates' })
    })
  }

  t.equal(await previous.end('SIGTERM'), 0, 'the previous release ends as always')
  await t.test('reindex finds what the previous release has written since the upgrade began', async t => {
    // It appends no events for the index of this release.
    await run(process.execPath, [...TRACKER_COMMAND, 'reindex'], { cwd: project, env: { ...process.env, ...env } })
    const hits = await send<Array<{ title: string }>>(current, '/v1/search?query=export%20dates')
    t.equal(hits.filter(({ title }) => title === 'The export has dates').length, 2)
  })
  t.equal(await current.end('SIGTERM'), 0)
  t.equal(previous.output() + current.output(), '', 'neither logs an error')
})
