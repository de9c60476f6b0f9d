import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { migratedDatabase } from '../../../test/runner/empty-database.ts'
import { onPostgres } from '../../../test/runner/harness.ts'
import { TRACKER_COMMAND } from '../../../test/runner/process.ts'
import { withConnection } from '../../../test/runner/templates.ts'
import { temporaryFolder } from '../../../test/runner/temporary-folder.ts'

const ISSUES = 1500
const issue = (n: number) => ({
  id: `${n}`,
  key: `KILL-${n}`,
  fields: {
    summary: `Issue ${n}`,
    project: { key: 'KILL', name: 'Killed' },
    status: { name: 'Open', statusCategory: { key: 'new' } },
    comment: { comments: [{ id: `c${n}`, body: 'said' }] },
    ...(n > 1 && { parent: { id: `${n - 1}` } })
  }
})

const skip = onPostgres ? false : 'nobody else can see into the embedded database meanwhile'
const timeout = 300_000

/** A database, and a function that starts an import of Jira's issues into it. */
async function importer(t: Test) {
  const database = await migratedDatabase(process.env['TEST_DATABASE_URL'])
  t.teardown(() => database.remove())
  if (!('DATABASE_URL' in database.env)) throw new Error('This needs PostgreSQL.')
  const { DATABASE_URL } = database.env
  const folder = temporaryFolder(t)
  const start = (...options: string[]) =>
    spawn(process.execPath, [...TRACKER_COMMAND, 'import', '--from', 'jira', ...options], {
      cwd: new URL('../../..', import.meta.url),
      // Its files stay on disk when it is killed.
      env: { PATH: process.env['PATH'], DATABASE_URL, TMPDIR: folder },
      stdio: ['ignore', 'ignore', 'pipe']
    })
  return { DATABASE_URL, folder, start }
}

/** Kills an import as soon as something is there. */
async function killWhen(running: ReturnType<typeof spawn>, isThere: () => Promise<boolean>): Promise<void> {
  const closed = once(running, 'close')
  running.stderr!.resume()
  while (!(await isThere()) && running.exitCode === null) await sleep(5)
  running.kill('SIGKILL')
  await closed
}

t.test('an import that is killed in the middle is completed by running it again', { skip, timeout }, async t => {
  const { DATABASE_URL, folder, start } = await importer(t)
  const file = join(folder, 'board.jsonl')
  writeFileSync(file, Array.from({ length: ISSUES }, (_, n) => JSON.stringify(issue(n + 1))).join('\n'))
  const counts = () =>
    withConnection(DATABASE_URL, async client => {
      const { rows } = await client.query<{ issues: number; parts: number; comments: number }>(`
        select (select count(*)::int from issue) as issues,
          (select count(*)::int from issue where parent_id is not null) as parts,
          (select count(distinct issue_id)::int from comment) as comments`)
      return rows[0]!
    })

  await killWhen(start(file), async () => (await counts()).issues > 0)
  const { issues, comments } = await counts()
  t.ok(issues > 0, 'some of it was there')
  t.ok(comments < ISSUES, 'and not all')

  const second = start(file)
  const said = text(second.stderr)
  const [code] = (await once(second, 'close')) as [number | null]
  t.equal(code, 0)
  t.match(await said, /\nAdded: .* There already: [1-9]\d*\. Skipped: 0\.\n/)
  t.strictSame(await counts(), { issues: ISSUES, parts: ISSUES - 1, comments: ISSUES })
})

const FILES = 40
/** Stored in 64 parts, within which the import is killed. */
const FILE_BYTES = 16 * 1024 * 1024
const LARGE = FILES / 2

const withFile = (n: number, origin: string) => {
  const { fields, ...rest } = issue(n)
  const attachment = [{ id: `${n}`, filename: `${n}.txt`, content: `${origin}/${n}` }]
  return { ...rest, fields: { ...fields, description: `See [^${n}.txt].`, attachment } }
}

t.test('one that is killed while it stores a file leaves no half of it', { skip, timeout }, async t => {
  const { DATABASE_URL, start } = await importer(t)
  const source = createServer(({ url }, response) => {
    if (url!.includes('/search')) {
      const issues = Array.from({ length: FILES }, (_, n) => withFile(n + 1, origin))
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ total: FILES, issues }))
    } else response.end(url === `/${LARGE}` ? Buffer.alloc(FILE_BYTES, 'x') : `the file ${url}`)
  })
  await new Promise<void>(resolve => source.listen(0, '127.0.0.1', resolve))
  t.teardown(() => source.close())
  const origin = `http://127.0.0.1:${(source.address() as AddressInfo).port}`
  const query = <T>(sql: string) =>
    withConnection(DATABASE_URL, async client => (await client.query<{ value: T }>(sql)).rows[0]!.value)

  await killWhen(start(origin, '--files'), () =>
    query<boolean>(
      `select exists (
        select from file_part join file on file.id = file_id where state = 'UPLOADING' and n > 2) as value`
    )
  )
  const unpublished = `select count(*)::int as value from file where state = 'UPLOADING'`
  t.ok((await query<number>(unpublished)) > 0, 'half a file')

  const second = start(origin, '--files')
  const said = text(second.stderr)
  t.strictSame(await once(second, 'close'), [0, null], await said)
  const named = 'exists (select from issue where position(file.id::text in description_markdown) > 0)'
  const stored = `select count(*)::int as value from file where state = 'STORED'`
  const whole = `${stored} and ${named}
    and sha256 = (select sha256(string_agg(data, '' order by n)) from file_part where file_id = file.id)`
  t.equal(await query<number>(whole), FILES, 'each is whole, and named by its issue')
  t.equal(await query<number>(stored), FILES, 'and is there once')
  // A job of the server removes what was not published.
  t.equal(await query<number>(`${unpublished} and ${named}`), 0, 'nothing names the half')
})
