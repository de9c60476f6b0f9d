import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
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
t.test(
  'an import that is killed in the middle is completed by running it again',
  { skip, timeout: 300_000 },
  async t => {
    const database = await migratedDatabase(process.env['TEST_DATABASE_URL'])
    t.teardown(() => database.remove())
    if (!('DATABASE_URL' in database.env)) throw new Error('This needs PostgreSQL.')
    const { DATABASE_URL } = database.env
    const folder = temporaryFolder(t)
    const file = join(folder, 'board.jsonl')
    writeFileSync(file, Array.from({ length: ISSUES }, (_, n) => JSON.stringify(issue(n + 1))).join('\n'))
    const start = () =>
      spawn(process.execPath, [...TRACKER_COMMAND, 'import', '--from', 'jira', file], {
        cwd: new URL('../../..', import.meta.url),
        // Its files stay on disk when it is killed.
        env: { PATH: process.env['PATH'], DATABASE_URL, TMPDIR: folder },
        stdio: ['ignore', 'ignore', 'pipe']
      })
    const counts = () =>
      withConnection(DATABASE_URL, async client => {
        const { rows } = await client.query<{ issues: number; parts: number; comments: number }>(`
        select (select count(*)::int from issue) as issues,
          (select count(*)::int from issue where parent_id is not null) as parts,
          (select count(distinct issue_id)::int from comment) as comments`)
        return rows[0]!
      })

    const first = start()
    first.stderr.resume()
    while ((await counts()).issues === 0 && first.exitCode === null) await sleep(10)
    first.kill('SIGKILL')
    await once(first, 'close')
    const { issues, comments } = await counts()
    t.ok(issues > 0, 'some of it was there')
    t.ok(comments < ISSUES, 'and not all')

    const second = start()
    const said = text(second.stderr)
    const [code] = (await once(second, 'close')) as [number | null]
    t.equal(code, 0)
    t.match(await said, /\nAdded: .* There already: [1-9]\d*\. Skipped: 0\.\n/)
    t.strictSame(await counts(), { issues: ISSUES, parts: ISSUES - 1, comments: ISSUES })
  }
)
