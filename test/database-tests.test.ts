import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'

const root = fileURLToPath(new URL('..', import.meta.url))

t.test('the tests to be run on each kind of database are those that reach one, if only through others', async t => {
  const { stdout } = await promisify(execFile)(process.execPath, ['scripts/database-tests.ts'], { cwd: root })
  const listed = new Set(stdout.trim().split('\n'))
  for (const path of ['test/locks.test.ts', 'plugins/hooks/test/hooks.test.ts', 'test/durability.test.ts']) {
    t.ok(listed.has(path), path)
  }
  for (const path of ['core/rich-text/test/edits.test.ts', 'test/new-plugin.test.ts']) t.notOk(listed.has(path), path)
  const all = new Set(globSync('**/*.test.ts', { cwd: root, exclude: ['node_modules/**'] }))
  t.strictSame([...listed.difference(all)], [])
})
