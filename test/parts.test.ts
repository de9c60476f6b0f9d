import { existsSync, globSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { filesOf, PARTS, partNamed } from './runner/parts.ts'

const project = join(import.meta.dirname, '..')
const scripts = ['.ci/run', '.ci/nightly'].map(path => readFileSync(join(project, path), 'utf8')).join('')

t.test('each test file runs on the embedded database, in .ci/run or in .ci/nightly', async t => {
  const files = globSync('{core,examples/test,lib,plugins,test,scripts}/**/*.test.ts', { cwd: project })
  const alone = files.filter(file => file.endsWith('.alone.test.ts'))
  t.strictSame([...filesOf('daily'), ...filesOf('nightly'), ...alone].sort(), files.sort())
})

t.test('the scripts of .ci run every part', async t => {
  for (const part of PARTS) t.match(scripts, new RegExp(`suite ${part} `), part)
})

t.test('statements of every plugin run on PostgreSQL and on Citus', async t => {
  const withStatements = readdirSync(join(project, 'plugins')).filter(plugin =>
    ['queries.ts', 'queries'].some(name => existsSync(join(project, 'plugins', plugin, name)))
  )
  t.ok(withStatements.length > 10)
  for (const part of ['postgres', 'citus'] as const) {
    const covered = new Set(filesOf(part).map(file => file.split('/')[1]))
    t.strictSame(
      withStatements.filter(plugin => !covered.has(plugin)),
      [],
      part
    )
  }
})

t.test('an unknown part is refused', async t => {
  t.throws(
    () => partNamed('weekly'),
    /There is no part “weekly” of the suite: take daily, postgres, nightly, browser, citus\./
  )
  t.equal(partNamed('citus'), 'citus')
})
