import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { emptyDatabase } from '../../../test/runner/empty-database.ts'
import { runsOnCitus, TEST_DATABASE_URL } from '../../../test/runner/harness.ts'
import { onlyPlugins, startProcess } from '../../../test/runner/process.ts'

/** The folders of the database's kinds from which a server loads modules, until it answers. */
async function foldersLoaded(t: Test, database: Record<string, string>): Promise<string[]> {
  const list = join(t.testdir(), 'loaded')
  const recorder = `
    import { appendFileSync } from 'node:fs'
    import { registerHooks } from 'node:module'
    registerHooks({
      load(url, context, next) {
        const folder = /core\\/db\\/(embedded|citus)\\//.exec(url)?.[1]
        if (folder) appendFileSync(${JSON.stringify(list)}, folder + '\\n')
        return next(url, context)
      }
    })`
  const server = await startProcess({
    ...database,
    ...onlyPlugins('workspace', 'issues'),
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(recorder)}`
  })
  const { ok } = await fetch(`${server.url}/health/ready`)
  await server.end('SIGTERM')
  t.ok(ok, 'it was ready')
  return existsSync(list) ? [...new Set(readFileSync(list, 'utf8').trim().split('\n'))] : []
}

t.test('a server on the embedded database loads nothing of Citus', async t => {
  t.strictSame(await foldersLoaded(t, { TRACKER_DATA_DIR: t.testdir() }), ['embedded'])
})

const isOnPostgres = TEST_DATABASE_URL !== undefined && !(await runsOnCitus())
t.test('a server on PostgreSQL loads neither', { skip: !isOnPostgres && 'needs TEST_DATABASE_URL' }, async t => {
  const database = await emptyDatabase(TEST_DATABASE_URL)
  t.teardown(() => database.remove())
  t.strictSame(await foldersLoaded(t, database.env), [])
})
